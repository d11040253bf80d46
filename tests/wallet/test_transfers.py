"""Move credits: balanced, once per key, never more than is available."""

from decimal import Decimal

import pytest

from tests.wallet.factories import (
    LATER,
    NOW,
    TRIAL,
    balance,
    capture,
    hold,
    house,
    ledger,
    move,
    pot,
    user_account,
)
from wallet.errors import InsufficientFunds, KeyReused, WalletError, WrongAmount
from wallet.models import Account, Transfer
from wallet.money import MAX_CREDITS, House
from wallet.services import accounts, transfers
from wallet.services.transfers import Cause

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def owner():
    return user_account("owner", 1000)


@pytest.fixture
def other():
    return user_account("other", 1000)


def test_credits_move_from_one_account_to_another(owner, other):
    done = move(owner, other, 300)
    assert (balance(owner), balance(other)) == ((700, 0), (1300, 0))
    assert dict(done.entries.values_list("account_id", "amount_credits")) == {
        owner.id: -300,
        other.id: 300,
    }


def test_a_transfer_stores_time_and_cause(owner, other):
    cause = Cause("gift", "parcel-7", "Won a bet.", by_id=owner.user_id)
    done = transfers.post("key", cause, {owner.id: -1, other.id: 1}, NOW)
    done.refresh_from_db()
    assert (done.cause, done.reference, done.reason, done.by_id, done.created_at) == (
        "gift",
        "parcel-7",
        "Won a bet.",
        owner.user_id,
        NOW,
    )


def test_a_transfer_may_have_many_entries(owner, other):
    shares = {owner.id: -190, other.id: 180, house(House.RAKE).id: 10}
    transfers.post("key", TRIAL, shares, NOW)
    assert (balance(owner), balance(other), balance(house(House.RAKE))) == (
        (810, 0),
        (1180, 0),
        (10, 0),
    )


def test_the_last_credit_can_be_spent(owner, other):
    move(owner, other, 1000)
    assert balance(owner) == (0, 0)


def test_a_house_account_may_go_below_zero_and_stores_no_balance(owner):
    move(house(House.GIFTS), owner, 500)
    gifts = Account.objects.get(code="gifts")
    assert balance(gifts)[0] == -500
    assert gifts.balance_credits is None


def test_a_transfer_above_the_balance_is_refused(owner, other):
    before = ledger()
    with pytest.raises(InsufficientFunds) as refused:
        move(owner, other, 1001)
    assert (refused.value.account_id, refused.value.shortfall) == (owner.id, 1)
    assert (balance(owner), balance(other), ledger()) == ((1000, 0), (1000, 0), before)


def test_held_credits_cannot_be_spent(owner, other):
    hold(owner, 400)
    with pytest.raises(InsufficientFunds) as refused:
        move(owner, other, 601)
    assert refused.value.available == 600


def test_an_empty_pot_pays_nothing(owner):
    with pytest.raises(InsufficientFunds):
        move(pot(), owner, 1)


def test_the_same_key_again_changes_nothing(owner, other):
    first = move(owner, other, 300, "key")
    again = move(owner, other, 300, "key")
    assert again == first
    assert balance(owner) == (700, 0)


def test_the_same_key_returns_the_transfer_even_without_funds(owner, other):
    first = move(owner, other, 1000, "key")
    assert move(owner, other, 1000, "key") == first


@pytest.mark.parametrize(
    "change",
    [
        {"amounts": (-301, 301)},
        {"cause": Cause("other", "trial-1")},
        {"cause": Cause("trial", "trial-2")},
    ],
)
def test_the_same_key_for_something_else_is_refused(owner, other, change):
    move(owner, other, 300, "key")
    before = ledger()
    left, right = change.get("amounts", (-300, 300))
    with pytest.raises(KeyReused):
        transfers.post("key", change.get("cause", TRIAL), {owner.id: left, other.id: right}, NOW)
    assert (balance(owner), ledger()) == ((700, 0), before)


def test_the_same_key_for_other_accounts_is_refused(owner, other):
    move(owner, other, 300, "key")
    with pytest.raises(KeyReused):
        move(other, owner, 300, "key")


def test_a_capture_and_a_transfer_do_not_share_a_key(owner):
    taken = hold(owner, 100)
    capture([taken], pot(), "key")
    with pytest.raises(KeyReused):
        move(owner, pot(), 100, "key")


@pytest.mark.parametrize(
    "amounts",
    [
        (0, 0),
        (-5, 6),
        (5, 5),
        (-1.5, 1.5),
        (-1, True),
        ("-1", "1"),
        (Decimal(-5), Decimal(5)),
        (-MAX_CREDITS - 1, MAX_CREDITS + 1),
    ],
)
def test_amounts_are_whole_credits_that_balance(owner, other, amounts):
    with pytest.raises(WrongAmount):
        transfers.post("key", TRIAL, dict(zip((owner.id, other.id), amounts, strict=True)), NOW)


@pytest.mark.parametrize("many", [0, 1])
def test_a_transfer_has_at_least_two_entries(owner, many):
    with pytest.raises(WrongAmount):
        transfers.post("key", TRIAL, dict([(owner.id, 0)] * many), NOW)


def test_a_zero_entry_is_refused_beside_others(owner, other):
    with pytest.raises(WrongAmount):
        transfers.post("key", TRIAL, {owner.id: -1, other.id: 1, pot().id: 0}, NOW)


def test_an_unknown_account_is_refused(owner):
    before = ledger()
    with pytest.raises(Account.DoesNotExist):
        transfers.post("key", TRIAL, {owner.id: -1, 10**9: 1}, NOW)
    assert (balance(owner), ledger()) == ((1000, 0), before)


@pytest.mark.parametrize(
    ("key", "cause"),
    [
        ("", TRIAL),
        ("k" * 121, TRIAL),
        ("key", Cause("")),
        ("key", Cause("c" * 33)),
        ("key", Cause("trial", "r" * 65)),
        ("key", Cause("trial", reason="r" * 301)),
    ],
)
def test_texts_that_do_not_fit_are_refused_before_the_database_sees_them(owner, other, key, cause):
    with pytest.raises(WalletError):
        transfers.post(key, cause, {owner.id: -1, other.id: 1}, NOW)


@pytest.mark.parametrize("code", ["", "p" * 65])
def test_a_pot_whose_code_does_not_fit_is_refused(code):
    with pytest.raises(WalletError):
        accounts.pot(code)


def test_an_account_is_opened_once(owner):
    assert accounts.of_user(owner.user_id) == owner
    assert accounts.pot("same") == accounts.pot("same")
    assert accounts.house(House.RAKE) == accounts.house(House.RAKE)


def test_owners_are_nudged_after_the_commit(
    owner, other, django_capture_on_commit_callbacks, monkeypatch
):
    nudges = []
    monkeypatch.setattr(
        "wallet.broadcast.nudge", lambda user_id, what: nudges.append((user_id, what))
    )
    with django_capture_on_commit_callbacks() as callbacks:
        move(owner, other, 1)
    assert nudges == []
    for callback in callbacks:
        callback()
    assert sorted(nudges) == sorted([(owner.user_id, "balance"), (other.user_id, "balance")])


# --- Reversals -----------------------------------------------------------------------------------


def test_a_reversal_is_the_opposite_with_a_reason(owner, other):
    first = move(owner, other, 300)
    undone = transfers.reverse(first.id, "Entered twice.", other.user_id, LATER)
    assert (balance(owner), balance(other)) == ((1000, 0), (1000, 0))
    assert (undone.reverses, undone.reason, undone.by_id) == (
        first,
        "Entered twice.",
        other.user_id,
    )


def test_a_transfer_is_reversed_once(owner, other):
    first = move(owner, other, 300)
    undone = transfers.reverse(first.id, "Wrong.", None, LATER)
    assert transfers.reverse(first.id, "Wrong again.", None, LATER) == undone
    assert balance(owner) == (1000, 0)


def test_a_reversal_can_be_reversed(owner, other):
    first = move(owner, other, 300)
    undone = transfers.reverse(first.id, "Wrong.", None, LATER)
    transfers.reverse(undone.id, "Was right after all.", None, LATER)
    assert balance(owner) == (700, 0)


def test_spent_credits_cannot_be_reversed(owner, other):
    first = move(owner, other, 300)
    move(other, owner, 1300)
    with pytest.raises(InsufficientFunds):
        transfers.reverse(first.id, "Wrong.", None, LATER)
    assert Transfer.objects.filter(reverses=first).count() == 0


def test_a_second_reversal_under_another_key_is_refused(owner, other):
    first = move(owner, other, 300)
    transfers.reverse(first.id, "Wrong.", None, LATER)
    cause = Cause("correction", reason="Wrong.", reverses_id=first.id)
    before = ledger()
    with pytest.raises(KeyReused):
        transfers.post("own-key", cause, {owner.id: 300, other.id: -300}, LATER)
    assert (balance(owner), ledger()) == ((1000, 0), before)


def test_a_reversal_with_other_amounts_is_refused(owner, other):
    first = move(owner, other, 300)
    cause = Cause("correction", reason="Wrong.", reverses_id=first.id)
    with pytest.raises(WrongAmount):
        transfers.post("own-key", cause, {owner.id: 299, other.id: -299}, LATER)


def test_a_reversal_without_a_reason_is_refused(owner, other):
    first = move(owner, other, 300)
    with pytest.raises(WalletError):
        transfers.reverse(first.id, " ", None, LATER)


def test_an_unknown_transfer_cannot_be_reversed():
    with pytest.raises(Transfer.DoesNotExist):
        transfers.reverse(10**9, "Wrong.", None, LATER)


def test_reversing_a_capture_gives_the_credits_back_as_available(owner):
    taken = hold(owner, 100)
    done = capture([taken], pot())
    transfers.reverse(done.id, "Should not have been taken.", None, LATER)
    taken.refresh_from_db()
    assert (balance(owner), balance(pot()), taken.state) == ((1000, 0), (0, 0), "CAPTURED")
