"""Queries on the ledger."""

from dataclasses import dataclass

from django.db.models import Exists, F, Sum

from wallet.models import Account, Freeze, Hold, WelcomeGift


@dataclass(frozen=True, slots=True)
class Funds:
    """A user's credits: `available` can be spent, `reserved` are in open holds.

    `is_frozen`: all credits of the site are frozen.
    """

    available: int
    reserved: int
    is_frozen: bool = False

    @property
    def total(self) -> int:
        return self.available + self.reserved


def funds_in(account: Account | None) -> Funds:
    """Return the account's funds; zeros for an account that does not exist yet.

    Does not read whether credits are frozen: `is_frozen` is False.
    """
    if account is None:
        return Funds(0, 0)
    return Funds(account.available_credits, account.held_credits)


def account_of(user_id: int) -> Account | None:
    """Return the user's account, or None if it was never needed."""
    return Account.objects.filter(user_id=user_id).first()


def is_frozen() -> bool:
    return Freeze.objects.filter(lifted_at=None).exists()


def funds_of(user_id: int) -> Funds:
    """Return the user's funds and whether credits are frozen, by one query.

    Without an account the funds are zeros and `is_frozen` is False.
    """
    frozen = Exists(Freeze.objects.filter(lifted_at=None))
    rows = Account.objects.filter(user_id=user_id).annotate(is_frozen=frozen)
    found = rows.values_list("balance_credits", "held_credits", "is_frozen").first()
    if found is None:
        return Funds(0, 0)
    balance, reserved, is_frozen_now = found
    return Funds((balance or 0) - reserved, reserved, is_frozen_now)


def reserved_for(user_id: int, cause: str) -> int:
    """Return the credits in the user's open holds of this cause."""
    waiting = Hold.objects.filter(account__user_id=user_id, cause=cause, state=Hold.State.OPEN)
    reserved: int | None = waiting.aggregate(total=Sum("amount_credits"))["total"]
    return reserved or 0


def welcome_gift_of(user_id: int) -> WelcomeGift | None:
    """Return the member's welcome gift if a part of it is still to come."""
    gifts = WelcomeGift.objects.filter(user_id=user_id)
    return gifts.filter(given_credits__lt=F("total_credits")).first()


def earned_credits(user_id: int) -> int:
    """Return the part of the user's balance that exceeds the gifts, at least 0."""
    account = account_of(user_id)
    return 0 if account is None else account.earned_credits
