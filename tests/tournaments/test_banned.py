"""A banned member loses in running tournaments and gets back the fees of coming tournaments."""

from typing import Any

import pytest
from django.db.models import Model, QuerySet
from django.test import Client
from django.urls import reverse

from accounts.members import services as membership
from games import match_rows
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import Match
from lobby.models import Seek
from tests.tournaments.factories import Table, TournamentRun, announced, enter, settle
from tests.wallet.factories import assert_books_balance, total_of
from tournaments.models import Entrant, Fixture, Prize, TimelineEntry, Tournament

pytestmark = pytest.mark.django_db
State, Event, Cause = Tournament.State, TimelineEntry.Event, Fixture.Cause


def test_a_banned_members_match_in_play_goes_to_the_opponent() -> None:
    run = TournamentRun(4).start()
    table = run.tables()[0]
    table.sit().start_game()
    banned, opponent = table.users[Side.WHITE], table.users[Side.BLACK]
    assert membership.ban(banned.pk)
    fixture = Fixture.objects.get(match=table.match)
    assert (fixture.winner.user, fixture.cause) == (opponent, Cause.WITHDRAWN)
    assert fixture.match.outcome == MatchCause.VOID
    assert Entrant.objects.get(user=banned).state == Entrant.State.OUT
    left = run.tournament.timeline.get(event=Event.LEFT_OUT)
    assert left.detail == {"user": banned.pk, "cause": "banned"}
    run.play()
    assert run.tournament.state == State.FINISHED
    assert total_of(banned) == 900
    assert_books_balance()
    page = Client().get(reverse("tournaments:tournament", args=[run.tournament.public_id]))
    assert f"{banned.username} was excluded by our team" in page.content.decode()


def test_a_member_banned_before_the_table_opens_gets_no_table() -> None:
    run = TournamentRun(2, format="DOUBLE_ROUND_ROBIN").start()
    table = run.tables()[0]
    table.win(Side.WHITE)
    assert membership.ban(table.users[Side.BLACK].pk)
    settle(run.now)
    run.tournament.refresh_from_db()
    assert run.tournament.state == State.FINISHED
    assert Prize.objects.get().entrant.user == table.users[Side.WHITE]


@pytest.mark.parametrize("format", ["KNOCKOUT", "ROUND_ROBIN", "SWISS"])
def test_a_tournament_whose_entrants_are_all_banned_ends(format: str) -> None:
    run = TournamentRun(3, format=format).start()
    for user in run.users:
        assert membership.ban(user.pk)
    run.play()
    assert run.tournament.state == State.FINISHED
    assert_books_balance()


def test_a_banned_member_leaves_every_tournament_at_once() -> None:
    run = TournamentRun(4).start()
    fixture = run.open_fixtures()[0]
    banned = Table(fixture.match, run.now).users[Side.WHITE]
    coming = announced(run.now)
    enter(coming, [banned], run.now)
    assert total_of(banned) == 900
    assert membership.ban(banned.pk)
    assert not Entrant.objects.filter(user=banned, state=Entrant.State.ENTERED).exists()
    assert coming.entrants.get().hold.state == "RELEASED"
    assert_books_balance()


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> list[type[Model]]:
    """Return the models of the locked rows, in the order of locking.

    The calls are recorded, since queries of SQLite show no locks.
    """
    found: list[type[Model]] = []
    lock_rows, lock_match = QuerySet.select_for_update, match_rows.lock_match

    def noted_rows(rows: QuerySet[Any], **options: Any) -> QuerySet[Any]:
        found.append(rows.model)
        return lock_rows(rows, **options)

    def noted_match(*about: Any) -> Any:
        found.append(Match)
        return lock_match(*about)

    monkeypatch.setattr(QuerySet, "select_for_update", noted_rows)
    monkeypatch.setattr(match_rows, "lock_match", noted_match)
    return found


def test_a_ban_locks_tournaments_then_matches_then_announced_games(
    locked: list[type[Model]],
) -> None:
    run = TournamentRun(2).start()
    locked.clear()
    membership.ban(run.users[0].pk)
    first = dict.fromkeys(each for each in locked if each in (Tournament, Match, Seek))
    assert list(first) == [Tournament, Match, Seek]
