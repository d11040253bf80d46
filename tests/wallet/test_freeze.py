"""Credits freeze if the ledger is inconsistent; play goes on, payouts wait for the lift."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.db import connections
from django.db.models import F
from django.urls import reverse, reverse_lazy
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from config.background import deadlines
from games.engine.sides import Side
from games.services import heartbeat
from lobby.services import announcing, ending, joining
from shop.models import LedgerCount
from shop.services import counting, gifts
from tests.accounts.factories import sign_in, staff
from tests.games.factories import StakeSitting, give_history
from tests.lobby.factories import announcement
from tests.support.patience import new_barrier
from tests.tournaments.factories import TournamentRun, announced, enter, members
from tests.wallet.factories import assert_books_balance, freeze_credits, player
from tournaments import states
from wallet import reconciliation
from wallet.models import Account, Freeze, Transfer, WaitingPayment
from wallet.selectors import funds_of
from wallet.services import freezing, owed, transfers, welcome
from wallet.services.corrections import correct

LIFT = "/admin/wallet/freeze/"
STATEMENT = reverse_lazy("wallet:statement")
HOUR = timedelta(hours=1)
pytestmark = [pytest.mark.django_db, pytest.mark.both]


class Mismatch:
    """A balance that differs from its entries, and the freeze that the hourly count begins."""

    def __init__(self) -> None:
        self.now = timezone.now()
        self.account = Account.objects.get(user=player("spoiled5", credits=500))
        self._spoil(-7)
        counting.settle_due(self.now)
        self.freeze = Freeze.objects.get()

    def repair(self) -> None:
        self._spoil(7)
        assert_books_balance()

    def lift(self, by: User) -> None:
        assert freezing.lift(self.freeze, by.pk, "found", self.now)

    def _spoil(self, credits: int) -> None:
        rows = Account.objects.filter(pk=self.account.pk)
        rows.update(balance_credits=F("balance_credits") + credits)


@pytest.fixture
def person():
    return staff("person1")


@pytest.fixture
def frozen(person):
    """Freeze the credits; the books are in order again at the end."""
    mismatch = Mismatch()
    yield mismatch
    account = Account.objects.get(pk=mismatch.account.pk)
    if account.balance_credits == 493:  # the test has not repaired it
        mismatch.repair()


def code_of(act, *args):
    with pytest.raises(Refused) as refusal, write_transaction():
        act(*args)
    return refusal.value.code


def test_books_that_agree_freeze_nothing():
    player("annika")
    counting.settle_due(timezone.now())
    assert not Freeze.objects.exists()


def test_the_count_freezes_credits_once_and_emails_those_who_can_lift_the_freeze(frozen, settings):
    assert (frozen.freeze.differences, Freeze.objects.count()) == (1, 1)
    assert "493, not 500" in frozen.freeze.report
    counting.settle_due(frozen.now + HOUR)
    assert Freeze.objects.count() == 1
    assert LedgerCount.objects.count() == 2
    assert len(mail.outbox) == 1
    assert "493, not 500" in mail.outbox[0].body
    assert settings.SITE_URL + LIFT in mail.outbox[0].body


def test_announcing_joining_gifts_and_entries_are_refused_while_credits_are_frozen(person):
    anna, boris, poor = player("anna5"), player("boris5"), player("poor5", credits=3)
    now = timezone.now()
    seek = announcing.announce(anna, announcement(), now)
    tournament, (member,) = announced(now), members(1)
    frozen = Mismatch()
    before = Transfer.objects.count()
    assert code_of(announcing.announce, boris, announcement(), now) == "credits_frozen"
    assert code_of(joining.join, seek.public_id, boris, now) == "credits_frozen"
    assert code_of(gifts.take, poor, now) == "credits_frozen"
    assert code_of(enter, tournament, [member], now) == "credits_frozen"
    assert Transfer.objects.count() == before
    ending.cancel(seek.public_id, anna, now)
    assert funds_of(anna.pk).reserved == 0
    frozen.repair()
    frozen.lift(person)
    assert announcing.announce(boris, announcement(), now)


def test_a_match_ends_with_its_pot_unpaid_and_is_paid_after_the_lift(person, client):
    anna, boris = player("anna5", credits=200), player("boris5", credits=200)
    sitting = StakeSitting(anna, boris, stake=100).sit().start_game().both_move()
    frozen = Mismatch()
    sitting.do("resign_match", side=Side.BLACK)
    sitting.match.refresh_from_db()
    assert sitting.match.is_finished
    assert (funds_of(anna.pk).available, funds_of(boris.pk).available) == (100, 100)
    assert owed.settle_due(frozen.now) is None
    assert funds_of(anna.pk).available == 100
    sign_in(client, anna)
    page = client.get(STATEMENT).content.decode()
    assert "+190" in page
    assert "Credits are frozen" in page
    frozen.repair()
    frozen.lift(person)
    owed.settle_due(frozen.now)
    assert (funds_of(anna.pk).available, funds_of(boris.pk).available) == (290, 100)
    assert WaitingPayment.objects.get().paid_at == frozen.now
    assert "+190" in client.get(STATEMENT).content.decode()
    assert "Credits are frozen" not in client.get(STATEMENT).content.decode()


def test_a_void_match_gives_its_stakes_back_after_the_lift(person):
    anna, boris = player("anna5", credits=200), player("boris5", credits=200)
    sitting = StakeSitting(anna, boris, stake=100).sit()
    frozen = Mismatch()
    sitting.do("leave", side=Side.BLACK)
    assert funds_of(anna.pk).available == 100
    frozen.repair()
    frozen.lift(person)
    owed.settle_due(frozen.now)
    assert (funds_of(anna.pk).available, funds_of(boris.pk).available) == (200, 200)


def test_a_tournament_is_played_while_frozen_and_pays_after_the_lift(person):
    run = TournamentRun(4)
    frozen = Mismatch()
    run.start().play()
    assert run.tournament.state == states.FINISHED
    assert sorted(funds_of(user.pk).total for user in run.users) == [900] * 4
    frozen.repair()
    frozen.lift(person)
    owed.settle_due(run.now)
    assert sorted(funds_of(user.pk).total for user in run.users) == [900, 900, 900, 1300]


def test_welcome_credits_wait_and_are_given_once_after_the_lift(person):
    new = player("new5", credits=0)
    frozen = Mismatch()
    for _ in range(2):
        with write_transaction():
            assert welcome.give(new.pk, frozen.now) is None
    assert funds_of(new.pk).total == 0
    frozen.repair()
    frozen.lift(person)
    owed.settle_due(frozen.now)
    with write_transaction():
        welcome.give(new.pk, frozen.now)
    assert funds_of(new.pk).total == welcome.PART_CREDITS


def test_the_page_that_closes_an_account_warns_of_credits_that_wait(frozen, client):
    new = player("new5", credits=0)
    sign_in(client, new)
    warning = "100 credits will come once our team has checked the books."
    assert warning not in client.get(reverse("people:close")).content.decode()
    with write_transaction():
        welcome.give(new.pk, frozen.now)
    assert warning in client.get(reverse("people:close")).content.decode()


def test_staff_can_correct_while_credits_are_frozen(person):
    account = Account.objects.get(user=player("anna5", credits=100))
    frozen = Mismatch()
    with write_transaction():
        correct("k1", account.pk, 7, "Lost by us.", person.pk, frozen.now)
    assert funds_of(account.user_id).available == 107
    frozen.repair()


def test_lifting_a_freeze_needs_a_reason_and_the_permission_and_is_logged(frozen, person, client):
    def lift(reason):
        data = {"action": "lift", "_selected_action": frozen.freeze.pk, "reason": reason}
        return client.post(LIFT, {**data, "confirmed": "yes"}, follow=True).status_code

    sign_in(client, person)
    assert client.get(f"{LIFT}{frozen.freeze.pk}/change/").status_code == 200
    assert lift("") == 422
    frozen.freeze.refresh_from_db()
    assert frozen.freeze.lifted_at is None
    User.objects.filter(pk=person.pk).update(is_superuser=False)
    lift("Without the right")
    frozen.freeze.refresh_from_db()
    assert frozen.freeze.lifted_at is None
    User.objects.filter(pk=person.pk).update(is_superuser=True)
    assert lift("A wrong import") == 200
    frozen.freeze.refresh_from_db()
    assert (frozen.freeze.lifted_by, frozen.freeze.reason) == (person, "A wrong import")
    assert LogEntry.objects.get().change_message == "Freeze lifted: A wrong import"


def test_differences_known_at_the_lift_do_not_freeze_again_and_new_ones_do(frozen, person):
    frozen.lift(person)
    counting.settle_due(frozen.now + HOUR)
    assert Freeze.objects.count() == 1
    other = Account.objects.get(user=player("other5", credits=10))
    Account.objects.filter(pk=other.pk).update(balance_credits=9)
    counting.settle_due(frozen.now + 2 * HOUR)
    assert Freeze.objects.filter(lifted_at=None).count() == 1
    Account.objects.filter(pk=other.pk).update(balance_credits=10)


def test_a_known_difference_stays_known_while_its_account_is_used(frozen, person):
    frozen.lift(person)
    with write_transaction():
        correct("k1", frozen.account.pk, 7, "Not what removes it.", person.pk, frozen.now)
    counting.settle_due(frozen.now + HOUR)
    assert Freeze.objects.count() == 1
    frozen.repair()


def test_a_difference_stays_known_when_another_is_mended_and_is_new_when_it_comes_back(person):
    other = Account.objects.filter(user=player("other5", credits=10))
    other.update(balance_credits=9)
    frozen = Mismatch()
    assert frozen.freeze.differences == 2
    frozen.lift(person)
    other.update(balance_credits=10)
    counting.settle_due(frozen.now + HOUR)
    assert Freeze.objects.count() == 1
    frozen.repair()
    counting.settle_due(frozen.now + 2 * HOUR)
    other.update(balance_credits=9)
    counting.settle_due(frozen.now + 3 * HOUR)
    assert Freeze.objects.filter(lifted_at=None).count() == 1
    other.update(balance_credits=10)


@pytest.mark.parametrize(("same_differences", "freezes"), [(True, 1), (False, 2)])
def test_a_freeze_lifted_under_the_previous_version_is_known_by_its_hash(
    frozen, person, same_differences, freezes
):
    frozen.lift(person)
    report = Freeze.objects.get().report if same_differences else "something else"
    Freeze.objects.update(known=None, digest=hashlib.sha256(report.encode()).hexdigest())
    for hours in (1, 2):
        counting.settle_due(frozen.now + hours * HOUR)
    assert Freeze.objects.count() == freezes


def test_owed_transfers_are_due_only_after_the_lift(person):
    heartbeat.beat(timezone.now(), heartbeat.WORKER)
    anna, boris = player("anna5"), player("boris5")
    sitting = StakeSitting(anna, boris).sit().start_game()
    frozen = Mismatch()
    sitting.do("resign_match", side=Side.BLACK)
    assert owed.OWED not in deadlines.read()
    frozen.repair()
    frozen.lift(person)
    assert owed.OWED in deadlines.read()
    owed.settle_due(frozen.now)
    assert owed.OWED not in deadlines.read()


def test_a_payout_is_owed_if_a_freeze_begins_while_it_waits_for_its_locks(person, monkeypatch):
    anna, boris, now = player("anna5", credits=100), player("boris5", credits=100), timezone.now()
    ids = [Account.objects.get(user=user).pk for user in (anna, boris)]
    lock = transfers.lock

    def freeze_first(account_ids):
        if not Freeze.objects.exists():
            freeze_credits(now)
        return lock(account_ids)

    monkeypatch.setattr(transfers, "lock", freeze_first)
    with write_transaction():
        amounts = {ids[0]: -60, ids[1]: 60}
        assert owed.pay("one", transfers.Cause("trial"), amounts, now) is None
    assert owed.is_waiting("one")
    assert (funds_of(anna.pk).available, funds_of(boris.pk).available) == (100, 100)
    assert freezing.lift(Freeze.objects.get(), person.pk, "found", now)
    owed.settle_due(now)
    assert (funds_of(anna.pk).available, funds_of(boris.pk).available) == (40, 160)


def test_an_owed_transfer_that_fails_waits_and_does_not_stop_others(person, caplog):
    anna, boris = player("anna5", credits=100), player("boris5", credits=100)
    frozen = Mismatch()
    ids = [Account.objects.get(user=user).pk for user in (anna, boris)]
    cause = transfers.Cause("trial")
    with write_transaction():
        owed.pay("one", cause, {ids[0]: -60, ids[1]: 60}, frozen.now)
        owed.pay("two", cause, {ids[0]: -50, ids[1]: 50}, frozen.now)
        owed.pay("three", cause, {ids[1]: -10, ids[0]: 10}, frozen.now)
    frozen.repair()
    frozen.lift(person)
    again_at = owed.settle_due(frozen.now)
    assert again_at is not None
    assert funds_of(anna.pk).available == 50
    assert "payment not made" in caplog.text
    assert owed.settle_due(again_at) is None
    assert (funds_of(anna.pk).available, funds_of(boris.pk).available) == (0, 200)


@pytest.mark.django_db(transaction=True)
def test_many_workers_post_an_owed_transfer_once():
    by = staff("person1")
    anna, boris = player("anna5"), player("boris5")
    give_history(anna)
    sitting = StakeSitting(anna, boris).sit().start_game()
    frozen = Mismatch()
    sitting.do("resign_match", side=Side.BLACK)
    frozen.repair()
    frozen.lift(by)
    start = new_barrier(8)

    def settle(_: int) -> None:
        start.wait()
        owed.settle_due(frozen.now)
        connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(settle, range(8)))
    assert funds_of(anna.pk).available == 1090
    assert Transfer.objects.filter(cause="stake_payout").count() == 1
    assert not reconciliation.reconcile().differences
