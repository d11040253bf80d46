"""A good that a member bought."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from shop.models.good import Good


class OwnedGood(models.Model):
    """A purchase of a good, which a member owns at most once and with no time limit.

    Goods cannot be resold, swapped or given away. After a refund by staff the row stays as a
    record, and the member may buy the good again.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="goods",
        verbose_name=_("member"),
    )
    good = models.ForeignKey(
        Good, on_delete=models.PROTECT, related_name="owned", verbose_name=_("item")
    )
    bought_at = models.DateTimeField(_("bought"))
    price_credits = models.PositiveIntegerField(_("price paid"))
    transfer = models.OneToOneField(
        "wallet.Transfer", on_delete=models.PROTECT, related_name="+", verbose_name=_("payment")
    )
    refunded_at = models.DateTimeField(_("refunded"), null=True, blank=True)

    class Meta:
        verbose_name = _("owned item")
        verbose_name_plural = _("owned items")
        ordering = ("-bought_at", "-pk")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "good"],
                condition=Q(refunded_at__isnull=True),
                name="shop_one_of_each",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.good}"
