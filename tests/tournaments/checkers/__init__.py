"""Checkers of draw files, which share no code with the site or with each other."""

from typing import Any

from tests.tournaments.checkers import knockout, round_robin, swiss

CHECKERS = {
    "KNOCKOUT": knockout,
    "ROUND_ROBIN": round_robin,
    "DOUBLE_ROUND_ROBIN": round_robin,
    "SWISS": swiss,
}


def is_right(data: dict[str, Any]) -> bool:
    return CHECKERS[data["kind"]].is_right(data)
