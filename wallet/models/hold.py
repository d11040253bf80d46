"""Reserved credits."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallet.models.account import Account
from wallet.models.transfer import Transfer


class Hold(models.Model):
    """A reserved part of a balance, captured by a transfer or released, once."""

    class State(models.TextChoices):
        OPEN = "OPEN", _("Reserved")
        CAPTURED = "CAPTURED", _("Taken")
        RELEASED = "RELEASED", _("Returned")

    key = models.CharField(max_length=120, unique=True)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="holds")
    amount_credits = models.BigIntegerField()
    cause = models.CharField(max_length=32)
    reference = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    transfer = models.ForeignKey(
        Transfer,
        on_delete=models.PROTECT,
        related_name="holds",
        null=True,
        blank=True,
        db_index=False,
    )
    created_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("hold")
        verbose_name_plural = _("holds")
        indexes = [
            models.Index(fields=["account"], name="wallet_hold_open", condition=Q(state="OPEN")),
            models.Index(
                fields=["reference"], name="wallet_hold_reference", condition=~Q(reference="")
            ),
            models.Index(
                fields=["transfer", "account"],
                name="wallet_hold_captured",
                condition=Q(transfer__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(name="wallet_hold_amount", condition=Q(amount_credits__gt=0)),
            models.CheckConstraint(
                name="wallet_hold_resolution",
                condition=Q(state="OPEN", transfer__isnull=True, resolved_at__isnull=True)
                | Q(state="CAPTURED", transfer__isnull=False, resolved_at__isnull=False)
                | Q(state="RELEASED", transfer__isnull=True, resolved_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.amount_credits} {self.state}"
