"""Checkouts at the sandbox, the provider of demonstrations."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from shop.models.pack import Currency


class SandboxCheckout(models.Model):
    """A checkout at the sandbox provider, which takes no money.

    The row stands for data of another company: only `shop/payments/providers/sandbox.py`, the
    sandbox's page, `config/demo/` and the deletion of old rows use it. `amount` is in hundredths of
    the currency. `pays_at` is when a postponed payment arrives, None if it is not postponed.
    """

    class State(models.TextChoices):
        OPEN = "OPEN"
        PAID = "PAID"
        DECLINED = "DECLINED"
        CLOSED = "CLOSED"
        REFUNDED = "REFUNDED"

    reference = models.CharField(max_length=40, unique=True)
    payment_id = models.CharField(max_length=12, unique=True)
    credits = models.PositiveIntegerField()
    currency = models.CharField(max_length=3, choices=Currency)
    amount = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    pays_at = models.DateTimeField(null=True)
    return_url = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("checkout of the sandbox")
        verbose_name_plural = _("checkouts of the sandbox")

    def __str__(self) -> str:
        return self.reference
