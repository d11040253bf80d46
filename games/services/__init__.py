"""Everything that writes matches; players' commands come only through `actions.submit`."""
