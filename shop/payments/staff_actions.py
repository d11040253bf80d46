"""Staff actions on payments: refund one, waive a debt."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from accounts.models import ReadyReason, User
from accounts.shared.staff.actions import Answers, PublicReasonForm, StaffAction
from shop.models import Debt, Payment
from shop.payments import debts, refunds


def _may_be_refunded(request: HttpRequest, payment: Payment) -> bool:
    return payment.state == Payment.State.PAID and not payment.awaits_refund


def _refund(payment: Payment, staff: User, answers: Answers, now: datetime) -> bool:
    return refunds.ask(payment, staff.pk, answers["reason"], now)


def _is_owed(request: HttpRequest, debt: Debt) -> bool:
    return debt.credits > 0


def _waive(debt: Debt, staff: User, answers: Answers, now: datetime) -> bool:
    return debts.waive(debt.user_id)


REFUND = StaffAction(
    "refund",
    "shop.change_payment",
    _refund,
    button=gettext_lazy("Refund"),
    title=gettext_lazy("Refund these payments?"),
    warning=gettext_lazy(
        "The provider is asked to return what is left of the money, within a minute. Then the"
        " credits are taken back; what the member has spent becomes a debt, which the next top-ups"
        " pay off."
    ),
    log="Refund asked: {reason}",
    form=PublicReasonForm,
    applies_to=_may_be_refunded,
    refusal=gettext_lazy("Only paid payments can be refunded, once."),
    concerns=lambda payment: [payment.user_id],
    occasion=ReadyReason.Occasion.REFUND,
)
WAIVE = StaffAction(
    "waive",
    "shop.change_debt",
    _waive,
    button=gettext_lazy("Waive the debt"),
    title=gettext_lazy("Waive the debts of these members?"),
    warning=gettext_lazy("They keep the whole of their next top-ups."),
    log="Debt waived: {reason}",
    applies_to=_is_owed,
    refusal=gettext_lazy("These members owe nothing."),
    concerns=lambda debt: [debt.user_id],
)
