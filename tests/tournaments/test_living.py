"""Play whole tournaments through the services and the worker's deadlines."""

from collections import Counter
from dataclasses import replace

import pytest

from games.engine.sides import Side
from games.models import Commitment
from stats.models import RatedMatch
from tests.tournaments.factories import Table, TournamentRun
from tests.wallet.factories import assert_books_balance, balance, house, total_of
from tournaments.draw import commitment
from tournaments.exports.draw_file import check_draw, draw_file
from tournaments.models import Entrant, Fixture, Prize, TimelineEntry, Tournament
from tournaments.selectors import played_rounds
from tournaments.services import staff
from tournaments.services.timeline import Ruling
from wallet.models import Account
from wallet.money import House

pytestmark = pytest.mark.django_db
Event, Cause, State = TimelineEntry.Event, Fixture.Cause, Tournament.State


def events(tournament) -> Counter:
    return Counter(tournament.timeline.values_list("event", flat=True))


def pot_of(tournament) -> int:
    return Account.objects.get(code=tournament.reference).balance_credits


def test_a_tournament_of_eight_with_two_absent_runs_from_announcement_to_payout() -> None:
    run = TournamentRun(8, absent=2)
    assert Commitment.objects.count() == 8
    assert {total_of(user) for user in run.users} == {1000}
    run.start()
    assert run.tournament.state == State.RUNNING
    assert Commitment.objects.count() == 0
    assert pot_of(run.tournament) == 800
    assert {total_of(user) for user in run.users} == {900}
    run.play()
    assert run.tournament.state == State.FINISHED
    prize = Prize.objects.get()
    assert (prize.credits, prize.paid_at) == (800, run.now)
    winner = prize.entrant.user
    assert winner not in run.absent
    assert sorted(total_of(user) for user in run.users) == [900] * 7 + [1700]
    assert total_of(winner) == 1700
    assert pot_of(run.tournament) == 0
    assert_books_balance()


def test_timeline_of_a_tournament_is_complete() -> None:
    run = TournamentRun(8, absent=2).start().play()
    played = Fixture.objects.filter(second__isnull=False).count()
    found = events(run.tournament)
    free = Fixture.objects.filter(cause=Cause.FREE).count()
    assert found[Event.ENTERED] == 8
    assert found[Event.TABLE_OPENED] == found[Event.RESULT] == played
    assert played + free in (6, 7)
    assert found[Event.ROUND_STARTED] == 3
    for event in (Event.ANNOUNCED, Event.DRAWN, Event.FINISHED, Event.PAID):
        assert found[event] == 1
    results = run.tournament.timeline.filter(event=Event.RESULT)
    assert {entry.detail["cause"] for entry in results} <= set(Cause.values)


def test_absent_entrants_lose_by_a_technical_defeat_that_is_not_rated() -> None:
    run = TournamentRun(4, absent=1).start().play()
    technical = Fixture.objects.get(cause=Cause.ABSENT)
    absent = Entrant.objects.get(user__in=run.absent)
    assert technical.winner_id not in (None, absent.pk)
    played = Fixture.objects.filter(cause=Cause.PLAYED)
    rated = set(RatedMatch.objects.values_list("match", flat=True))
    assert rated == set(played.values_list("match", flat=True))


def test_the_draw_follows_from_the_secret_committed_before_entry_closed() -> None:
    run = TournamentRun(5)
    before = run.tournament.commitment
    assert run.tournament.secret == ""
    run.start().play()
    secret = bytes.fromhex(run.tournament.secret)
    assert commitment(secret) == before
    numbers = {pk: number for number, pk in enumerate(run.tournament.entrant_ids, 1)}
    rounds = [
        tuple(
            replace(
                each,
                first=numbers[each.first],
                second=numbers.get(each.second),
                winner=numbers.get(each.winner),
            )
            for each in played
        )
        for played in played_rounds(run.tournament)
    ]
    data = draw_file(
        tournament_id=run.tournament.public_id,
        kind=run.tournament.format,
        secret=secret,
        entrants=[user.username for user in run.users],
        rounds=rounds,
    )
    checked = check_draw(data)
    assert (checked.is_over, checked.faults) == (True, ())


@pytest.mark.parametrize("format", ["ROUND_ROBIN", "SWISS"])
@pytest.mark.parametrize("size", [4, 5])
def test_round_robin_and_swiss_tournaments_are_played_and_paid(format: str, size: int) -> None:
    run = TournamentRun(size, format=format).start()
    strongest = run.users[-1]

    def wins(table: Table) -> Side:
        return table.side_of(strongest) if strongest in table.users.values() else Side.WHITE

    for _ in range(size):
        run.play_round(wins)
    assert run.tournament.state == State.FINISHED
    paid = sum(Prize.objects.values_list("credits", flat=True))
    assert paid == 100 * size
    assert not Prize.objects.filter(paid_at__isnull=True).exists()
    met = Fixture.objects.filter(second__isnull=False)
    beaten = {each.second if each.winner == each.first else each.first for each in met}
    unbeaten = {each.user for each in Entrant.objects.all() if each not in beaten}
    winners = {prize.entrant.user for prize in Prize.objects.all()}
    if (format, size) == ("SWISS", 5):  # the draw may keep two entrants unbeaten
        assert strongest in unbeaten
        assert winners <= unbeaten
    else:
        assert winners == unbeaten == {strongest}
    assert pot_of(run.tournament) == 0
    assert_books_balance()


def test_two_absences_in_a_row_withdraw_an_entrant_of_a_round_robin() -> None:
    run = TournamentRun(5, absent=1, format="ROUND_ROBIN").start().play()
    entrant = Entrant.objects.get(user__in=run.absent)
    assert entrant.state == Entrant.State.OUT
    own = Fixture.objects.filter(first=entrant) | Fixture.objects.filter(second=entrant)
    paired = own.filter(second__isnull=False).order_by("round")
    assert list(paired.values_list("cause", flat=True)) == [
        Cause.ABSENT, Cause.ABSENT, Cause.WITHDRAWN, Cause.WITHDRAWN,
    ]  # fmt: skip
    assert events(run.tournament)[Event.LEFT_OUT] == 1


def test_a_walkover_between_two_absences_does_not_keep_an_entrant_in() -> None:
    run = TournamentRun(4, format="ROUND_ROBIN").start()
    own, other = run.open_fixtures()  # their first entrants meet in round 2
    run.absent = {own.first.user}
    assert staff.remove(other.first_id, Ruling("Two accounts", run.users[0].pk), run.now)
    run.play()
    met = Fixture.objects.filter(first=own.first) | Fixture.objects.filter(second=own.first)
    assert list(met.order_by("round").values_list("cause", flat=True)) == [
        Cause.ABSENT, Cause.WITHDRAWN, Cause.ABSENT,
    ]  # fmt: skip
    assert Entrant.objects.get(pk=own.first_id).state == Entrant.State.OUT


@pytest.mark.parametrize("begins", [False, True])
def test_a_fixture_decided_by_staff_counts_only_if_its_match_began(begins: bool) -> None:
    run = TournamentRun(4, format="ROUND_ROBIN").start()
    own, other = run.open_fixtures()  # their first entrants meet in round 2
    user = own.first.user
    run.absent = {user}
    run.play_round()
    if begins:
        next(each for each in run.tables() if user in each.users.values()).sit().start_game()
    assert staff.remove(other.first_id, Ruling("Two accounts", run.users[0].pk), run.now)
    run.play()
    met = Fixture.objects.filter(first=own.first) | Fixture.objects.filter(second=own.first)
    assert list(met.order_by("round").values_list("cause", flat=True)) == [
        Cause.ABSENT, Cause.STAFF, Cause.ABSENT,
    ]  # fmt: skip
    assert not met.filter(match=None).exists()
    is_out = Entrant.objects.get(pk=own.first_id).state == Entrant.State.OUT
    assert is_out is not begins


def test_both_finalists_absent_split_the_prize() -> None:
    run = TournamentRun(4, fee_credits=0, prize_credits=301).start()
    run.play_round()
    run.absent = set(run.users)
    run.play()
    prizes = Prize.objects.order_by("entrant")
    assert [prize.credits for prize in prizes] == [151, 150]
    final = Fixture.objects.order_by("-round__number").first()
    assert {prize.entrant_id for prize in prizes} == {final.first_id, final.second_id}
    assert final.cause == Cause.BOTH_ABSENT
    assert balance(house(House.TOURNAMENTS)) == (-301, 0)
    assert_books_balance()


def test_all_entrants_share_the_prize_if_nobody_comes() -> None:
    run = TournamentRun(4, absent=4).start().play()
    assert {total_of(user) for user in run.users} == {1000}
    assert run.tournament.state == State.FINISHED


def test_the_house_takes_its_part_of_the_fees() -> None:
    run = TournamentRun(2, house_percent=10, fee_credits=55).start().play()
    assert Prize.objects.get().credits == 99
    assert balance(house(House.TOURNAMENTS)) == (11, 0)
    assert run.tournament.state == State.FINISHED


def test_the_site_pays_a_fixed_prize_and_gets_the_fees() -> None:
    TournamentRun(2, prize_credits=150, fee_credits=100).start().play()
    assert Prize.objects.get().credits == 150
    assert balance(house(House.TOURNAMENTS)) == (50, 0)


def test_a_tournament_without_fee_and_prize_pays_nothing() -> None:
    run = TournamentRun(2, fee_credits=0).start().play()
    assert run.tournament.state == State.FINISHED
    assert not Prize.objects.exists()
