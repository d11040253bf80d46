"""Why something was not said: codes, which pages put into words."""


class Refused(Exception):
    """`code`: `unreadable` (no such phrase, empty or too long), `too_fast`, `not_member`, or
    `silenced` when staff has taken the word away for a time.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
