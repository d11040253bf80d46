"""Everything that writes matches; commands of a game come only through `actions.submit`."""
