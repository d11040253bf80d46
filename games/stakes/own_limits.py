"""Check a member's own limits before play for credits: the wallet's, and the time of play."""

from collections.abc import Collection
from datetime import datetime, timedelta
from math import ceil

from games.stakes.play_time import play_time_of
from wallet.limits import checks
from wallet.limits.errors import OwnLimit
from wallet.limits.guards import Guard, guard_of
from wallet.limits.rules import Kind


def need_stakes_allowed(user_ids: Collection[int], credits: int, now: datetime) -> list[Guard]:
    """Raise OwnLimit unless each user may stake `credits` now; the limit of losses is not checked.

    Return the guards, with which the caller checks losses after it has reserved the stakes.
    """
    guards = checks.need_stakes_allowed(user_ids, credits, now)
    for guard in guards:
        _need_play_time(guard, now)
    return guards


def need_entry_allowed(user_id: int, now: datetime) -> None:
    """Raise OwnLimit unless the member may enter a tournament that costs nothing."""
    guard = guard_of(user_id, now)
    checks.need_not_excluded(guard)
    _need_play_time(guard, now)


def objection(user_id: int, credits: int, now: datetime, freed_credits: int = 0) -> OwnLimit | None:
    """Return the member's limit that forbids a stake or fee of `credits`, None if none does.

    `credits` 0: entering a free tournament. `freed_credits` are reserved now, and freed before the
    stake is taken. Locks nothing.
    """

    def check() -> None:
        if not credits:
            need_entry_allowed(user_id, now)
            return
        for guard in need_stakes_allowed([user_id], credits, now):
            checks.need_losses_allowed(guard, now, credits - freed_credits)

    return checks.objection(check)


def has_play_time_left(guard: Guard, now: datetime) -> bool:
    """Return whether the member's own limit of the time of play lets a match begin now."""
    return checks.objection(_need_play_time, guard, now) is None


def _need_play_time(guard: Guard, now: datetime) -> None:
    limit = guard.amounts.get(Kind.SESSION)
    if limit is None:
        return
    time = play_time_of(guard.user_id, now)
    if time.played() >= timedelta(minutes=limit):
        wait_s = ceil(time.wait(now).total_seconds())
        raise OwnLimit(guard.user_id, "own_session", limit=limit, wait_s=wait_s)
