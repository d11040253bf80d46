"""Compute when a match is due next, after an action or another change."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from accounts.shared import deadlines
from games.engine.match.permissions import is_paused, on_turn
from games.engine.match.state import IN_GAME, MatchState, Phase
from games.engine.sides import Side
from games.models import Match, Seat, bot_pace
from games.services import outages
from games.services.dice import has_all_hashes
from games.services.grace import allowance_ms

# Kinds of a match's deadlines, as the worker's loops know them.
MATCHES, BOTS = "matches", "bots"

# Time after a game until the next one starts by itself.
NEXT_GAME_AFTER = timedelta(seconds=20)
# Minimum time to send entropy after the last hash or the opponent's entropy: a hash sent at the
# last moment must not make the opponent late.
ENTROPY_TIME = timedelta(seconds=10)
# `wake_at` is set again when it is nearer than this, so that the worker seldom comes too early.
KEEP_UNTIL = timedelta(seconds=10)


def next_deadline(
    match: Match, seats: Mapping[Side, Seat], state: MatchState, now: datetime
) -> tuple[datetime | None, bool]:
    """Return the time of the next deadline (None if there is none) and whether a bot acts then."""
    to_act = on_turn(state)
    if to_act is not None and seats[to_act].bot:
        return now + timedelta(milliseconds=bot_pace.reaction_ms(match.bot_pace)), True
    if is_paused(state):
        return None, False
    policy = match.policy
    if state.phase is Phase.SEATING:
        return no_start_at(match, seats, state), False
    if state.phase is Phase.BETWEEN_GAMES:
        if policy.waits_for_player:
            return (None if _is_deserted(seats) else now + NEXT_GAME_AFTER), False
        return _next_game_at(match, state, now), False
    flag_at_ms = state.clock.flag_at_ms() if state.clock is not None else None
    if flag_at_ms is None or state.clock is None or state.clock.running is None:
        return None, False
    flag_at_ms += allowance_ms(seats[state.clock.running])
    return match.created_at + timedelta(milliseconds=flag_at_ms), False


def next_wake(
    match: Match, seats: Mapping[Side, Seat], state: MatchState, now: datetime
) -> tuple[datetime | None, bool]:
    """Return `wake_at`, which may be earlier than the next deadline, and `awaits_bot`.

    During a game `wake_at` stays as it is if it is not later than the deadline, since a row whose
    indexed columns do not change is cheaper to write. The worker then finds nothing due and sets
    the exact time.
    """
    due_at, awaits_bot = next_deadline(match, seats, state, now)
    kept_at = match.wake_at
    is_flag = not awaits_bot and not match.awaits_bot and state.phase in IN_GAME
    if is_flag and due_at and kept_at and now + KEEP_UNTIL <= kept_at <= due_at:
        return kept_at, awaits_bot
    return due_at, awaits_bot


def no_start_at(match: Match, seats: Mapping[Side, Seat], state: MatchState) -> datetime | None:
    """Return when a match still in SEATING becomes void; None if its kind waits without end."""
    time = match.policy.no_start_after
    if time is None:
        return None
    at = match.created_at + time
    if not has_all_hashes(seats, state):
        return at
    last_at = match.created_at + timedelta(milliseconds=state.at_ms)
    return max(at, last_at + ENTROPY_TIME)


def note(match: Match) -> None:
    """Tell this process's worker loop the time at which the written match is due."""
    deadlines.note(BOTS if match.awaits_bot else MATCHES, match.wake_at)


def _next_game_at(match: Match, state: MatchState, now: datetime) -> datetime:
    """Return when the next game starts, counted from the end of the last game or of an outage.

    A player who leaves and returns between two games does not delay it.
    """
    ended_ms = state.at_ms if state.clock is None else state.clock.since_ms
    ended_at = match.created_at + timedelta(milliseconds=ended_ms)
    back = outages.recovered_at(now, NEXT_GAME_AFTER)
    return max(ended_at, back or ended_at) + NEXT_GAME_AFTER


def _is_deserted(seats: Mapping[Side, Seat]) -> bool:
    """Return whether no person would see the next game begin."""
    return all(seat.bot or seat.holder is None for seat in seats.values())
