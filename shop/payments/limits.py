"""Decide whether a member may top up now: the one place that refuses it.

Everything that begins a purchase of credits calls `may_top_up`; limits on deposits belong here.
"""

from datetime import datetime

from accounts.models import User
from accounts.shared.refusals import Refused
from shop.payments import providers
from wallet.errors import Frozen
from wallet.selectors import is_frozen


def may_top_up(user: User, credits: int, now: datetime) -> None:
    """Raise Refused: `top_up_off`, `not_member`, or Frozen (`credits_frozen`).

    `credits` are those of the pack. `not_member`: not activated, banned or closed.
    """
    if not providers.is_on():
        raise Refused("top_up_off")
    if not user.is_member:
        raise Refused("not_member")
    if is_frozen():
        raise Frozen
