"""Why a command was not done: codes, never sentences."""

from typing import Any

from games.engine.errors import Reason


class Refused(Exception):
    """`code` is one of the socket's error codes; `reason` and `points` say which rule and where."""

    def __init__(
        self, code: str, reason: Reason | None = None, points: tuple[int, ...] = ()
    ) -> None:
        super().__init__(code if reason is None else f"{code}: {reason.value}")
        self.code = code
        self.reason = reason
        self.points = points

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {"code": self.code}
        if self.reason is not None:
            told["reason"] = self.reason.value
            told["points"] = list(self.points)
        return told
