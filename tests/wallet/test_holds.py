"""Reserve credits; capture or release them once."""

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
    release,
    user_account,
)
from wallet.errors import HoldResolved, InsufficientFunds, KeyReused, WalletError, WrongAmount
from wallet.models import Account, Hold
from wallet.money import House
from wallet.services import holds
from wallet.services.transfers import Cause

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def owner():
    return user_account("owner", 1000)


@pytest.fixture
def other():
    return user_account("other", 1000)


def states(*some):
    return [hold.state for hold in Hold.objects.filter(id__in=[hold.id for hold in some])]


# --- Opening --------------------------------------------------------------------------------------


def test_a_hold_reserves_and_moves_nothing(owner):
    made = hold(owner, 100)
    owner.refresh_from_db()
    assert (balance(owner), owner.available_credits, made.state) == ((1000, 100), 900, "OPEN")
    assert Hold.objects.get(id=made.id).reference == "trial-1"


def test_the_whole_balance_can_be_reserved(owner):
    hold(owner, 600)
    hold(owner, 400)
    assert balance(owner) == (1000, 1000)


def test_a_hold_above_the_available_credits_is_refused(owner):
    hold(owner, 600)
    before = ledger()
    with pytest.raises(InsufficientFunds) as refused:
        hold(owner, 401)
    assert (refused.value.shortfall, balance(owner), ledger()) == (1, (1000, 600), before)


def test_a_repeated_key_returns_the_same_hold(owner):
    first = hold(owner, 100, "key")
    assert hold(owner, 100, "key") == first
    assert balance(owner) == (1000, 100)


def test_a_released_holds_key_does_not_open_another(owner):
    first = hold(owner, 100, "key")
    release(first)
    assert hold(owner, 100, "key").state == "RELEASED"
    assert balance(owner) == (1000, 0)


@pytest.mark.parametrize("cause", [Cause("other", "trial-1"), Cause("trial", "trial-2")])
def test_the_same_key_for_another_cause_is_refused(owner, cause):
    hold(owner, 100, "key")
    with pytest.raises(KeyReused):
        holds.open("key", owner.id, 100, cause, NOW)


def test_the_same_key_for_another_amount_is_refused(owner):
    hold(owner, 100, "key")
    with pytest.raises(KeyReused):
        hold(owner, 101, "key")
    assert balance(owner) == (1000, 100)


def test_the_same_key_for_another_account_is_refused(owner, other):
    hold(owner, 100, "key")
    with pytest.raises(KeyReused):
        hold(other, 100, "key")
    assert balance(other) == (1000, 0)


@pytest.mark.parametrize("credits", [0, -1, 1.5])
def test_a_hold_is_of_a_positive_whole_number_of_credits(owner, credits):
    with pytest.raises(WrongAmount):
        hold(owner, credits)


def test_only_accounts_of_users_can_reserve(owner):
    for account in (pot(), house(House.GIFTS)):
        with pytest.raises(WalletError):
            hold(account, 1)
    assert Hold.objects.count() == 0


def test_an_unknown_account_cannot_reserve():
    with pytest.raises(Account.DoesNotExist):
        holds.open("key", 10**9, 1, TRIAL, NOW)


# --- Releasing ------------------------------------------------------------------------------------


def test_a_release_makes_the_credits_available_again(owner):
    made = release(hold(owner, 100))
    made.refresh_from_db()
    assert (balance(owner), made.state, made.resolved_at) == ((1000, 0), "RELEASED", LATER)


def test_a_second_release_changes_nothing(owner):
    made = hold(owner, 100)
    hold(owner, 50)
    release(made)
    release(made)
    assert balance(owner) == (1000, 50)


def test_a_captured_hold_cannot_be_released(owner):
    made = hold(owner, 100)
    capture([made], pot())
    with pytest.raises(HoldResolved):
        release(made)
    assert balance(owner) == (900, 0)


def test_an_unknown_hold_cannot_be_released():
    with pytest.raises(Hold.DoesNotExist):
        holds.release(10**9, NOW)


# --- Capturing ------------------------------------------------------------------------------------


def test_holds_of_two_accounts_are_captured_in_one_transfer(owner, other):
    both = [hold(owner, 100), hold(other, 80)]
    done = capture(both, pot())
    assert (balance(owner), balance(other), balance(pot())) == ((900, 0), (920, 0), (180, 0))
    assert [made.transfer for made in Hold.objects.all()] == [done, done]


def test_two_holds_of_one_account_are_one_entry(owner):
    done = capture([hold(owner, 100), hold(owner, 50)], pot())
    assert sorted(done.entries.values_list("amount_credits", flat=True)) == [-150, 150]


def test_all_held_credits_can_be_captured(owner):
    capture([hold(owner, 1000)], pot())
    assert balance(owner) == (0, 0)


def test_a_hold_can_be_captured_into_a_house_account(owner):
    capture([hold(owner, 100)], house(House.BOUGHT))
    assert balance(house(House.BOUGHT)) == (-900, 0)


def test_a_capture_leaves_other_holds_open(owner):
    stays = hold(owner, 200)
    capture([hold(owner, 100)], pot())
    assert (balance(owner), states(stays)) == ((900, 200), ["OPEN"])


def test_the_same_capture_again_changes_nothing(owner, other):
    both = [hold(owner, 100), hold(other, 100)]
    first = capture(both, pot(), "key")
    assert capture(reversed(both), pot(), "key") == first
    assert balance(pot()) == (200, 0)


def test_a_capture_key_is_refused_for_other_holds(owner):
    """The second hold differs from the first one only by its id and key."""
    first, second = hold(owner, 100), hold(owner, 100)
    capture([first], pot(), "key")
    with pytest.raises(KeyReused):
        capture([second], pot(), "key")
    assert (balance(owner), states(second)) == ((900, 100), ["OPEN"])


def test_the_key_of_an_ordinary_transfer_is_refused_for_a_capture(owner):
    move(owner, pot(), 100, "key")
    made = hold(owner, 100)
    with pytest.raises(KeyReused):
        capture([made], pot(), "key")
    assert (balance(owner), states(made)) == ((900, 100), ["OPEN"])


def test_a_captured_hold_cannot_be_captured_by_another_transfer(owner):
    made = hold(owner, 100)
    capture([made], pot("first"))
    with pytest.raises(HoldResolved):
        capture([made], pot("second"))
    assert balance(pot("second")) == (0, 0)


def test_a_released_hold_fails_the_whole_capture(owner, other):
    gone, stays = hold(owner, 100), hold(other, 100)
    release(gone)
    with pytest.raises(HoldResolved):
        capture([gone, stays], pot())
    assert (balance(other), balance(pot()), states(stays)) == ((1000, 100), (0, 0), ["OPEN"])


def test_a_capture_into_the_holders_own_account_is_refused(owner, other):
    mine, foreign = hold(owner, 100), hold(other, 100)
    for some in ([mine], [mine, foreign]):
        with pytest.raises(WalletError):
            capture(some, owner)
    assert (balance(owner), states(mine, foreign)) == ((1000, 100), ["OPEN", "OPEN"])


def test_a_capture_of_nothing_is_refused():
    with pytest.raises(WalletError):
        capture([], pot())


def test_an_unknown_hold_fails_the_whole_capture(owner):
    made = hold(owner, 100)
    with pytest.raises(Hold.DoesNotExist):
        holds.capture([made.id, 10**9], pot().id, "key", TRIAL, NOW)
    assert (balance(owner), states(made)) == ((1000, 100), ["OPEN"])
