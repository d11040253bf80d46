"""Kinds of matches. Their differences are fields of `KindPolicy`.

No other code compares kinds, except the database's constraint `games_match_stake`.

A new kind is one more policy in `_ALL`, a function that creates its matches
(games/services/matches.py) and its tests.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Category(StrEnum):
    """The groups by which statistics and achievements count a member's matches."""

    CREDITS = "credits"
    TOURNAMENT = "tournament"
    FRIENDLY = "friendly"
    TRAINING = "training"


@dataclass(frozen=True, slots=True)
class KindPolicy:
    """The properties of one kind of match; those that may differ by match are columns of Match."""

    # Match.kind in the database; in lower case `match.kind` of the socket protocol.
    code: str
    # Shown to staff.
    name: "StrPromise"

    # --- who plays ---
    # One seat is a bot's.
    has_bot: bool
    # A bot may have any seat; such a kind is not rated.
    may_seat_bots: bool
    allows_guests: bool

    # --- what it counts for ---
    # Both stakes wait in the match's pot; a member plays one staked match at a time.
    is_staked: bool
    # The time of the match counts for the reminder of long play (games/stakes/play_time.py).
    counts_as_play_time: bool
    is_rated: bool
    category: Category
    # A tournament arranges the match: its table leads back to the tournament's page.
    is_of_tournament: bool
    # The match counts in the score between its two members (stats/services/opponents.py).
    counts_head_to_head: bool
    # The match may count for a newcomer's history and welcome credits (games/stakes/history.py).
    counts_for_newcomers: bool
    # Players who let their opponent down may get strikes at the end.
    brings_strikes: bool

    # --- who else is there ---
    # The lobby lists the match and anyone may watch it, unless the creator made it private.
    is_watchable: bool
    has_chat: bool
    is_coached: bool

    # --- time ---
    # False: a match without a time limit is allowed too.
    needs_clock: bool
    # Players may stop the clock by a command.
    may_pause: bool
    # The clock stops and no next game begins while the player or the site is away; False: the turn
    # goes on.
    waits_for_player: bool
    # The lag of a player's connection is measured and forgiven (games/services/grace.py).
    forgives_lag: bool
    # Leaving by the button loses the match; False: the match waits.
    leaving_resigns: bool
    # Milliseconds that a player may be away before the opponent may claim the win; None: no limit.
    # The wait before the first game is not charged: the budget is whole when that game begins.
    absence_budget_ms: int | None
    # Time from the creation after which the match is void if a player has not given their entropy
    # (games/services/voiding.py); None: the match waits.
    no_start_after: timedelta | None
    # An outage of the site that is longer than this voids the match if all processes were silent;
    # otherwise staff decide. None: no outage voids the match by itself.
    void_after_outage: timedelta | None
    # Time after the end in which the players may agree on a rematch; None: no rematch is offered.
    rematch_time: timedelta | None

    @property
    def counts_absence(self) -> bool:
        return self.absence_budget_ms is not None


TRAINING = KindPolicy(
    code="TRAINING",
    name=_("Training"),
    has_bot=True,
    may_seat_bots=True,
    allows_guests=True,
    is_staked=False,
    counts_as_play_time=False,
    is_rated=False,
    category=Category.TRAINING,
    is_of_tournament=False,
    counts_head_to_head=False,
    counts_for_newcomers=True,
    brings_strikes=False,
    is_watchable=False,
    has_chat=False,
    is_coached=True,
    needs_clock=False,
    may_pause=True,
    waits_for_player=True,
    forgives_lag=False,
    leaving_resigns=False,
    absence_budget_ms=None,
    no_start_after=None,
    void_after_outage=None,
    rematch_time=None,
)

STAKE = KindPolicy(
    code="STAKE",
    name=_("For credits"),
    has_bot=False,
    may_seat_bots=False,
    allows_guests=False,
    is_staked=True,
    counts_as_play_time=True,
    is_rated=True,
    category=Category.CREDITS,
    is_of_tournament=False,
    counts_head_to_head=True,
    counts_for_newcomers=True,
    brings_strikes=True,
    is_watchable=True,
    has_chat=True,
    is_coached=False,
    needs_clock=True,
    may_pause=False,
    waits_for_player=False,
    forgives_lag=True,
    leaving_resigns=True,
    absence_budget_ms=90_000,
    no_start_after=timedelta(seconds=30),
    void_after_outage=timedelta(minutes=5),
    rematch_time=timedelta(seconds=30),
)

FRIENDLY = KindPolicy(
    code="FRIENDLY",
    name=_("Friendly"),
    has_bot=False,
    may_seat_bots=False,
    allows_guests=True,
    is_staked=False,
    counts_as_play_time=False,
    is_rated=False,
    category=Category.FRIENDLY,
    is_of_tournament=False,
    counts_head_to_head=True,
    counts_for_newcomers=False,
    brings_strikes=False,
    is_watchable=True,
    has_chat=True,
    is_coached=False,
    needs_clock=True,
    may_pause=False,
    waits_for_player=False,
    forgives_lag=True,
    leaving_resigns=True,
    absence_budget_ms=90_000,
    # The player who sent the invitation may be in another window when the opponent opens it.
    no_start_after=timedelta(minutes=5),
    void_after_outage=None,
    rematch_time=timedelta(seconds=30),
)

# The tournament, not the match, takes the fees. The tournament counts a void match as a win of the
# player who came.
TOURNAMENT = KindPolicy(
    code="TOURNAMENT",
    name=_("Tournament"),
    has_bot=False,
    may_seat_bots=False,
    allows_guests=False,
    is_staked=False,
    counts_as_play_time=True,
    is_rated=True,
    category=Category.TOURNAMENT,
    is_of_tournament=True,
    counts_head_to_head=True,
    counts_for_newcomers=True,
    brings_strikes=False,
    is_watchable=True,
    has_chat=True,
    is_coached=False,
    needs_clock=True,
    may_pause=False,
    waits_for_player=False,
    forgives_lag=True,
    leaving_resigns=True,
    absence_budget_ms=180_000,
    no_start_after=timedelta(minutes=5),
    void_after_outage=None,
    rematch_time=None,
)

# A match of a tournament in which bots take part beside members.
EXHIBITION = replace(
    TOURNAMENT,
    code="EXHIBITION",
    name=_("Tournament with bots"),
    may_seat_bots=True,
    is_rated=False,
    counts_head_to_head=False,
    counts_for_newcomers=False,
)

_ALL = (TRAINING, STAKE, FRIENDLY, TOURNAMENT, EXHIBITION)
KINDS = MappingProxyType({kind.code: kind for kind in _ALL})


def kinds_where(holds: Callable[[KindPolicy], bool]) -> list[str]:
    """Return the codes of the kinds for which a condition holds, for `kind__in`."""
    return [kind.code for kind in KINDS.values() if holds(kind)]


def kind_choices() -> "list[tuple[str, StrPromise]]":
    """Return the choices of Match.kind; a function, so that a new kind needs no migration."""
    return [(kind.code, kind.name) for kind in KINDS.values()]
