"""Credits that members owe the house."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Debt(models.Model):
    """Credits of returned payments that the member had spent already.

    The next top-ups pay the debt off (`shop/payments/ledger.py`). Lock its row before the wallet's
    accounts.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="shop_debt",
        verbose_name=_("member"),
    )
    credits = models.BigIntegerField(_("credits"), default=0)

    class Meta:
        verbose_name = _("debt")
        verbose_name_plural = _("debts")
        constraints = [
            models.CheckConstraint(name="shop_debt_credits", condition=Q(credits__gte=0)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.credits}"


class DebtPart(models.Model):
    """Part of a debt, from one payment. Change it under the lock of the debt's row.

    The debt is the sum of the `owed_credits`. Staff waived `waived_credits`; if the payment turns
    out valid, the member does not get these a second time.
    """

    debt = models.ForeignKey(Debt, on_delete=models.PROTECT, related_name="parts")
    payment = models.OneToOneField(
        "shop.Payment",
        on_delete=models.PROTECT,
        related_name="debt_part",
        verbose_name=_("payment"),
    )
    owed_credits = models.PositiveIntegerField(_("owed"), default=0)
    waived_credits = models.PositiveIntegerField(_("waived"), default=0)

    class Meta:
        verbose_name = _("part of a debt")
        verbose_name_plural = _("parts of a debt")
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.payment_id}: {self.owed_credits}"
