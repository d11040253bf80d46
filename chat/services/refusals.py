"""Refusals of the chat; pages translate their codes."""


class Refused(Exception):
    """The message was refused; pages put `code` into words.

    `unreadable` (no such phrase, empty or too long), `too_fast`, `not_member`, or `silenced`
    (staff forbade writing for a time).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
