"""The welcome credits promised to a member."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class WelcomeGift(models.Model):
    """The welcome credits that a member gets in all, and those given so far.

    A member without a row gets no more: they got the whole gift before it was given in parts, or
    none was due at activation, since an earlier account has their mailbox or ID at another site or
    `WELCOME_CREDITS` was 0.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="welcome_gift"
    )
    total_credits = models.BigIntegerField()
    given_credits = models.BigIntegerField()

    class Meta:
        verbose_name = _("welcome gift")
        verbose_name_plural = _("welcome gifts")
        constraints = [
            models.CheckConstraint(
                name="wallet_welcomegift_given",
                condition=Q(given_credits__gt=0, given_credits__lte=F("total_credits")),
            ),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id}: {self.given_credits} of {self.total_credits}"

    @property
    def waiting_credits(self) -> int:
        return self.total_credits - self.given_credits
