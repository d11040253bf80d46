"""`manage.py reconcile` finds every disagreement and names its account or transfer."""

import io
import json
import threading

import pytest
from django.core.management import call_command
from django.db import connection, connections

from tests.wallet.factories import (
    LATER,
    NOW,
    capture,
    hold,
    house,
    move,
    pot,
    release,
    unchecked,
    unguarded,
    user_account,
)
from wallet import reconciliation
from wallet.models import Account, Entry, Hold, Transfer
from wallet.money import House
from wallet.selectors import earned_credits
from wallet.services import transfers

GIFT = transfers.Cause("welcome")
WRITERS = 3  # threads that write during the checks
TRANSFERS = 150  # least number of transfers by these threads
RECONCILIATIONS = 40  # least number of checks

books = pytest.mark.django_db
broken = pytest.mark.broken_books


@pytest.fixture
def owner(db):
    return user_account("owner", 1000)


@pytest.fixture
def other(db):
    return user_account("other", 1000)


@pytest.fixture
def taken(owner, other):
    """Create a ledger with every kind of row; return the transfer that captured three holds."""
    done = capture([hold(owner, 100), hold(other, 80), hold(owner, 20)], pot())
    release(hold(owner, 50))
    hold(owner, 5)
    moved = move(owner, other, 7)
    transfers.reverse(moved.id, "Wrong.", None, LATER)
    return done


@pytest.fixture(params=[1, 3], ids=["whole", "sliced"])
def slices(request, monkeypatch):
    """Reconcile in one piece, and in slices as for a large ledger."""
    monkeypatch.setattr(reconciliation, "SLICES", request.param)
    monkeypatch.setattr(reconciliation, "SLICED_FROM", 0)


def found() -> list[str]:
    """Return the differences as the command prints them."""
    output = io.StringIO()
    if not reconciliation.reconcile().differences:
        return []
    with pytest.raises(SystemExit) as stopped:
        call_command("reconcile", stdout=io.StringIO(), stderr=output)
    assert stopped.value.code == 1
    return output.getvalue().splitlines()


def at(account) -> str:
    return f"account {account.id} ({account})"


def change(model, row, **values):
    with unguarded():
        assert model.objects.filter(id=row.id).update(**values) == 1


@books
def test_books_that_agree_pass(taken, slices):
    output = io.StringIO()
    call_command("reconcile", stdout=output)
    assert output.getvalue() == "4 accounts, 5 transfers, 11 entries checked; 0 differences\n"


@books
def test_an_empty_ledger_passes():
    assert reconciliation.reconcile() == reconciliation.Report(0, 0, 0, [])


@books
@broken
def test_an_entry_off_by_one_is_found(taken, owner, slices):
    entry = taken.entries.get(account=owner)
    change(Entry, entry, amount_credits=entry.amount_credits - 1)
    where = f"transfer {taken.id} ({taken.key})"
    assert found() == [
        f"{where}: entries do not sum to zero: -1, not 0",
        f"{where}, {at(owner)}: captured holds differ from the entry: 121, not 120",
        f"{at(owner)}: balance differs from the entries: 880, not 879",
        "ledger: all entries do not sum to zero: -1, not 0",
    ]


@books
@broken
def test_balanced_entries_off_by_one_are_found(owner, other, slices):
    done = move(owner, other, 10)
    for account, amount in ((owner, -11), (other, 11)):
        change(Entry, done.entries.get(account=account), amount_credits=amount)
    assert found() == [
        f"{at(owner)}: balance differs from the entries: 990, not 989",
        f"{at(other)}: balance differs from the entries: 1010, not 1011",
    ]


@books
@broken
def test_a_transfer_without_entries_is_found(owner, slices):
    with unguarded():
        done = Transfer.objects.create(key="empty", cause="trial", created_at=NOW)
    assert found() == [f"transfer {done.id} (empty): no entries"]


@books
@broken
def test_a_balance_that_differs_from_its_entries_is_found(taken, owner):
    change(Account, pot(), balance_credits=201)
    Account.objects.create(kind="POT", code="spare", balance_credits=1)
    spare = Account.objects.get(code="spare")
    assert found() == [
        f"account {pot().id} (pot): balance differs from the entries: 201, not 200",
        f"account {spare.id} (spare): balance differs from the entries: 1, not 0",
    ]


@books
def test_given_credits_stay_counted_when_gifts_are_spent_or_reversed(owner, other, slices):
    gift = move(house(House.GIFTS), owner, 60, cause=GIFT)
    move(owner, other, 500)
    assert earned_credits(owner.user_id) == 500
    transfers.reverse(gift.id, "Wrong.", None, LATER)
    assert [Account.objects.get(id=each.id).given_credits for each in (owner, other)] == [60, 0]
    assert earned_credits(owner.user_id) == 440
    assert found() == []


@books
@broken
def test_wrong_sums_of_gifts_are_found_and_corrected(owner, other, slices):
    move(house(House.GIFTS), owner, 60, cause=GIFT)
    change(Account, owner, given_credits=0)
    change(Account, other, given_credits=9)
    assert found() == [
        f"{at(owner)}: given credits differ from the gifts: 0, not 60",
        f"{at(other)}: given credits differ from the gifts: 9, not 0",
    ]
    call_command("reconcile", "--recount-gifts", stdout=io.StringIO())
    assert found() == []
    assert Account.objects.get(id=owner.id).given_credits == 60


@books
@broken
def test_held_credits_without_a_hold_are_found(taken, owner, other):
    change(Account, owner, held_credits=4)
    change(Account, other, held_credits=1)
    assert found() == [
        f"{at(owner)}: held differs from the open holds: 4, not 5",
        f"{at(other)}: held differs from the open holds: 1, not 0",
    ]


@books
@broken
def test_captured_holds_with_swapped_accounts_are_found(owner, other, slices):
    """The accounts of two holds are swapped inside one transfer: all sums still agree."""
    mine, foreign = hold(owner, 60), hold(other, 40)
    done = capture([mine, foreign], pot())
    change(Hold, mine, account=other)
    change(Hold, foreign, account=owner)
    where = f"transfer {done.id} ({done.key}),"
    assert sorted(found()) == sorted(
        [
            f"{where} {at(owner)}: captured holds differ from the entry: 60, not 40",
            f"{where} {at(other)}: captured holds differ from the entry: 40, not 60",
        ]
    )


@books
@broken
def test_a_hold_captured_twice_is_found(owner, slices):
    """Each of the two holds equals the entry, but their sum is twice as much."""
    done = capture([hold(owner, 50)], pot())
    captured = {"state": "CAPTURED", "transfer": done, "resolved_at": NOW}
    Hold.objects.create(
        key="again", account=owner, amount_credits=50, cause="trial", created_at=NOW, **captured
    )
    assert found() == [
        f"transfer {done.id} ({done.key}), {at(owner)}:"
        " captured holds differ from the entry: 50, not 100"
    ]


@books
@broken
def test_a_captured_hold_without_an_entry_is_found(owner, other, slices):
    taken, done = hold(owner, 50), move(other, pot(), 50)
    with unguarded():
        values = {"state": "CAPTURED", "transfer": done, "resolved_at": NOW}
        Hold.objects.filter(id=taken.id).update(**values)
        Account.objects.filter(id=owner.id).update(held_credits=0)
    assert found() == [
        f"transfer {done.id} ({done.key}), {at(owner)}:"
        " captured holds differ from the entry: 0, not 50"
    ]


@books
@broken
def test_a_reversal_unlike_its_transfer_is_found(owner, other):
    first, second = move(owner, other, 10), move(owner, other, 20)
    undone = transfers.reverse(first.id, "Wrong.", None, LATER)
    change(Transfer, undone, reverses=second)
    assert found() == [f"transfer {undone.id} ({undone.key}): not the opposite of what it reverses"]


@books
@broken
def test_a_negative_balance_is_found(owner, other):
    done = move(owner, other, 1000)
    with unguarded(), unchecked(Account, "wallet_account_balance", "wallet_account_held"):
        Entry.objects.filter(transfer=done, account=owner).update(amount_credits=-1001)
        Entry.objects.filter(transfer=done, account=other).update(amount_credits=1001)
        Account.objects.filter(id=owner.id).update(balance_credits=-1)
        Account.objects.filter(id=other.id).update(balance_credits=2001)
    assert found() == [
        f"{at(owner)}: below zero",
        f"{at(owner)}: holds more than there is: 0, not -1",
    ]


@books
@broken
def test_a_house_account_with_a_balance_is_found(owner):
    rake = house(House.RAKE)
    with unguarded(), unchecked(Account, "wallet_account_balance"):
        Account.objects.filter(id=rake.id).update(balance_credits=0)
    assert found() == [f"account {rake.id} (rake): the house keeps a balance"]


@books
@broken
def test_json_output_has_the_same_differences(owner, other):
    change(Account, other, balance_credits=1001)
    output = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("reconcile", "--json", stdout=output)
    report = json.loads(output.getvalue())
    assert (report["accounts"], report["transfers"], report["entries"]) == (3, 2, 4)
    assert report["differences"] == [
        {
            "fault": "balance differs from the entries",
            "account_id": other.id,
            "account": f"user {other.user_id}",
            "transfer_id": None,
            "transfer": "",
            "expected": 1000,
            "found": 1001,
        }
    ]


@books
@pytest.mark.skipif(connection.vendor != "postgresql", reason="settings of PostgreSQL")
def test_reconciling_restores_the_settings_of_the_connection(owner):
    names = ("jit", "enable_hashjoin", "statement_timeout")

    def settings():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join(f'current_setting({name!r})' for name in names)}")
            return cursor.fetchone()

    before = settings()
    reconciliation.reconcile()
    assert settings() == before


@pytest.mark.django_db(transaction=True)
def test_concurrent_writers_cause_no_false_alarm():
    """Reconciling reads one snapshot by one statement; two statements could read two snapshots."""
    accounts = [user_account(f"user{number}", 1000) for number in range(WRITERS + 1)]
    stop, failures = threading.Event(), []

    def work(number):
        source, target = accounts[number], accounts[number + 1]
        try:
            while not stop.is_set():
                taken = hold(source, 1)
                move(target, source, 1)
                capture([taken], pot(f"pot{number}"))
                move(pot(f"pot{number}"), target, 1)
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    differences = []
    try:
        while not failures and (
            len(differences) < RECONCILIATIONS or Transfer.objects.count() < TRANSFERS
        ):
            differences.append(reconciliation.reconcile().differences)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not failures
    assert not any(differences)
