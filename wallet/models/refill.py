"""Refills: a member below the minimum stake gets back to it, once a day."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Refill(models.Model):
    """The last refill of a person, for each of their digests (`accounts/members/identities.py`).

    It belongs to the mailbox or the account of another site, not to the member's account, so that
    a second account brings no second refill.
    """

    digest = models.CharField(max_length=64, unique=True)
    given_at = models.DateTimeField()

    class Meta:
        verbose_name = _("refill")
        verbose_name_plural = _("refills")

    def __str__(self) -> str:
        return self.digest


class GiftSwitch(models.Model):
    """The switch by which staff stop a gift. A gift without a row is given."""

    cause = models.CharField(_("cause"), max_length=32, unique=True)
    is_on = models.BooleanField(_("given"), default=True)

    class Meta:
        verbose_name = _("gift that can be switched off")
        verbose_name_plural = _("gifts that can be switched off")

    def __str__(self) -> str:
        return self.cause
