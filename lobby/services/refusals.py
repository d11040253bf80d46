"""Why something in the lobby was not done: codes, which pages put into words."""

CODES = (
    "gone",  # joined, taken back or over meanwhile; or one of the two has blocked the other
    "own",
    "busy",  # one of them plays for credits at this moment
    "announced",  # has announced a game already
    "not_invited",
    "oneself",
    "blocked",  # has blocked the one to be challenged
    "unavailable",  # that one has blocked him or is kept from games: nobody is told which
    "rating",
    "not_member",
    "paused",  # let opponents down too often (conduct.py)
)


class Refused(Exception):
    """`code` is one of CODES."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
