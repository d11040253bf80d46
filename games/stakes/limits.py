"""Limits of newcomers: the stake, and the opponents. A history of counted matches ends both.

The limits keep new accounts from passing their free credits on to another account.
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

# Credits that any newcomer may stake; a newcomer who earned or bought more may stake that much.
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
    """Raise Refused if two members, one of them a newcomer, may not play for credits now.

    `newcomers`: they use the same device or, in a private game, the same network. In open games the
    network does not count, since strangers can share the address of a mobile network.
    `ended_early`, with `wait_s` in seconds: a match of theirs ended early (early_ends.py).
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
    """Raise `Refused("newcomers")` if one of the other members uses the member's device.

    Two members with a history may share a device. The network does not count, as in open games.
    """
    same_device = companions(user_id, other_ids, now, Origin.Kind.DEVICE)
    if same_device and not all(map(has_history, (user_id, *same_device))):
        raise Refused("newcomers")
