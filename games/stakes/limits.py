"""Limits of newcomers: the stake, and the opponents. A history of counted matches ends both.

They keep free credits from going to another account before anything was played for them.
"""

from collections.abc import Collection
from datetime import datetime
from math import ceil

from accounts.models import Origin
from accounts.sessions.origins import are_together, companions
from accounts.shared.refusals import Refused
from games.stakes.early_ends import apart_until
from games.stakes.history import has_history
from wallet.selectors import earned_credits

# Credits that a newcomer may stake; more only of what the account earned or bought.
NEWCOMER_STAKE = 25


def stake_limit(user_id: int) -> int | None:
    """Return the highest stake in credits, None for a member with a history."""
    if has_history(user_id):
        return None
    return max(NEWCOMER_STAKE, earned_credits(user_id))


def may_stake(user_id: int, credits: int) -> bool:
    limit = stake_limit(user_id)
    return limit is None or credits <= limit


def check_meeting(one_id: int, other_id: int, now: datetime, *, is_private: bool) -> None:
    """Raise Refused if two members may not play for credits now.

    Newcomers may not with a member of the same device, nor in a private game with one of the same
    network (`newcomers`): in open games that would part strangers who share a mobile network's
    address. And not again soon after a match that ended early (`ended_early`, with the seconds to
    wait, `wait_s`).
    """
    if has_history(one_id) and has_history(other_id):
        return
    kinds = [Origin.Kind.DEVICE, *([Origin.Kind.NETWORK] if is_private else [])]
    if are_together(one_id, other_id, now, *kinds):
        raise Refused("newcomers")
    until = apart_until(one_id, other_id, now)
    if until is not None:
        raise Refused("ended_early", wait_s=ceil((until - now).total_seconds()))


def check_company(user_id: int, other_ids: Collection[int], now: datetime) -> None:
    """Raise `Refused("newcomers")` if one of the others is of the member's device.

    As for open games, unless both have a history: where strangers meet, one network says nothing.
    """
    near = companions(user_id, other_ids, now, Origin.Kind.DEVICE)
    if near and not all(map(has_history, (user_id, *near))):
        raise Refused("newcomers")
