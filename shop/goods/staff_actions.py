"""Staff refund a good, with a reason that the member reads on their statement."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from accounts.models import ReadyReason, User
from accounts.shared.staff.actions import Answers, PublicReasonForm, StaffAction
from shop.goods.refunds import refund
from shop.models import OwnedGood
from wallet.services.freezing import PERMISSION


def _is_owned(request: HttpRequest, owned: OwnedGood) -> bool:
    return owned.refunded_at is None


def _refund(owned: OwnedGood, staff: User, answers: Answers, now: datetime) -> bool:
    return refund(owned, answers["reason"], staff.pk, now)


REFUND = StaffAction(
    "refund",
    PERMISSION,
    _refund,
    button=gettext_lazy("Refund"),
    title=gettext_lazy("Refund the price and take the purchase back?"),
    warning=gettext_lazy(
        "The member gets back the credits that they paid and no longer owns the item. If "
        "they use it now, their tables show the default look. They can buy it again."
    ),
    log="Refunded: {reason}",
    form=PublicReasonForm,
    applies_to=_is_owned,
    refusal=gettext_lazy("This has been refunded already."),
    concerns=lambda owned: [owned.user_id],
    occasion=ReadyReason.Occasion.REFUND,
)
