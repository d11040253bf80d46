"""Payments for credits."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.user import PUBLIC_ID_LENGTH, new_public_id
from shop.models.pack import Currency, Pack


class Payment(models.Model):
    """A member's payment for credits, at the price of the moment when it began.

    The provider's messages are stored as facts that only grow (`paid_at`, `refunds_amount`,
    `failed_refunds_amount`, `dispute`), so the order of the messages does not matter; `state` and
    `refunded_amount` follow from the facts. Amounts are hundredths of the currency.

    `refunds_amount` is the sum of all refunds, including those that failed later, so it may exceed
    `amount`; `refunded_amount` is the amount that the payer has got back.

    Credits: `credited_at` is set once they were posted, or stored as an owed transfer during a
    freeze; `reversed_credits` were taken back, from the member's balance or as their debt;
    `is_collected`: the rest has paid off older debt, if there was any; `postings` counts the
    transfers after the first, for their keys. `check_at` is when the worker checks the payment
    again, None if nothing is left to check.
    """

    class State(models.TextChoices):
        CREATED = "CREATED", pgettext_lazy("payment", "Created")
        PENDING = "PENDING", pgettext_lazy("payment", "Waiting for payment")
        PAID = "PAID", pgettext_lazy("payment", "Paid")
        FAILED = "FAILED", pgettext_lazy("payment", "Declined")
        EXPIRED = "EXPIRED", pgettext_lazy("payment", "Not paid")
        REFUNDED = "REFUNDED", pgettext_lazy("payment", "Refunded")
        DISPUTED = "DISPUTED", pgettext_lazy("payment", "Disputed")

    class Dispute(models.TextChoices):
        NONE = "", pgettext_lazy("dispute", "None")
        OPEN = "OPEN", pgettext_lazy("dispute", "Open")
        WON = "WON", pgettext_lazy("dispute", "Won")
        LOST = "LOST", pgettext_lazy("dispute", "Lost")

    public_id = models.CharField(
        _("public ID"),
        max_length=PUBLIC_ID_LENGTH,
        unique=True,
        default=new_public_id,
        editable=False,
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="payments",
        verbose_name=_("member"),
    )
    # Idempotency key: a pack that is chosen several times in one form begins one payment.
    form_key = models.UUIDField(editable=False)
    pack = models.ForeignKey(
        Pack, on_delete=models.PROTECT, related_name="payments", verbose_name=_("pack of credits")
    )
    credits = models.PositiveIntegerField(_("credits"))
    currency = models.CharField(_("currency"), max_length=3, choices=Currency)
    amount = models.PositiveIntegerField(_("amount"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.CREATED)
    provider = models.CharField(_("provider"), max_length=16)
    reference = models.CharField(_("provider’s reference"), max_length=255, blank=True)
    checkout_url = models.TextField(blank=True)
    # The page from which the member came because they had too few credits.
    back = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("to be paid until"))
    paid_at = models.DateTimeField(_("paid at"), null=True, blank=True)
    refunds_amount = models.PositiveIntegerField(default=0, db_default=0)
    failed_refunds_amount = models.PositiveIntegerField(
        _("refunds that failed"), default=0, db_default=0
    )
    refunded_amount = models.PositiveIntegerField(_("refunded amount"), default=0)
    dispute = models.CharField(_("dispute"), max_length=4, choices=Dispute, blank=True, default="")
    credited_at = models.DateTimeField(_("credited at"), null=True, blank=True)
    reversed_credits = models.PositiveIntegerField(_("credits taken back"), default=0)
    is_collected = models.BooleanField(default=False)
    postings = models.PositiveSmallIntegerField(default=0)
    refund_asked_at = models.DateTimeField(_("refund asked at"), null=True, blank=True)
    refund_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("refunded by"),
    )
    refund_reason = models.CharField(_("reason of the refund"), max_length=200, blank=True)
    refund_error = models.CharField(_("why the refund failed"), max_length=200, blank=True)
    check_at = models.DateTimeField(_("next check"), null=True, blank=True)
    checks = models.PositiveSmallIntegerField(_("checks"), default=0)

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        ordering = ("-pk",)
        indexes = [
            models.Index(
                fields=["check_at"], name="shop_payment_check_at", condition=~Q(check_at=None)
            ),
            models.Index(fields=["user", "-id"], name="shop_payment_of_user"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "form_key"], name="shop_payment_once"),
            models.UniqueConstraint(
                fields=["provider", "reference"],
                name="shop_payment_reference",
                condition=~Q(reference=""),
            ),
            models.CheckConstraint(
                name="shop_payment_amounts",
                condition=Q(amount__gt=0, credits__gt=0, refunded_amount__lte=F("amount")),
            ),
            models.CheckConstraint(
                name="shop_payment_paid",
                condition=Q(state__in=["PAID", "REFUNDED", "DISPUTED"], paid_at__isnull=False)
                | Q(state__in=["CREATED", "PENDING", "FAILED", "EXPIRED"], paid_at__isnull=True),
            ),
            models.CheckConstraint(
                name="shop_payment_credits",
                condition=Q(credited_at__isnull=True, reversed_credits=0)
                | Q(credited_at__isnull=False, reversed_credits__lte=F("credits")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.credits} for {self.amount / 100:.2f} {self.currency}"

    @property
    def is_open(self) -> bool:
        """Return whether the payment may still be paid as usual."""
        return self.state in (self.State.CREATED, self.State.PENDING)

    @property
    def is_paid(self) -> bool:
        return self.paid_at is not None

    @property
    def due_back_credits(self) -> int:
        """Return the credits that have to be taken back in all, by the facts known so far."""
        if self.dispute in (self.Dispute.OPEN, self.Dispute.LOST):
            return self.credits
        return self.credits * self.refunded_amount // self.amount

    @property
    def awaits_refund(self) -> bool:
        """Return whether a refund was requested, and has neither failed nor been made in full."""
        is_asked = self.refund_asked_at is not None and not self.refund_error
        return is_asked and self.refunded_amount < self.amount
