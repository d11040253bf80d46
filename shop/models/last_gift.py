"""The last gift of a person."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class LastGift(models.Model):
    """The last gift of a person, for each of their digests (`accounts/members/identities.py`).

    The row belongs to a mailbox or to an account at another site, not to the member's account, so
    that a second account brings no second gift. `user` is the member who took the gift, for the
    header; `days` counts the days in a row on which the person took a gift, including the last one.
    """

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    taken_at = models.DateTimeField()
    days = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("last gift")
        verbose_name_plural = _("last gifts")

    def __str__(self) -> str:
        return self.digest
