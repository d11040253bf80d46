"""Decide whether a member may top up now."""

from datetime import datetime, timedelta

from django.db.models import Q, Sum

from accounts.models import User
from accounts.shared.refusals import Refused
from shop.models import Payment
from shop.payments import providers
from wallet.errors import Frozen
from wallet.limits import checks
from wallet.limits.errors import OwnLimit
from wallet.selectors import is_frozen

# Time after which a payment that has not reached its provider counts as not begun.
STARTING = timedelta(minutes=1)


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


def is_email_missing(user: User, currency: str) -> bool:
    """Return whether the provider of a currency needs an email and the member has none."""
    if user.email:
        return False
    provider = providers.find(providers.currencies().get(currency, ""))
    return provider is not None and provider.needs_email


def need_within_limits(
    user: User, credits: int, now: datetime, earlier: Payment | None = None
) -> None:
    """Raise OwnLimit if the credits, with those of payments still open, exceed a limit.

    The error's detail `pending` is the sum of those payments, which the page of limits does not
    count. A caller that begins a payment holds `checks.lock_account`. `earlier` is the payment that
    the same form has begun already; it is not counted a second time.
    """
    may_come = Q(state=Payment.State.PENDING) | Q(
        state=Payment.State.CREATED, created_at__gt=now - STARTING
    )
    waiting = Payment.objects.filter(may_come, user=user)
    if earlier is not None:
        waiting = waiting.exclude(pk=earlier.pk)
    pending = waiting.aggregate(total=Sum("credits"))["total"] or 0
    try:
        checks.check_deposit(user.pk, credits, now, pending)
    except OwnLimit as refusal:
        raise OwnLimit(user.pk, refusal.code, **refusal.details, pending=pending) from refusal
