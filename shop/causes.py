"""Causes of the transfers for purchases: names, links, and why staff may not reverse one."""

from collections.abc import Collection

from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from wallet.causes import Flow, Group, register

PURCHASES = Group("purchases", pgettext_lazy("credits", "Purchases and top-ups"))
TOP_UP = "top_up"
REFUND = "top_up_refund"
DISPUTE = "top_up_dispute"
RETURNED = "top_up_returned"
REFUND_FAILED = "top_up_refund_failed"
DEBT = "top_up_debt"


def receipt_address(public_id: str) -> str:
    return reverse("shop:payment", args=[public_id])


def veto(public_id: str) -> str:
    """Return why staff may not reverse a transfer: the payment's page refunds the money too."""
    return gettext("Refund the payment on its own page instead.")


def explain_disputes(public_ids: Collection[str]) -> dict[str, str]:
    return dict.fromkeys(public_ids, gettext("The bank took the payment back."))


def explain_failed_refunds(public_ids: Collection[str]) -> dict[str, str]:
    return dict.fromkeys(
        public_ids, gettext("The money did not reach you, so the credits are yours again.")
    )


def explain_debts(public_ids: Collection[str]) -> dict[str, str]:
    return dict.fromkeys(
        public_ids, gettext("For a returned payment whose credits were spent already.")
    )


def name_causes() -> None:
    register(
        TOP_UP,
        pgettext_lazy("cause", "Top-up"),
        PURCHASES,
        receipt_address,
        veto,
        flow=Flow.DEPOSIT,
    )
    register(REFUND, _("Top-up refunded"), PURCHASES, receipt_address, veto, flow=Flow.DEPOSIT)
    register(DISPUTE, _("Top-up disputed"), PURCHASES, receipt_address, veto, explain_disputes)
    register(RETURNED, _("Disputed top-up restored"), PURCHASES, receipt_address, veto)
    register(
        REFUND_FAILED,
        _("Refund failed"),
        PURCHASES,
        receipt_address,
        veto,
        explain_failed_refunds,
        flow=Flow.DEPOSIT,
    )
    register(
        DEBT, pgettext_lazy("cause", "Debt paid"), PURCHASES, receipt_address, veto, explain_debts
    )
