"""Freezes of the credits, and the owed transfers that wait for their end."""

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.utils.translation import gettext_lazy as _


class Freeze(models.Model):
    """A time in which new holds and most transfers are refused or wait; at most one is open.

    `known` names the differences of the ledger that began it, less those that were mended since
    (`wallet/services/freezing.py`). `digest` belongs to the previous version of the site, which
    still reads and writes it while an upgrade is under way.
    """

    began_at = models.DateTimeField(_("began at"))
    differences = models.PositiveIntegerField(_("differences"))
    report = models.TextField(_("first differences"))
    digest = models.CharField(max_length=64, default="", db_default="")
    known = models.JSONField(null=True)
    lifted_at = models.DateTimeField(_("lifted at"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("lifted by"),
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("credit freeze")
        verbose_name_plural = _("credit freezes")
        constraints = [
            models.UniqueConstraint(
                Value(1), name="wallet_freeze_one_open", condition=Q(lifted_at=None)
            )
        ]
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.began_at.isoformat(timespec='minutes')}: {self.differences}"


class WaitingPayment(models.Model):
    """An owed transfer, which a freeze holds back; written once, paid once.

    `amounts` are credits by account id; the ids are strings, as the keys of JSON objects must be.
    """

    key = models.CharField(_("key"), max_length=120, unique=True)
    cause = models.CharField(_("cause"), max_length=32)
    reference = models.CharField(_("reference"), max_length=64, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("by"),
    )
    amounts = models.JSONField(_("amounts"))
    created_at = models.DateTimeField(_("created at"))
    paid_at = models.DateTimeField(_("paid at"), null=True, blank=True)

    class Meta:
        verbose_name = _("pending payment")
        verbose_name_plural = _("pending payments")
        indexes = [
            models.Index(
                fields=["id"], name="wallet_waitingpayment_unpaid", condition=Q(paid_at=None)
            )
        ]

    def __str__(self) -> str:
        return self.key
