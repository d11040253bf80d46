"""Decide whether a member may top up now."""

from datetime import datetime

from django.db.models import Sum

from accounts.models import User
from accounts.shared.refusals import Refused
from shop.models import Payment
from shop.payments import providers
from wallet.errors import Frozen
from wallet.limits import checks
from wallet.selectors import is_frozen
from wallet.services import accounts
from wallet.services.locking import lock


def need_top_up_open(user: User) -> None:
    """Raise Refused: `top_up_off`, `not_member`, or Frozen (`credits_frozen`).

    `not_member`: not activated, banned or closed.
    """
    if not providers.is_on():
        raise Refused("top_up_off")
    if not user.is_member:
        raise Refused("not_member")
    if is_frozen():
        raise Frozen


def need_within_limits(user: User, credits: int, now: datetime) -> None:
    """Raise OwnLimit if a new payment, with those that may still be paid, exceeds a limit.

    Runs in the caller's transaction and locks the member's account, so that of two forms sent at
    once the second sees the payment of the first.
    """
    lock([accounts.of_user(user.pk).id])
    waiting = Payment.objects.filter(
        user=user, state__in=(Payment.State.CREATED, Payment.State.PENDING)
    )
    pending = waiting.aggregate(total=Sum("credits"))["total"] or 0
    checks.check_deposit(user.pk, credits + pending, now)
