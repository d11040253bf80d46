"""Packs of credits on sale, with a price for each currency."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Currency(models.TextChoices):
    """The currencies of prices. Each has hundredths (`shop/payments/currencies.py`)."""

    RUB = "RUB", _("Russian rubles")
    TRY = "TRY", _("Turkish lira")
    EUR = "EUR", _("Euros")
    USD = "USD", _("US dollars")


class Pack(models.Model):
    """Credits on sale for one payment. A pack that was sold is switched off, not deleted."""

    credits = models.PositiveIntegerField(
        _("credits"), validators=[MinValueValidator(1), MaxValueValidator(10**7)]
    )
    is_active = models.BooleanField(_("on sale"), default=True)
    position = models.PositiveSmallIntegerField(
        _("position"), default=0, help_text=_("Smaller numbers come first.")
    )

    class Meta:
        verbose_name = _("pack of credits")
        verbose_name_plural = _("packs of credits")
        ordering = ("position", "credits", "pk")
        constraints = [
            models.CheckConstraint(name="shop_pack_credits", condition=Q(credits__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.credits}"


class PackPrice(models.Model):
    """The price of a pack in one currency; without a price it is not sold in that currency."""

    pack = models.ForeignKey(Pack, on_delete=models.CASCADE, related_name="prices")
    currency = models.CharField(_("currency"), max_length=3, choices=Currency)
    amount = models.PositiveIntegerField(
        _("amount"),
        validators=[MinValueValidator(1)],
        help_text=_("In hundredths: 49900 is 499.00."),
    )

    class Meta:
        verbose_name = _("price")
        verbose_name_plural = _("prices")
        constraints = [
            models.UniqueConstraint(fields=["pack", "currency"], name="shop_packprice_one"),
            models.CheckConstraint(name="shop_packprice_amount", condition=Q(amount__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.amount / 100:.2f} {self.currency}"
