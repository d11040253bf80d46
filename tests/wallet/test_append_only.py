"""PostgreSQL refuses to change or delete rows of the ledger, or to add unbalanced ones.

Balances may change, and a hold may be resolved once. SQLite has no such triggers: it accepts writes
that bypass the services, and `manage.py reconcile` finds those that unbalance the ledger
(test_reconcile.py).
"""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from accounts.shared.transactions import write_transaction
from tests.wallet.factories import (
    LATER,
    NOW,
    balance,
    capture,
    hold,
    ledger,
    move,
    new_key,
    pot,
    release,
    user_account,
)
from wallet.models import Account, Entry, Hold, Transfer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

GUARDS = import_module("wallet.migrations.0002_append_only")


@pytest.fixture
def owner():
    return user_account("owner", 1000)


@pytest.fixture
def other():
    return user_account("other", 1000)


def refuses(write):
    """Expect PostgreSQL to refuse the write, at the latest at the commit.

    SQLite would accept the write, so there it is only tried and rolled back.
    """
    before = ledger()
    if connection.vendor == "postgresql":
        with pytest.raises(IntegrityError, match=r"refused|that sum to"), transaction.atomic():
            write()
    else:
        with transaction.atomic():
            write()
            transaction.set_rollback(True)
    assert ledger() == before


def test_a_transfer_is_neither_changed_nor_deleted(owner, other):
    done = move(owner, other, 100)
    this = Transfer.objects.filter(id=done.id)
    for field, value in {
        "key": "other",
        "cause": "other",
        "reason": "!",
        "created_at": LATER,
    }.items():
        refuses(lambda field=field, value=value: this.update(**{field: value}))
    refuses(lambda: Transfer.objects.get(id=done.id).save())
    refuses(lambda: raw("DELETE FROM wallet_transfer WHERE key LIKE 'key%'"))


def test_an_entry_is_neither_changed_nor_deleted(owner, other):
    done = move(owner, other, 100)
    this = Entry.objects.filter(transfer=done)
    refuses(lambda: this.update(amount_credits=1))
    refuses(lambda: this.filter(account=owner).update(account=pot()))
    refuses(lambda: this.delete())


def test_a_hold_is_not_deleted_and_its_terms_never_change(owner, other):
    this = Hold.objects.filter(id=hold(owner, 100).id)
    refuses(lambda: this.delete())
    for changed in (
        {"amount_credits": 99},
        {"account": other},
        {"key": "other"},
        {"cause": "other"},
        {"reference": "other"},
        {"created_at": LATER},
    ):
        refuses(lambda changed=changed: this.update(**changed))
        resolved = {"state": "RELEASED", "resolved_at": LATER, **changed}
        refuses(lambda resolved=resolved: this.update(**resolved))


def test_a_resolved_hold_is_resolved_for_good(owner):
    gone, taken = hold(owner, 100), hold(owner, 100)
    release(gone)
    done = capture([taken], pot())
    opened = {"state": "OPEN", "resolved_at": None, "transfer": None}
    captured = {"state": "CAPTURED", "resolved_at": NOW, "transfer": done}
    for made in (gone, taken):
        for state in (opened, captured, {"state": "RELEASED", "transfer": None}):
            this = Hold.objects.filter(id=made.id)
            refuses(lambda this=this, state=state: this.update(**state))


def test_an_account_is_not_deleted_and_its_code_and_kind_never_change(owner, other):
    this = Account.objects.filter(id=pot("the-pot").id)
    refuses(lambda: this.update(code="another-pot"))
    refuses(lambda: this.delete())
    spare = Account.objects.create(kind="POT", code="spare", balance_credits=0)
    refuses(lambda: Account.objects.filter(id=spare.id).update(kind="HOUSE", balance_credits=None))


def test_a_transfer_without_entries_is_not_committed():
    refuses(lambda: Transfer.objects.create(key=new_key(), cause="trial", created_at=NOW))


@pytest.mark.parametrize("amounts", [(100,), (-100, 99), (1, 1), (2**62, -(2**62) + 1)])
def test_entries_that_do_not_balance_are_not_committed(owner, other, amounts):
    def write():
        done = Transfer.objects.create(key=new_key(), cause="trial", created_at=NOW)
        for account, amount in zip((owner, other), amounts, strict=False):
            Entry.objects.create(transfer=done, account=account, amount_credits=amount)

    refuses(write)


def test_entries_cannot_be_added_to_an_earlier_transfer(owner, other):
    done = move(owner, pot("first"), 100)

    def add_two():
        for account, amount in ((other, -5), (pot("second"), 5)):
            Entry.objects.create(transfer=done, account=account, amount_credits=amount)

    refuses(add_two)


def test_an_early_check_does_not_let_later_entries_through(owner, other):
    def write():
        done = Transfer.objects.create(key=new_key(), cause="trial", created_at=NOW)
        for account, amount in ((owner, -5), (other, 5)):
            Entry.objects.create(transfer=done, account=account, amount_credits=amount)
        if connection.vendor == "postgresql":
            raw("SET CONSTRAINTS ALL IMMEDIATE")
            raw("SET CONSTRAINTS ALL DEFERRED")
        Entry.objects.create(transfer=done, account=pot(), amount_credits=1)

    refuses(write)


def test_entries_may_follow_their_transfer_across_savepoints(owner, other):
    """Each savepoint has its own transaction id, so the trigger must accept several ids."""
    with write_transaction():
        with transaction.atomic():
            first = move(owner, other, 1)
        with transaction.atomic():
            done = Transfer.objects.create(key=new_key(), cause="trial", created_at=NOW)
        for account, amount in ((owner, -2), (other, 2)):
            with transaction.atomic():
                Entry.objects.create(transfer=done, account=account, amount_credits=amount)
        for account, amount in ((owner, -2), (other, 2)):
            known = Account.objects.get(id=account.id).balance_credits
            Account.objects.filter(id=account.id).update(balance_credits=known + amount)
    assert (first.entries.count(), balance(owner)) == (2, (997, 0))


def test_the_guard_migration_is_reversible(owner):
    """Undo and repeat the last operation of the migration, which does nothing on SQLite."""
    done = move(owner, pot(), 100)
    guard = GUARDS.Migration.operations[-1]
    run_on_schema(guard.reverse_code)
    try:
        assert Transfer.objects.filter(id=done.id).update(reference="changed") == 1
    finally:
        run_on_schema(guard.code)
    refuses(lambda: Transfer.objects.filter(id=done.id).update(reference="again"))


def run_on_schema(function):
    with connection.schema_editor() as editor:
        function(apps, editor)


def raw(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
