"""Accounts of the ledger."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Account(models.Model):
    """An account that holds credits: a user's, a pot, or one of the house.

    Users and pots keep their balance here, updated in the transaction of every entry. A house
    account keeps none, so that it is never locked and never a bottleneck. `held_credits` is the
    part of the balance that open holds reserve, `given_credits` the sum of the entries of gifts
    (causes of the group GIFTS), which stays when the credits are spent. `code` names pots (an
    opaque text of the app that opens them) and house accounts.
    """

    class Kind(models.TextChoices):
        USER = "USER", _("Member")
        POT = "POT", _("Pot")
        HOUSE = "HOUSE", _("Site")

    kind = models.CharField(max_length=5, choices=Kind)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="account",
        null=True,
        blank=True,
    )
    code = models.CharField(max_length=64, blank=True)
    balance_credits = models.BigIntegerField(null=True, blank=True)
    held_credits = models.BigIntegerField(default=0)
    given_credits = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        permissions = [("correct", "Can correct accounts and take transfers back")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "code"], name="wallet_account_code", condition=~Q(code="")
            ),
            models.CheckConstraint(
                name="wallet_account_owner",
                condition=Q(kind="USER", user__isnull=False, code="")
                | Q(kind__in=["POT", "HOUSE"], user__isnull=True) & ~Q(code=""),
            ),
            models.CheckConstraint(
                name="wallet_account_balance",
                condition=Q(kind="HOUSE", balance_credits__isnull=True)
                | ~Q(kind="HOUSE") & Q(balance_credits__isnull=False, balance_credits__gte=0),
            ),
            models.CheckConstraint(
                name="wallet_account_held",
                condition=Q(
                    kind="USER", held_credits__gte=0, held_credits__lte=F("balance_credits")
                )
                | ~Q(kind="USER") & Q(held_credits=0),
            ),
        ]

    def __str__(self) -> str:
        return self.code or f"user {self.user_id}"

    @property
    def available_credits(self) -> int:
        """Return the balance minus open holds; only for users and pots."""
        assert self.balance_credits is not None
        return self.balance_credits - self.held_credits

    @property
    def earned_credits(self) -> int:
        """Return the part of the balance that exceeds the gifts, at least 0; only for users."""
        assert self.balance_credits is not None
        return max(0, self.balance_credits - self.given_credits)
