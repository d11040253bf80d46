"""The messages of payment providers about payments of this site, each stored once."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from shop.models.payment import Payment


class PaymentEvent(models.Model):
    """One message of a provider about a payment; a second one with the same id changes nothing."""

    class Outcome(models.TextChoices):
        APPLIED = "APPLIED", pgettext_lazy("payment event", "Applied")
        MISMATCH = "MISMATCH", pgettext_lazy("payment event", "Other amount: nothing credited")

    provider = models.CharField(_("provider"), max_length=16)
    event_id = models.CharField(_("event"), max_length=255)
    kind = models.CharField(_("kind"), max_length=64)
    payment = models.ForeignKey(
        Payment, on_delete=models.CASCADE, related_name="events", verbose_name=_("payment")
    )
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome)
    received_at = models.DateTimeField(_("received at"))

    class Meta:
        verbose_name = _("payment event")
        verbose_name_plural = _("payment events")
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint(fields=["provider", "event_id"], name="shop_paymentevent_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id}"
