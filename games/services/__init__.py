"""Services that write matches; commands within a game go through `actions.submit`."""
