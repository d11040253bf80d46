"""Limits that members set for themselves, and the record of their changes."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Limit(models.Model):
    """One limit of a member: `amount` is in force, None means no limit.

    From `next_at` on, `next_amount` is in force instead: `amount_at` chooses between them, so that
    no worker has to apply the change. The unit is credits; minutes for SESSION.
    """

    class Kind(models.TextChoices):
        DEPOSIT_DAY = "deposit_day", _("Top-ups in 24 hours")
        DEPOSIT_WEEK = "deposit_week", _("Top-ups in 7 days")
        DEPOSIT_MONTH = "deposit_month", _("Top-ups in 30 days")
        LOSS_DAY = "loss_day", _("Losses in 24 hours")
        LOSS_WEEK = "loss_week", _("Losses in 7 days")
        LOSS_MONTH = "loss_month", _("Losses in 30 days")
        STAKE = "stake", _("Largest stake or entry fee")
        SESSION = "session", _("Playing time without a break")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="own_limits"
    )
    kind = models.CharField(pgettext_lazy("limit", "kind"), max_length=16, choices=Kind)
    amount = models.PositiveBigIntegerField(pgettext_lazy("limit", "amount"), null=True)
    next_amount = models.PositiveBigIntegerField(_("next amount"), null=True)
    next_at = models.DateTimeField(_("holds from"), null=True)

    class Meta:
        verbose_name = _("limit of a member")
        verbose_name_plural = _("limits of members")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="wallet_limit_one_of_a_kind"),
            models.CheckConstraint(
                name="wallet_limit_next",
                condition=Q(next_at__isnull=False) | Q(next_amount__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"

    def amount_at(self, now: datetime) -> int | None:
        return self.next_amount if self.next_at is not None and self.next_at <= now else self.amount

    def waits_at(self, now: datetime) -> bool:
        """Return whether a change is still to come."""
        return self.next_at is not None and self.next_at > now


class LimitChange(models.Model):
    """A change, never edited: from `holds_from` on the limit is `amount` (None: no limit)."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="limit_changes"
    )
    kind = models.CharField(pgettext_lazy("limit", "kind"), max_length=16, choices=Limit.Kind)
    amount = models.PositiveBigIntegerField(pgettext_lazy("limit", "amount"), null=True)
    made_at = models.DateTimeField(_("changed at"))
    holds_from = models.DateTimeField(_("holds from"))

    class Meta:
        verbose_name = _("change of a limit")
        verbose_name_plural = _("changes of limits")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} {self.amount}"
