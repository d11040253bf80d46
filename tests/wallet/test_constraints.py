"""The database refuses invalid rows even if a service errs, on SQLite and PostgreSQL."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from tests.wallet.factories import (
    LATER,
    NOW,
    capture,
    hold,
    house,
    move,
    new_key,
    pot,
    unguarded,
    user_account,
)
from wallet.models import Account, Entry, Hold, Transfer
from wallet.money import House

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def owner():
    return user_account("owner", 1000)


@pytest.fixture
def other():
    return user_account("other", 1000)


def refuses(constraint, write):
    """Expect the named constraint to refuse the write."""
    with unguarded(), pytest.raises(IntegrityError) as refused, transaction.atomic():
        write()
    text = str(refused.value)
    assert constraint in text or (connection.vendor == "sqlite" and "UNIQUE" in text), text


def update(model, row, **values):
    return lambda: model.objects.filter(id=row.id).update(**values)


def test_a_balance_is_never_below_zero(owner):
    refuses("wallet_account_balance", update(Account, owner, balance_credits=-1))
    refuses("wallet_account_balance", update(Account, pot(), balance_credits=-1))


def test_users_and_pots_have_a_balance_and_the_house_has_none(owner):
    refuses("wallet_account_balance", update(Account, owner, balance_credits=None))
    refuses("wallet_account_balance", update(Account, house(), balance_credits=0))


def test_held_credits_are_between_zero_and_the_balance(owner):
    refuses("wallet_account_held", update(Account, owner, held_credits=1001))
    refuses("wallet_account_held", update(Account, owner, held_credits=-1))
    hold(owner, 800)
    refuses("wallet_account_held", update(Account, owner, balance_credits=F("held_credits") - 1))


def test_only_accounts_of_users_can_reserve(owner):
    move(owner, pot(), 10)
    refuses("wallet_account_held", update(Account, pot(), held_credits=1))
    refuses("wallet_account_held", update(Account, house(), held_credits=1))


def test_an_account_has_a_user_or_a_code(owner):
    kinds = Account.Kind
    for wrong in (
        {"kind": kinds.USER, "balance_credits": 0},
        {"kind": kinds.POT, "balance_credits": 0},
        {"kind": kinds.HOUSE},
        {"kind": kinds.POT, "code": "pot", "user_id": owner.user_id, "balance_credits": 0},
        {"kind": "OTHER", "code": "other", "balance_credits": 0},
    ):
        refuses("wallet_account_owner", lambda wrong=wrong: Account.objects.create(**wrong))


def test_a_user_and_a_code_have_one_account_each(owner):
    kinds = Account.Kind
    again = {"kind": kinds.USER, "user_id": owner.user_id, "balance_credits": 0}
    refuses("wallet_account_user_id_key", lambda: Account.objects.create(**again))
    code = pot("the-pot").code
    again = {"kind": kinds.POT, "code": code, "balance_credits": 0}
    refuses("wallet_account_code", lambda: Account.objects.create(**again))
    house(House.RAKE)
    refuses("wallet_account_code", lambda: Account.objects.create(kind=kinds.HOUSE, code="rake"))


def test_entries_are_not_zero_and_unique_per_account(owner, other):
    done = move(owner, other, 10)

    def add(account, credits):
        return lambda: Entry.objects.create(transfer=done, account=account, amount_credits=credits)

    refuses("wallet_entry_amount", add(pot(), 0))
    refuses("wallet_entry_once", add(owner, 5))


def test_a_key_has_one_transfer_and_a_transfer_one_reversal(owner, other):
    done = move(owner, other, 10)
    values = {"cause": "trial", "created_at": NOW}
    refuses("wallet_transfer_key", lambda: Transfer.objects.create(key=done.key, **values))

    def reverse_twice():
        for _ in range(2):
            Transfer.objects.create(key=new_key(), reverses=done, **values)

    refuses("wallet_transfer_reverses", reverse_twice)


def test_holds_are_unique_per_key_and_not_zero(owner):
    made = hold(owner, 10)
    values = {"account": owner, "cause": "trial", "created_at": NOW}
    refuses(
        "wallet_hold_key", lambda: Hold.objects.create(key=made.key, amount_credits=10, **values)
    )
    for credits in (0, -1):
        again = {"key": new_key(), "amount_credits": credits, **values}
        refuses("wallet_hold_amount", lambda again=again: Hold.objects.create(**again))


def test_a_hold_is_open_or_resolved_and_never_both(owner, other):
    made, done = hold(owner, 10), move(owner, other, 10)
    for wrong in (
        {"state": "CAPTURED"},
        {"state": "CAPTURED", "resolved_at": LATER},
        {"state": "CAPTURED", "transfer": done},
        {"state": "RELEASED"},
        {"state": "RELEASED", "resolved_at": LATER, "transfer": done},
        {"resolved_at": LATER},
        {"transfer": done},
        {"state": "LOST", "resolved_at": LATER},
    ):
        refuses("wallet_hold_resolution", update(Hold, made, **wrong))


def test_accounts_and_users_with_a_history_cannot_be_deleted(owner, other):
    move(owner, other, 10)
    capture([hold(owner, 10)], pot())
    for row in (owner, owner.user, Transfer.objects.first()):
        with pytest.raises(IntegrityError):  # Django's ProtectedError is a subclass
            row.delete()
