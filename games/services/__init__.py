"""Services that write matches; players and bots act in a game only through `actions.submit`."""
