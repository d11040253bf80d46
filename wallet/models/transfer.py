"""Transfers and their entries. Neither is ever changed or deleted."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallet.models.account import Account


class Transfer(models.Model):
    """One event of the ledger; its entries sum to zero.

    `key` makes it idempotent: posting the same key again returns the same transfer. `cause` is the
    kind of event (titles in wallet/causes.py), `reference` the causing app's own opaque text.
    `reason` and `by` come from staff, for example for a correction.
    """

    key = models.CharField(max_length=120, unique=True)
    cause = models.CharField(max_length=32)
    reference = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, related_name="reversal", null=True, blank=True
    )
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        indexes = [
            models.Index(
                fields=["reference"], name="wallet_transfer_reference", condition=~Q(reference="")
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def reversed_at(self) -> datetime | None:
        """Return the time of the reversal; None if there is none or it was itself reversed."""
        reversal: Transfer | None = getattr(self, "reversal", None)
        if reversal is None or reversal.reversed_at is not None:
            return None
        return reversal.created_at


class Entry(models.Model):
    """One account's part of a transfer: credits in (positive) or out (negative)."""

    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    amount_credits = models.BigIntegerField()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        indexes = [
            models.Index(fields=["account", "id"], name="wallet_entry_account"),
            # Covers what `reconcile` reads: a million entries are summed from the index alone.
            models.Index(
                fields=["transfer", "account", "amount_credits"], name="wallet_entry_sums"
            ),
        ]
        constraints = [
            models.CheckConstraint(name="wallet_entry_amount", condition=~Q(amount_credits=0)),
            models.UniqueConstraint(fields=["transfer", "account"], name="wallet_entry_once"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.amount_credits:+d}"
