"""Everything that writes matches; the one door for players' commands is `actions.submit`."""
