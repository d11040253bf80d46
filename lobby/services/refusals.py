"""Why something in the lobby was not done: codes, which pages put into words."""


class Refused(Exception):
    """`code`: `gone`, `own`, `busy`, `announced`, `not_invited`, `rating`, `not_member`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
