"""Members' own limits: tighter ones hold at once, looser ones a week later; losses expire."""

from datetime import datetime, timedelta

import pytest

from accounts.closing import services as closing
from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.stakes import escrow
from lobby.models import Seek
from lobby.services import announcing
from tests.games.factories import give_history
from tests.lobby.factories import announcement
from tests.tournaments.factories import announced
from tests.wallet.factories import LATER, NOW, freeze_credits, player
from tournaments.models import Entrant
from tournaments.services import entering
from wallet import causes, personal_data
from wallet.causes import Flow
from wallet.limits import checks, services, spending
from wallet.limits.errors import OwnLimit
from wallet.limits.guards import guard_of
from wallet.limits.rules import DAY, MONTH, WAIT, WEEK, Kind
from wallet.models import Freeze, Limit, LimitChange
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, owed, transfers
from wallet.services.transfers import Cause

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
# The flow of every cause of the site; a test fails until a new cause is added here.
FLOWS = {
    "welcome": Flow.OTHER,
    "welcome_step": Flow.OTHER,
    "refill": Flow.OTHER,
    "gift": Flow.OTHER,
    "correction": Flow.OTHER,
    "stake": Flow.SPENT,
    "stake_payout": Flow.SPENT,
    "stake_refund": Flow.SPENT,
    "tournament_fee": Flow.SPENT,
    "tournament_prize": Flow.SPENT,
    "tournament_refund": Flow.SPENT,
    "purchase": Flow.SPENT,
    "top_up": Flow.DEPOSIT,
    "top_up_refund": Flow.DEPOSIT,
    "top_up_refund_failed": Flow.DEPOSIT,
    "top_up_dispute": Flow.OTHER,
    "top_up_returned": Flow.OTHER,
    "top_up_debt": Flow.OTHER,
}


@pytest.fixture
def anna() -> User:
    member = player("anna5")
    give_history(member)
    return member


def limit_of(user: User, kind: Kind, now: datetime) -> int | None:
    return guard_of(user.pk, now).amounts.get(kind)


def move(
    user: User, credits: int, cause: str, at: datetime, reference: str = ""
) -> transfers.Transfer:
    """Move credits to the member, or from them if `credits` is negative."""
    with write_transaction():
        own, house = accounts.of_user(user.pk), accounts.house(House.BOUGHT)
        key = f"{cause}:{credits}:{at.isoformat()}"
        return transfers.post(
            key, Cause(cause, reference), {own.id: credits, house.id: -credits}, at
        )


def test_a_first_and_a_tighter_limit_hold_at_once(anna):
    assert services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW) == []
    services.set_limits(anna.pk, {Kind.STAKE: 50}, LATER)
    assert limit_of(anna, Kind.STAKE, LATER) == 50


@pytest.mark.parametrize("looser", [200, None])
def test_a_looser_limit_holds_a_week_later_to_the_second(anna, looser):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    assert services.set_limits(anna.pk, {Kind.STAKE: looser}, LATER) == [Kind.STAKE]
    assert limit_of(anna, Kind.STAKE, LATER + WAIT - SECOND) == 100
    assert limit_of(anna, Kind.STAKE, LATER + WAIT) == looser


def test_saving_the_same_limit_again_does_not_restart_the_week(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: None}, NOW)
    assert services.set_limits(anna.pk, {Kind.STAKE: None}, LATER) == []
    assert limit_of(anna, Kind.STAKE, NOW + WAIT) is None


def test_a_lower_planned_limit_keeps_the_date_and_a_higher_one_begins_the_week_again(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 300}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 200}, LATER)
    assert Limit.objects.get().next_at == NOW + WAIT
    services.set_limits(anna.pk, {Kind.STAKE: 400}, LATER)
    assert Limit.objects.get().next_at == LATER + WAIT


def test_a_planned_change_can_be_canceled_until_it_holds(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 300}, NOW)
    assert services.keep(anna.pk, Kind.STAKE, LATER)
    assert limit_of(anna, Kind.STAKE, NOW + WAIT) == 100
    assert not services.keep(anna.pk, Kind.STAKE, LATER)


def test_a_tighter_limit_cancels_a_planned_one(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 300}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 50}, LATER)
    assert limit_of(anna, Kind.STAKE, NOW + WAIT) == 50


def test_a_limit_that_was_loosened_can_be_loosened_again(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 300}, NOW)
    later = NOW + WAIT
    services.set_limits(anna.pk, {Kind.STAKE: 400}, later)
    assert limit_of(anna, Kind.STAKE, later) == 300
    assert limit_of(anna, Kind.STAKE, later + WAIT) == 400


def test_every_change_of_a_limit_is_recorded(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.set_limits(anna.pk, {Kind.STAKE: None}, LATER)
    rows = LimitChange.objects.order_by("id").values_list("amount", "made_at", "holds_from")
    assert list(rows) == [(100, NOW, NOW), (None, LATER, LATER + WAIT)]
    assert len(personal_data.of(anna.pk)["limits"]["changes"]) == 2


# --- What counts ------------------------------------------------------------------------------


def test_every_cause_of_the_site_has_its_flow():
    assert {code: cause.flow for code, cause in causes._registered.items()} == FLOWS


@pytest.mark.parametrize("window", [DAY, WEEK, MONTH])
def test_a_loss_counts_until_its_window_is_over(anna, window):
    move(anna, -100, "stake", NOW)
    assert spending.lost(anna.pk, [window], NOW + window - SECOND) == {window: 100}
    assert spending.lost(anna.pk, [window], NOW + window) == {window: 0}


def test_returned_credits_reduce_the_loss_and_gifts_do_not(anna):
    move(anna, -100, "stake", NOW)
    move(anna, 190, "stake_payout", LATER)
    move(anna, -300, "tournament_fee", LATER)
    move(anna, 25, "gift", LATER)
    assert spending.lost(anna.pk, [DAY], LATER) == {DAY: 210}


def test_a_reversed_stake_is_not_a_loss(anna):
    done = move(anna, -100, "stake", NOW)
    with write_transaction():
        transfers.reverse(done.pk, "mistake", None, LATER)
    assert spending.lost(anna.pk, [DAY], LATER) == {DAY: 0}


@pytest.mark.parametrize("reversals", range(spending.MOST_REVERSALS + 1))
def test_a_reversed_reversal_counts_what_it_restores(anna, reversals):
    move(anna, -100, "stake", NOW, "match:one")
    done = move(anna, 190, "stake_payout", NOW, "match:one")
    for _ in range(reversals):
        with write_transaction():
            done = transfers.reverse(done.pk, "mistake", None, LATER)
    lost = 100 if reversals % 2 else -90
    assert spending.lost(anna.pk, [DAY], LATER) == {DAY: lost}
    assert spending.won_since(anna.pk, NOW - SECOND) == -lost


@pytest.mark.parametrize("back", ["stake_refund", "stake_payout"])
def test_a_returned_stake_reduces_no_later_loss(anna, back):
    pay(anna, -100, "stake", "match:one", NOW)
    pay(anna, 100, back, "match:one", LATER)
    assert spending.lost(anna.pk, [DAY, WEEK], LATER) == {DAY: 0, WEEK: 0}
    pay(anna, -100, "stake", "match:two", NOW + DAY)
    assert spending.lost(anna.pk, [DAY, WEEK], NOW + DAY) == {DAY: 100, WEEK: 100}


def test_a_refunded_purchase_reduces_no_later_loss_and_can_be_made_again(anna):
    bought = move(anna, -100, "purchase", NOW, reference="board/walnut")
    with write_transaction():
        transfers.reverse(bought.pk, "mistake", None, NOW + DAY)
    assert spending.lost(anna.pk, [DAY, WEEK], NOW + DAY) == {DAY: 0, WEEK: 0}
    move(anna, -100, "purchase", NOW + DAY, reference="board/walnut")
    assert spending.lost(anna.pk, [DAY, WEEK], NOW + DAY) == {DAY: 100, WEEK: 100}


def test_reserved_credits_count_as_lost(anna):
    announcing.announce(anna, announcement(100), NOW)
    assert spending.lost(anna.pk, [DAY], NOW) == {DAY: 100}


def pay(user: User, credits: int, cause: str, reference: str, at: datetime) -> None:
    """Move credits as `move` does; `reference` names the payment or match, also in the key."""
    with write_transaction():
        own, house = accounts.of_user(user.pk), accounts.house(House.BOUGHT)
        amounts = {own.id: credits, house.id: -credits}
        transfers.post(f"{cause}:{reference}", Cause(cause, reference), amounts, at)


def test_refunds_reduce_only_their_own_top_ups(anna):
    pay(anna, 500, "top_up", "one", NOW)
    pay(anna, 300, "top_up", "two", NOW)
    pay(anna, -300, "top_up_refund", "two", LATER)
    pay(anna, 400, "top_up", "old", NOW - DAY)
    pay(anna, -400, "top_up_refund", "old", LATER)
    services.set_limits(anna.pk, {Kind.DEPOSIT_DAY: 800}, LATER)
    checks.check_deposit(anna.pk, 300, LATER)
    with pytest.raises(OwnLimit) as refusal:
        checks.check_deposit(anna.pk, 200, LATER, pending_credits=101)
    assert refusal.value.details == {"limit": 800, "left": 199, "kind": "deposit_day"}


def test_a_late_failure_of_a_refund_counts_at_the_time_of_its_top_up(anna):
    pay(anna, 500, "top_up", "old", NOW - MONTH)
    pay(anna, -500, "top_up_refund", "old", NOW - DAY)
    pay(anna, 500, "top_up_refund_failed", "old", NOW)
    assert spending.deposited(anna.pk, [DAY, MONTH], NOW) == {DAY: 0, MONTH: 0}


def test_a_payment_counts_once_even_if_its_refund_fails_after_its_debt_was_paid(anna):
    pay(anna, 500, "top_up", "one", NOW)  # spent, then refunded: a debt
    pay(anna, 500, "top_up", "two", NOW)
    pay(anna, -500, "top_up_debt", "two", NOW)
    pay(anna, 500, "top_up_refund_failed", "one", LATER)
    assert spending.deposited(anna.pk, [DAY], LATER) == {DAY: 1000}


def test_a_paid_top_up_counts_while_its_credits_wait_for_the_end_of_a_freeze(anna):
    boris = player("boris5")
    pay(anna, 300, "top_up", "one", NOW)
    freeze_credits(NOW)
    with write_transaction():
        own, house = accounts.of_user(anna.pk), accounts.house(House.BOUGHT)
        owed.pay("two", Cause("top_up", "two"), {own.id: 500, house.id: -500}, LATER)
        owed.pay("prize", Cause("stake_payout"), {own.id: 90, house.id: -90}, LATER)
    assert spending.deposited(anna.pk, [DAY], LATER) == {DAY: 800}
    assert spending.deposited(anna.pk, [DAY], LATER + DAY) == {DAY: 0}
    assert spending.deposited(boris.pk, [DAY], LATER) == {DAY: 0}
    Freeze.objects.update(lifted_at=LATER)
    owed.settle_due(LATER)
    assert spending.deposited(anna.pk, [DAY], LATER) == {DAY: 800}


def test_disputed_top_ups_still_count(anna):
    pay(anna, 500, "top_up", "one", NOW)
    pay(anna, -500, "top_up_dispute", "one", LATER)
    assert spending.deposited(anna.pk, [DAY], LATER) == {DAY: 500}


def test_a_loss_limit_is_exact_to_the_credit(anna):
    services.set_limits(anna.pk, {Kind.LOSS_DAY: 150}, NOW)
    move(anna, -50, "stake", NOW)
    assert escrow.objection(anna.pk, 100, LATER) is None
    refusal = escrow.objection(anna.pk, 101, LATER)
    assert refusal is not None
    assert refusal.details == {"limit": 150, "left": 100, "kind": "loss_day"}


def test_a_members_announced_game_does_not_count_against_joining_another(anna):
    services.set_limits(anna.pk, {Kind.LOSS_DAY: 100}, NOW)
    announcing.announce(anna, announcement(100), NOW)
    assert escrow.objection(anna.pk, 100, NOW) is None


def test_the_same_reservation_again_is_not_counted_twice(anna):
    services.set_limits(anna.pk, {Kind.LOSS_DAY: 100}, NOW)
    for _ in range(2):
        with write_transaction():
            escrow.reserve(escrow.ANNOUNCEMENT, "x", [anna.pk], 100, NOW)
    assert funds_of(anna.pk).reserved == 100


# --- What a tighter limit gives back ----------------------------------------------------------


@pytest.mark.parametrize("kind", [Kind.STAKE, Kind.LOSS_DAY, Kind.LOSS_MONTH])
def test_a_limit_below_the_reserved_credits_releases_them(anna, kind):
    announcing.announce(anna, announcement(100), NOW)
    tournament = announced(NOW, fee_credits=200)
    entering.enter(tournament.public_id, anna, NOW)
    services.set_limits(anna.pk, {kind: 199}, LATER)
    assert Seek.objects.get().state == Seek.State.CANCELED
    assert Entrant.objects.get(user=anna).state == Entrant.State.WITHDRAWN
    assert funds_of(anna.pk).reserved == 0
    assert limit_of(anna, kind, LATER) == 199


def test_a_limit_that_allows_the_reserved_credits_leaves_them(anna):
    announcing.announce(anna, announcement(100), NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 100, Kind.LOSS_DAY: 100}, LATER)
    assert funds_of(anna.pk).reserved == 100


def test_a_closed_account_keeps_no_limits(anna):
    services.set_limits(anna.pk, {Kind.STAKE: 100}, NOW)
    services.confirm_age(anna.pk, NOW)
    closing.close(anna.pk, LATER)
    assert not Limit.objects.exists()
    assert not LimitChange.objects.exists()
