"""The log of a match for staff: each action with its moment, match time and duration."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Action

VERBS: dict[str, str | Promise] = {
    "commit": _("The site showed the fingerprint of its secret"),
    "entropy_hash": _("Sent the fingerprint of their random number"),
    "entropy": _("Revealed their random number"),
    "start": _("A game began"),
    "opening": _("Opening roll"),
    "roll": _("Rolled"),
    "play": _("Played"),
    "double": _("Doubled"),
    "take": _("Took the cube"),
    "drop": _("Dropped the cube"),
    "beaver": _("Redoubled at once (beaver)"),
    "resign": _("Offered to resign the game"),
    "accept": _("Accepted the resignation"),
    "refuse": _("Refused the resignation"),
    "resign_match": _("Resigned the match"),
    "flag": _("Ran out of time"),
    "leave": _("Left the match"),
    "claim": _("Claimed the win from an absent opponent"),
    "next": _("Ready for the next game"),
    "takeover": _("Took over the seat in another tab or on another device"),
    "pause": _("The clocks were paused"),
    "resume": _("The clocks resumed"),
    "credit": _("Time was given back"),
    "void": pgettext_lazy("log of a match", "The match was voided"),
    "reveal": _("The site revealed its secret"),
    "secret_lost": _("The secret of the dice is lost"),
}
# The ends of games and matches, by the codes of GameCause and MatchCause.
ENDS: dict[str, str | Promise] = {
    "bear_off": _("All checkers borne off"),
    "points": _("Match length reached"),
    "draw": pgettext_lazy("end of a match", "Drawn"),
    **{code: VERBS[code] for code in ("drop", "resign", "resign_match", "flag", "leave")},
    **{code: VERBS[code] for code in ("claim", "void")},
}
# Parts of an action that the page shows elsewhere than in `Step.detail`.
_SHOWN_ELSEWHERE = {"kind", "at_ms", "grace_ms", "side", "auto"}


@dataclass(frozen=True, slots=True)
class Step:
    """An action; `took_ms` passed since the previous one, of which `grace_ms` was not charged."""

    seq: int
    at: datetime
    at_ms: int
    took_ms: int
    grace_ms: int
    side: str
    title: str | Promise
    detail: str
    is_automatic: bool

    @property
    def server_time(self) -> str:
        """Return the moment in UTC, to the millisecond."""
        return self.at.astimezone(UTC).isoformat(" ", "milliseconds").removesuffix("+00:00")

    @property
    def at_s(self) -> str:
        return f"{self.at_ms / 1000:.3f}"

    @property
    def took_s(self) -> str:
        return f"{self.took_ms / 1000:.3f}"


def steps_of(actions: Iterable[Action]) -> list[Step]:
    """Return the steps of a whole log in its order."""
    steps: list[Step] = []
    for action in actions:
        steps.append(_step(action, steps[-1].at_ms if steps else 0))
    return steps


def _step(action: Action, before_ms: int) -> Step:
    data = action.data
    return Step(
        action.seq,
        action.created_at,
        data["at_ms"],
        data["at_ms"] - before_ms,
        data.get("grace_ms", 0),
        action.side,
        VERBS[action.verb],
        _detail(data),
        data.get("auto", False),
    )


def _detail(data: dict[str, Any]) -> str:
    """Return the dice, the play or other values of an action, as they are in the log."""
    values = (value for name, value in data.items() if name not in _SHOWN_ELSEWHERE)
    return " ".join(map(str, values))
