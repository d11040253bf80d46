"""Staff void tournaments, adjudicate fixtures and remove entrants; the timeline has the reasons."""

import pytest

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.engine.match.state import MatchCause, Phase
from games.engine.sides import Side
from games.models import Match
from games.services import voiding
from games.stakes.escrow import FEE
from tests.accounts.factories import UserFactory
from tests.games.factories import deal_a_draw
from tests.tournaments.factories import Table, TournamentRun, settle
from tests.wallet.factories import assert_books_balance, total_of
from tournaments.models import Entrant, Fixture, Prize, TimelineEntry, Tournament
from tournaments.pages.texts import of_error
from tournaments.services import entering, staff
from tournaments.services.timeline import Ruling
from tournaments.timeline_texts import timeline_of
from wallet.causes import veto_of
from wallet.models import Transfer

pytestmark = pytest.mark.django_db
State, Event, Cause = Tournament.State, TimelineEntry.Event, Fixture.Cause


@pytest.fixture
def judge() -> User:
    return UserFactory(username="judge", is_staff=True)


@pytest.fixture
def ruling(judge) -> Ruling:
    return Ruling("Broken dice", judge.pk)


def test_a_running_tournament_is_voided_and_every_fee_is_returned(ruling) -> None:
    run = TournamentRun(4).start()
    run.tables()[0].win(run.tables()[0].side)
    assert staff.void(run.tournament.pk, ruling, run.now)
    run.tournament.refresh_from_db()
    assert run.tournament.state == State.VOID
    assert [total_of(user) for user in run.users] == [1000] * 4
    assert not Match.objects.filter(fixture__isnull=False, finished_at__isnull=True).exists()
    assert run.tournament.timeline.get(event=Event.VOID).reason == "Broken dice"
    assert not staff.void(run.tournament.pk, ruling, run.now)
    settle(run.now)
    assert not Prize.objects.exists()
    assert_books_balance()


def test_an_announced_tournament_is_canceled_by_staff(ruling) -> None:
    run = TournamentRun(3)
    assert staff.void(run.tournament.pk, ruling, run.now)
    run.tournament.refresh_from_db()
    assert run.tournament.state == State.CANCELED
    assert run.tournament.timeline.get(event=Event.CANCELED).detail["cause"] == "by_staff"


def test_a_finished_tournament_stays_as_it_is(ruling) -> None:
    run = TournamentRun(2).start().play()
    assert not staff.void(run.tournament.pk, ruling, run.now)
    assert not staff.remove(Entrant.objects.first().pk, ruling, run.now)
    assert not staff.adjudicate(Fixture.objects.first().pk, None, ruling, run.now)


def test_adjudicating_a_fixture_ends_its_match_and_the_tournament_goes_on(ruling) -> None:
    run = TournamentRun(2).start()
    fixture = run.open_fixtures()[0]
    assert staff.adjudicate(fixture.pk, fixture.second_id, ruling, run.now)
    fixture.refresh_from_db()
    assert (fixture.winner_id, fixture.cause) == (fixture.second_id, Cause.STAFF)
    assert fixture.match.outcome == MatchCause.VOID
    settle(run.now)
    assert Prize.objects.get().entrant_id == fixture.second_id
    assert run.tournament.timeline.filter(event=Event.RESULT).count() == 1


def test_a_result_can_be_reversed_until_the_next_round_begins(ruling) -> None:
    run = TournamentRun(4).start()
    table = run.tables()[0]
    table.sit().start_game().play_until(Phase.FINISHED)
    fixture = Fixture.objects.get(match=table.match)
    assert fixture.first_points != fixture.second_points
    other = fixture.second_id if fixture.winner_id == fixture.first_id else fixture.first_id
    assert staff.adjudicate(fixture.pk, other, ruling, run.now)
    fixture.refresh_from_db()
    assert (fixture.winner_id, fixture.cause) == (other, Cause.STAFF)
    assert (fixture.first_points, fixture.second_points) == (0, 0)
    run.play_round()
    assert not staff.adjudicate(fixture.pk, None, ruling, run.now)


@pytest.mark.parametrize("size", [4, 2])
def test_finalists_who_both_lose_get_no_prize_unless_nobody_else_remains(size, ruling) -> None:
    run = TournamentRun(size).start()
    if size > 2:
        run.play_round()
    [final] = run.open_fixtures()
    assert staff.adjudicate(final.pk, None, ruling, run.now)
    settle(run.now)
    run.tournament.refresh_from_db()
    assert run.tournament.state == State.FINISHED
    winners = set(Prize.objects.values_list("entrant", flat=True))
    finalists = {final.first_id, final.second_id}
    assert winners == (set(run.tournament.entrant_ids) - finalists or finalists)
    left_out = run.tournament.timeline.filter(event=Event.LEFT_OUT)
    assert left_out.count() == (2 if size > 2 else 0)
    assert_books_balance()


def test_a_removed_entrant_loses_the_open_fixture_and_the_fee(ruling) -> None:
    run = TournamentRun(4).start()
    fixture = run.open_fixtures()[0]
    removed = fixture.first
    assert staff.remove(removed.pk, ruling, run.now)
    fixture.refresh_from_db()
    assert fixture.winner_id == fixture.second_id
    run.play()
    assert total_of(removed.user) == 900
    assert run.tournament.state == State.FINISHED
    assert not staff.remove(removed.pk, ruling, run.now)


@pytest.mark.parametrize(
    ("is_begun", "fee_credits", "fate"),
    [
        (False, 100, "Your entry fee was returned."),
        (True, 100, "has begun. Only if it is called off, you get it back."),
        (True, 0, None),
    ],
)
def test_a_removed_entrant_reads_why_and_what_happened_to_the_fee(
    is_begun, fee_credits, fate, ruling, mailoutbox
) -> None:
    run = TournamentRun(4, fee_credits=fee_credits)
    if is_begun:
        run.start()
    removed = Entrant.objects.get(user=run.users[0])
    assert staff.remove(removed.pk, ruling, run.now)
    assert not staff.remove(removed.pk, ruling, run.now)
    [email] = mailoutbox
    assert email.to == [removed.user.email]
    assert "removed you from the tournament “Evening cup”" in email.body
    assert "Reason: Broken dice" in email.body
    assert (fate or "Broken dice") in email.body
    assert ("entry fee" in email.body) is (fate is not None)


def test_an_entrant_removed_after_their_win_gives_the_next_opponent_a_walkover(ruling) -> None:
    run = TournamentRun(4).start()
    fixture = run.open_fixtures()[0]
    table = Table(fixture.match, run.now)
    table.win(table.side_of(fixture.first.user))
    assert staff.remove(fixture.first_id, ruling, run.now)
    run.play()
    final = Fixture.objects.order_by("-round__number").first()
    assert final.cause == Cause.WITHDRAWN
    assert Prize.objects.get().entrant_id == final.winner_id != fixture.first_id


def test_the_timeline_names_the_walkover_over_an_entrant_who_was_removed(ruling) -> None:
    run = TournamentRun(4).start()
    fixture = run.open_fixtures()[0]
    table = Table(fixture.match, run.now)
    table.win(table.side_of(fixture.first.user))
    assert staff.remove(fixture.first_id, ruling, run.now)
    run.play()
    final = Fixture.objects.order_by("-round__number").first()
    assert run.tournament.timeline.filter(event=Event.RESULT).last().detail == {
        "round": 2,
        "users": [final.first.user_id, final.second.user_id],
        "winner": final.winner.user_id,
        "cause": Cause.WITHDRAWN,
    }
    winner, removed = final.winner.user.username, fixture.first.user.username
    text = f"Round 2: {winner} won by forfeit; {removed} no longer takes part."
    assert text in [each.text for each in timeline_of(run.tournament)]


def test_the_timeline_names_a_fixture_of_two_entrants_who_are_out(ruling) -> None:
    run = TournamentRun(4, format="ROUND_ROBIN").start()
    for fixture in run.open_fixtures():  # their first entrants meet in round 2
        assert staff.remove(fixture.first_id, ruling, run.now)
    run.play()
    both = Fixture.objects.get(cause=Cause.WITHDRAWN, winner=None)
    players = f"{both.first.user.username} – {both.second.user.username}"
    text = f"Round 2: {players} no longer take part; both lost."
    assert text in [each.text for each in timeline_of(run.tournament)]


@pytest.mark.parametrize("is_voided", [True, False])
def test_a_fee_of_a_tournament_that_is_over_is_corrected_at_the_accounts(is_voided, ruling) -> None:
    run = TournamentRun(2).start()
    fee = Transfer.objects.get(cause=FEE)
    assert veto_of(fee) == (
        "Only the tournament itself can move its credits: void it on its own page."
    )
    assert staff.void(run.tournament.pk, ruling, run.now) if is_voided else run.play()
    over = "The tournament is over: correct the accounts of its players instead."
    assert veto_of(fee) == over


def test_an_entrant_removed_before_the_start_cannot_enter_again(ruling) -> None:
    run = TournamentRun(3)
    entrant = Entrant.objects.first()
    assert staff.remove(entrant.pk, ruling, run.now)
    with pytest.raises(Refused, match="removed") as refusal:
        entering.enter(run.tournament.public_id, entrant.user, run.now)
    assert of_error(refusal.value).startswith("Our team removed you")
    assert total_of(entrant.user) == 1000
    text = f"{entrant.user.username} was excluded by our team and no longer takes part."
    assert timeline_of(run.tournament)[0].text == text


def test_an_entrant_removed_before_the_start_gets_the_fee_back(ruling) -> None:
    run = TournamentRun(3)
    entrant = Entrant.objects.first()
    assert staff.remove(entrant.pk, ruling, run.now)
    assert total_of(entrant.user) == 1000
    entry = run.tournament.timeline.get(event=Event.WITHDREW)
    assert entry.reason == "Broken dice"


def test_a_match_void_by_no_players_fault_is_played_again(ruling) -> None:
    run = TournamentRun(2).start()
    first = run.tables()[0]
    first.sit().start_game()
    with write_transaction():
        voiding.call_off(first.public_id, run.now)
    settle(run.now)
    [again] = run.tables()
    assert again.match != first.match
    assert run.tournament.timeline.filter(event=Event.REPLAY).count() == 1
    run.play()
    assert run.tournament.state == State.FINISHED


def drawn_once(monkeypatch) -> tuple[TournamentRun, Table]:
    """Return a tournament whose only match was drawn, and the table of that match."""
    run = TournamentRun(2, rules={"parity": True})
    deal_a_draw(monkeypatch)
    run.start()
    monkeypatch.undo()
    [table] = run.tables()
    table.sit().start_game().play_until(Phase.FINISHED)
    settle(run.now)
    return run, table


def test_a_deciding_game_to_which_nobody_comes_counts_without_points(monkeypatch) -> None:
    run, _ = drawn_once(monkeypatch)
    run.absent = set(run.users)
    run.play()
    fixture = Fixture.objects.get()
    assert (fixture.cause, fixture.first_points, fixture.second_points) == (
        Cause.BOTH_ABSENT, 0, 0
    )  # fmt: skip


def test_a_drawn_match_is_decided_by_one_game_without_parity(monkeypatch) -> None:
    run, table = drawn_once(monkeypatch)
    fixture = Fixture.objects.get()
    assert (fixture.drawn_match, fixture.finished_at) == (table.match, None)
    assert (fixture.first_points, fixture.second_points) == (1, 1)
    [decider] = run.tables()
    rules = decider.match.match_rules
    assert (rules.length, rules.parity, rules.cube) == (1, False, False)
    assert decider.users[Side.WHITE] == table.users[Side.BLACK]
    run.play()
    assert run.tournament.state == State.FINISHED
    assert run.tournament.timeline.filter(event=Event.DECIDER).count() == 1
