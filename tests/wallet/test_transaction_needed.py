"""Services write to the ledger only inside the caller's transaction: all writes or none."""

import pytest

from accounts.shared.transactions import write_transaction
from tests.wallet.factories import NOW, TRIAL, balance, hold, house, ledger, move, user_account
from wallet.errors import InsufficientFunds, KeyReused, NotInTransaction, WalletError
from wallet.models import Transfer
from wallet.money import House
from wallet.services import accounts, holds, locking, transfers, welcome

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def owner():
    return user_account("owner", 1000)


WRITERS = {
    "post": lambda owner: transfers.post(
        "key", TRIAL, {owner.id: -1, house(House.RAKE).id: 1}, NOW
    ),
    "post invalid": lambda owner: transfers.post("", TRIAL, {}, NOW),
    "reverse": lambda owner: transfers.reverse(1, "Wrong.", None, NOW),
    "open": lambda owner: holds.open("key", owner.id, 1, TRIAL, NOW),
    "open invalid": lambda owner: holds.open("", owner.id, 0, TRIAL, NOW),
    "capture": lambda owner: holds.capture([hold(owner, 1).id], owner.id, "key", TRIAL, NOW),
    "capture nothing": lambda owner: holds.capture([], owner.id, "", TRIAL, NOW),
    "release": lambda owner: holds.release(hold(owner, 1).id, NOW),
    "welcome": lambda owner: welcome.give(owner.user_id, NOW),
    "welcome step": lambda owner: welcome.give_next(owner.user_id, "event", NOW),
    "account of a user": lambda owner: accounts.of_user(owner.user_id),
    "pot": lambda owner: accounts.pot("pot"),
    "house": lambda owner: accounts.house(House.RAKE),
    "lock": lambda owner: locking.lock([owner.id]),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_refuses_to_run_outside_a_transaction(owner, name):
    with pytest.raises(NotInTransaction):
        WRITERS[name](owner)


def test_a_failing_caller_leaves_the_ledger_unchanged(owner):
    before = ledger()

    def fail_after_writing():
        with write_transaction():
            move(owner, house(House.RAKE), 100)
            hold(owner, 100)
            raise RuntimeError("the caller's own work failed")

    with pytest.raises(RuntimeError):
        fail_after_writing()
    assert (balance(owner), ledger()) == ((1000, 0), before)


def test_a_caller_can_commit_after_a_refusal(owner):
    """Every refusal comes before the first write."""
    with write_transaction():
        taken = hold(owner, 900)
        before = (balance(owner), ledger())
        for error, refused in (
            (InsufficientFunds, lambda: move(owner, house(House.RAKE), 101)),
            (InsufficientFunds, lambda: hold(owner, 101)),
            (KeyReused, lambda: hold(owner, 1, taken.key)),
            (WalletError, lambda: holds.capture([taken.id], owner.id, "key", TRIAL, NOW)),
            (Transfer.DoesNotExist, lambda: transfers.reverse(10**9, "Wrong.", None, NOW)),
        ):
            with pytest.raises(error) as raised:
                refused()
            assert raised.type is error
            assert (balance(owner), ledger()) == before
        move(owner, house(House.RAKE), 100)
    assert balance(owner) == (900, 900)
