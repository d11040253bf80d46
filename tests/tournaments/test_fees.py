"""Compare random entries, starts, ends and decisions with a small model: no fee is lost.

Hypothesis interleaves the steps of three members and two tournaments. After each step every
member's credits, reserved ones included, are those of the model, and at the end all books balance.
The short form makes 20 runs, the long form 200, of 25 steps each. A fault that shows in one step of
fifty is missed with a probability below one in ten thousand.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from accounts.shared.refusals import Refused
from games.models import Commitment
from games.stakes.escrow import NoCredits
from tests.support.lengths import length
from tests.tournaments.factories import members, plan
from tests.wallet.factories import assert_books_balance
from tournaments import states
from tournaments.models import Entrant, Fixture, Prize, Tournament
from tournaments.services import announcing, ending, entering, rounds, staff, starting
from tournaments.services.timeline import Ruling
from wallet.selectors import funds_of

RUNS, STEPS = length(20, 200), 25
CREDITS = 150  # of each member: too few for both fees
FEES = {"cheap": 60, "dear": 130}
who = st.integers(0, 2)
which = st.sampled_from(list(FEES))


@dataclass
class ModeledTournament:
    """A tournament in the model: its state and the ids of the users who have paid.

    `removed` are the users whom staff removed before the start, so that they cannot enter again.
    """

    fee: int
    state: str = states.ANNOUNCED
    is_extended: bool = False
    payers: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)


class Fees(RuleBasedStateMachine):
    """Steps applied to the services and to the model; `seen` counts the cases that occurred."""

    users: list[User]
    seen: Counter[str]

    def __init__(self) -> None:
        super().__init__()
        self.sandbox = transaction.atomic()
        self.sandbox.__enter__()
        self.now = timezone.now()
        self.ruling = Ruling("Flood", self.users[0].pk)
        self.rows = {name: self._announce(name, fee) for name, fee in FEES.items()}
        self.modeled = {name: ModeledTournament(fee) for name, fee in FEES.items()}
        self.totals = {user.pk: CREDITS for user in self.users}

    def _announce(self, name: str, fee: int) -> Tournament:
        terms = plan(name=name, fee_credits=fee, min_entrants=2, extend_minutes=10)
        return announcing.announce(terms, self.now + timedelta(hours=1), self.now)

    def held(self, user_id: int) -> int:
        announced = [each for each in self.modeled.values() if each.state == states.ANNOUNCED]
        return sum(each.fee for each in announced if user_id in each.payers)

    def starts_at(self, name: str) -> datetime:
        self.rows[name].refresh_from_db()
        return self.rows[name].starts_at

    @rule(number=who, name=which)
    def enter(self, number: int, name: str) -> None:
        user, tournament = self.users[number], self.modeled[name]
        is_new = user.pk not in tournament.payers
        lacks = is_new and self.totals[user.pk] - self.held(user.pk) < tournament.fee
        try:
            entering.enter(self.rows[name].public_id, user, self.now)
        except NoCredits:
            assert (lacks, tournament.state) == (True, states.ANNOUNCED)
            self.seen["no credits"] += 1
        except Refused:
            assert tournament.state != states.ANNOUNCED or user.pk in tournament.removed
        else:
            assert (lacks, tournament.state) == (False, states.ANNOUNCED)
            assert user.pk not in tournament.removed
            tournament.payers.add(user.pk)
            self.seen["entered"] += 1

    @rule(name=which)
    def enter_all(self, name: str) -> None:
        for number in range(len(self.users)):
            self.enter(number, name)

    @rule(number=who, name=which)
    def withdraw(self, number: int, name: str) -> None:
        user, tournament = self.users[number], self.modeled[name]
        try:
            was_in = entering.withdraw(self.rows[name].public_id, user, self.now)
        except Refused:
            assert tournament.state != states.ANNOUNCED
        else:
            assert was_in == (user.pk in tournament.payers)
            tournament.payers.discard(user.pk)
            self.seen["withdrawn"] += was_in

    @rule(name=which, skips=st.integers(0, 3))
    def come_to_the_start(self, name: str, skips: int) -> None:
        tournament = self.modeled[name]
        if len(tournament.payers) < 2 and skips:
            return  # three times in four, or most tournaments would be canceled
        starting.start_or_cancel(self.rows[name].pk, self.starts_at(name))
        if tournament.state != states.ANNOUNCED:
            return
        if len(tournament.payers) >= 2:
            tournament.state = states.RUNNING
            for payer in tournament.payers:
                self.totals[payer] -= tournament.fee
            self.seen["started"] += 1
        elif not tournament.is_extended:
            tournament.is_extended = True
            self.seen["extended"] += 1
        else:
            tournament.state = states.CANCELED
            self.seen["canceled"] += 1

    @precondition(lambda self: any(each.payers for each in self.modeled.values()))
    @rule(name=which, skips=st.integers(0, 5))
    def void(self, name: str, skips: int) -> None:
        tournament = self.modeled[name]
        if skips:
            return  # five times in six, or few tournaments would be played
        was_open = tournament.state in (states.ANNOUNCED, states.RUNNING)
        later = max(self.now, self.starts_at(name))
        assert staff.void(self.rows[name].pk, self.ruling, later) == was_open
        if not was_open:
            return
        if tournament.state == states.RUNNING:
            for payer in tournament.payers:
                self.totals[payer] += tournament.fee
        tournament.state = states.VOID
        self.seen["void"] += 1

    @precondition(lambda self: any(each.payers for each in self.modeled.values()))
    @rule(number=who, name=which)
    def remove(self, number: int, name: str) -> None:
        tournament, user = self.modeled[name], self.users[number]
        rows = Entrant.objects.filter(tournament=self.rows[name], user=user)
        entrant = rows.exclude(state=Entrant.State.WITHDRAWN).first()
        if entrant is not None and staff.remove(entrant.pk, self.ruling, self.starts_at(name)):
            if tournament.state == states.ANNOUNCED:
                tournament.payers.discard(user.pk)
                tournament.removed.add(user.pk)
            self.seen[f"removed {tournament.state}"] += 1

    @precondition(lambda self: any(each.state == states.RUNNING for each in self.modeled.values()))
    @rule(name=which, both_out=st.booleans())
    def decide_and_go_on(self, name: str, both_out: bool) -> None:
        """Decide the open fixtures and advance; after the last round pay each prize twice.

        The second payment must change nothing.
        """
        later, row = self.starts_at(name), self.rows[name]
        fixtures = Fixture.objects.filter(round__tournament=row, finished_at__isnull=True)
        for fixture in fixtures:
            winner = None if both_out else fixture.first_id
            assert staff.adjudicate(fixture.pk, winner, self.ruling, later)
        for found in rounds.finished().filter(tournament=row):
            rounds.advance(found.pk, later)
        row.refresh_from_db()
        if self.modeled[name].state == states.RUNNING and row.state == states.FINISHED:
            self._pay(name, later)

    def _pay(self, name: str, later: datetime) -> None:
        prizes = list(Prize.objects.filter(tournament=self.rows[name]))
        assert sum(prize.credits for prize in prizes) == FEES[name] * len(self.modeled[name].payers)
        for prize in prizes * 2:
            ending.pay(prize.pk, later)
        for prize in prizes:
            self.totals[prize.entrant.user_id] += prize.credits
        self.modeled[name].state = states.FINISHED
        self.seen["paid"] += 1

    @invariant()
    def credits_agree(self) -> None:
        for user in self.users:
            found = funds_of(user.pk)
            assert (found.total, found.reserved) == (self.totals[user.pk], self.held(user.pk))

    @invariant()
    def commitments_are_those_of_open_entries(self) -> None:
        announced = [each for each in self.modeled.values() if each.state == states.ANNOUNCED]
        assert Commitment.objects.count() == sum(len(each.payers) for each in announced)

    def teardown(self) -> None:
        try:
            running = [each for each in self.modeled.values() if each.state == states.RUNNING]
            in_pots = sum(each.fee * len(each.payers) for each in running)
            assert sum(self.totals.values()) + in_pots == CREDITS * len(self.users)
            assert_books_balance()
        finally:
            transaction.set_rollback(True)
            self.sandbox.__exit__(None, None, None)


def reach_each_case() -> None:
    """Reach every case once, since random runs may miss the rare ones."""
    for is_removed in (False, True):
        run = Fees()
        steps = [
            (run.enter_all, "cheap"),
            (run.enter, 0, "dear"),
            (run.withdraw, 1, "cheap"),
            (run.come_to_the_start, "cheap", 0),
            *([(run.remove, 0, "cheap")] if is_removed else []),
            (run.decide_and_go_on, "cheap", False),
            (run.decide_and_go_on, "cheap", False),
            (run.enter, 2, "dear"),
            (run.remove, 2, "dear"),
            (run.come_to_the_start, "dear", 0),
            *([(run.void, "dear", 0)] if is_removed else []),
            (run.come_to_the_start, "dear", 0),
        ]
        for step, *arguments in steps:
            step(*arguments)
            run.credits_agree()
            run.commitments_are_those_of_open_entries()
        run.teardown()


@pytest.mark.slow
@pytest.mark.django_db
def test_no_fee_is_lost_in_any_order_of_steps(monkeypatch) -> None:
    monkeypatch.setattr(Fees, "users", members(3, CREDITS), raising=False)
    monkeypatch.setattr(Fees, "seen", Counter(), raising=False)
    reach_each_case()
    run_state_machine_as_test(
        Fees,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    expected = {
        "entered", "withdrawn", "started", "extended", "canceled", "void", "paid", "no credits",
        "removed ANNOUNCED", "removed RUNNING",
    }  # fmt: skip
    assert expected <= set(Fees.seen), Fees.seen
