"""Matches that count for a member: each brings a part of the welcome credits.

With enough of them the member has a history, which ends the limits of newcomers (limits.py). A
match counts only if it was really played, against a bot or a new opponent, and only a few
count in a day. So a person who collects welcome credits with many accounts has to play for days
with each of them.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import CountedMatch, Match, Seat
from games.stakes.escrow import lock_accounts, reference
from wallet.selectors import welcome_gift_of
from wallet.services import welcome

# Turns that the member must have played in the match.
LEAST_TURNS = 10
# Matches that count within DAY.
MOST_A_DAY = 3
DAY = timedelta(days=1)
# Counted matches that make a history. A match beyond them is counted only while it brings credits
# to the member, or credits or a history to the opponent.
ENOUGH = 5


def has_history(user_id: int) -> bool:
    return CountedMatch.objects.filter(user_id=user_id).count() >= ENOUGH


def count(match: Match, seats: Mapping[Side, Seat], now: datetime) -> None:
    """Count a match that ends now for its members, and give them a part of the welcome credits.

    Locks the accounts of all its members, before `escrow.settle` locks those that it pays.
    """
    members = {side: seat.user_id for side, seat in seats.items() if seat.user_id is not None}
    if not match.policy.counts_for_newcomers or match.outcome == MatchCause.VOID:
        return
    if not any(map(_may_gain, members.values())):
        return
    turns = match.actions.turns_by_side()
    lock_accounts(members.values())
    for side, user_id in members.items():
        other = seats[side.other]
        if turns.get(side.value, 0) >= LEAST_TURNS and _is_new(user_id, other, now):
            CountedMatch.objects.create(
                user_id=user_id, match=match, opponent_id=other.user_id, counted_at=now
            )
            welcome.give_next(user_id, reference(match), now)


def _may_gain(user_id: int) -> bool:
    """Return whether a counted match would bring the member credits or a step to a history."""
    return welcome_gift_of(user_id) is not None or not has_history(user_id)


def _is_new(user_id: int, other: Seat, now: datetime) -> bool:
    """Return whether a match against this opponent counts for the member now."""
    counted = CountedMatch.objects.filter(user_id=user_id)
    if counted.filter(counted_at__gt=now - DAY).count() >= MOST_A_DAY:
        return False
    if other.user_id is None:
        return bool(other.bot)
    return not counted.filter(opponent_id=other.user_id).exists()
