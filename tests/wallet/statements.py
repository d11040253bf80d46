"""Create movements of credits for the tests of the statement."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from accounts.models import User
from accounts.shared.transactions import write_transaction
from wallet.models import Account, Hold, Transfer
from wallet.money import House
from wallet.services import accounts, holds, transfers
from wallet.services.transfers import Cause

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def account_of(user: User) -> Account:
    with write_transaction():
        return accounts.of_user(user.pk)


def give(
    user: User, credits: int, cause: str = "welcome", day: int = 0, reference: str = ""
) -> Transfer:
    """Move credits from the house to the user, or back if negative, under the next free key."""
    key = f"test:{Transfer.objects.count()}"
    with write_transaction():
        house, account = accounts.house(House.GIFTS), accounts.of_user(user.pk)
        amounts = {house.pk: -credits, account.pk: credits}
        return transfers.post(key, Cause(cause, reference), amounts, START + timedelta(days=day))


def give_all(user: User, amounts: Iterable[int]) -> None:
    for day, credits in enumerate(amounts):
        give(user, credits, day=day)


def reserve(user: User, credits: int, cause: str = "welcome", reference: str = "") -> Hold:
    key = f"hold:{Hold.objects.count()}"
    with write_transaction():
        account = accounts.of_user(user.pk)
        return holds.open(key, account.pk, credits, Cause(cause, reference), START)
