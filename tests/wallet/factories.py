"""Accounts with credits for tests, made by the services."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import factory
from django.db import connection
from django.db.models import Model
from factory.django import DjangoModelFactory

from accounts.models import User
from accounts.shared.transactions import write_transaction
from tests.accounts.factories import UserFactory
from wallet import reconciliation
from wallet.models import Account, Entry, Hold, Transfer
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, freezing, holds, transfers
from wallet.services.transfers import Cause

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)
TRIAL = Cause("trial", reference="trial-1")
_numbers = itertools.count(1)


def new_key(kind: str = "key") -> str:
    return f"{kind}:{next(_numbers)}"


class AccountFactory(DjangoModelFactory[Account]):
    """The account of a user; its `credits` come from a house account by a transfer."""

    class Meta:
        model = Account
        skip_postgeneration_save = True

    user = factory.SubFactory(UserFactory)

    @classmethod
    def _create(cls, model_class: type[Account], *args: Any, user: User) -> Account:
        with write_transaction():
            return accounts.of_user(user.pk)

    @factory.post_generation
    def credits(
        account: Account,
        create: bool,
        extracted: int | None,
        source: House = House.BOUGHT,
        cause: str = "funds",
        at: datetime = NOW,
    ) -> None:
        if not extracted:
            return
        with write_transaction():
            amounts = {accounts.house(source).id: -extracted, account.id: extracted}
            transfers.post(f"{cause}:{account.id}", Cause(cause), amounts, at)
        account.refresh_from_db()


def user_account(name: str = "owner", credits: int = 1000) -> Account:
    """Return the account of a new user with bought credits."""
    return AccountFactory(user__username=name, credits=credits)


def player(login: str, credits: int = 1000) -> User:
    """Create an activated member with this many credits; 0 opens no account."""
    user: User = UserFactory(username=login, member=True)
    if credits:
        AccountFactory(
            user=user,
            credits=credits,
            credits__source=House.GIFTS,
            credits__at=user.activated_at,
        )
    return user


def total_of(user: User) -> int:
    return funds_of(user.pk).total


def pot(code: str = "pot") -> Account:
    with write_transaction():
        return accounts.pot(code)


def house(name: House = House.BOUGHT) -> Account:
    with write_transaction():
        return accounts.house(name)


def move(
    source: Account, target: Account, credits: int, key: str = "", cause: Cause = TRIAL
) -> Transfer:
    with write_transaction():
        amounts = {source.id: -credits, target.id: credits}
        return transfers.post(key or new_key(), cause, amounts, NOW)


def hold(account: Account, credits: int, key: str = "") -> Hold:
    with write_transaction():
        return holds.open(key or new_key("hold"), account.id, credits, TRIAL, NOW)


def capture(taken: list[Hold], into: Account, key: str = "") -> Transfer:
    with write_transaction():
        ids = [hold.id for hold in taken]
        return holds.capture(ids, into.id, key or new_key("capture"), TRIAL, LATER)


def release(hold: Hold) -> Hold:
    with write_transaction():
        return holds.release(hold.id, LATER)


def freeze_credits(now: datetime) -> None:
    """Freeze the credits, as the hourly count does after it has found a difference."""
    found = reconciliation.Difference(
        "balance", None, "an account", None, "", expected=500, found=493
    )
    assert freezing.begin([found], now) is not None


def balance(account: Account) -> tuple[int, int]:
    """Return the stored balance and held credits; for a house account, the sum of its entries."""
    account = Account.objects.get(id=account.id)
    if account.balance_credits is None:
        entries = Entry.objects.filter(account=account).values_list("amount_credits", flat=True)
        return sum(entries), account.held_credits
    return account.balance_credits, account.held_credits


def ledger() -> tuple[int, int, int]:
    """Count transfers, entries and holds, to prove that a call changed nothing."""
    return Transfer.objects.count(), Entry.objects.count(), Hold.objects.count()


def assert_books_balance() -> None:
    """Check all books. A test that breaks them on purpose is marked `broken_books`."""
    differences = reconciliation.reconcile().differences
    assert not differences, "\n".join(map(str, differences))


@contextmanager
def unguarded() -> Iterator[None]:
    """Disable PostgreSQL's triggers in the block, as the owner of the tables could."""
    _alter("DISABLE TRIGGER USER")
    yield
    _alter("ENABLE TRIGGER USER")


def _alter(clause: str) -> None:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        for model in (Account, Transfer, Entry, Hold):
            cursor.execute(f"ALTER TABLE {model._meta.db_table} {clause}")


@contextmanager
def unchecked(model: type[Model], *constraints: str) -> Iterator[None]:
    """Disable CHECK constraints in the block.

    On PostgreSQL they stay dropped until the test's transaction is rolled back.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
            for name in constraints:
                cursor.execute(f"ALTER TABLE {model._meta.db_table} DROP CONSTRAINT {name}")
            yield
        else:
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            yield
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
