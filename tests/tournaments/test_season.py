"""Points of the season follow from the places; a rebuild computes the same points."""

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.members import services as membership
from accounts.models import User
from games.engine.sides import Side
from tests.tournaments.factories import (
    Table,
    TournamentRun,
    announced,
    enter,
    members,
    settle,
)
from tournaments.models import Entrant, SeasonPoints, Tournament
from tournaments.pages.outcome import outcome_of
from tournaments.pages.record import TournamentRecord, record_of
from tournaments.services import season, staff
from tournaments.services.timeline import Ruling

pytestmark = pytest.mark.django_db
PAGE = reverse("tournaments:season")


def points(run: TournamentRun) -> dict[str, tuple[int, int]]:
    rows = SeasonPoints.objects.filter(entrant__tournament=run.tournament)
    return {row.entrant.user.username: (row.place, row.points) for row in rows}


@pytest.mark.parametrize(
    ("month", "code"), [(1, "2026-1"), (3, "2026-1"), (4, "2026-2"), (12, "2026-4")]
)
def test_a_season_is_a_quarter(month: int, code: str) -> None:
    assert season.season_of(datetime(2026, month, 28, tzinfo=UTC)) == code


def test_a_knockout_gives_points_by_place() -> None:
    run = TournamentRun(8).start().play()
    found = sorted(points(run).values())
    assert found == [(1, 10), (2, 7), (3, 5), (3, 5), (5, 3), (5, 3), (5, 3), (5, 3)]


def test_only_those_who_played_and_stayed_get_points() -> None:
    run = TournamentRun(5, absent=1, format="ROUND_ROBIN").start()
    run.play_round()
    banned = run.users[1]
    assert membership.ban(banned.pk)
    run.play()
    assert points(run).keys() == {user.username for user in run.users[2:]}


@pytest.mark.parametrize("fields", [{"size": 3}, {"size": 4, "is_unfinished": True}], ids=str)
def test_small_and_unfinished_tournaments_give_no_points(fields: dict[str, int]) -> None:
    run = TournamentRun(fields["size"]).start()
    if not fields.get("is_unfinished"):
        run.play()
    assert not SeasonPoints.objects.exists()


def test_rebuildseasons_finds_the_same_points_and_repairs_wrong_ones() -> None:
    runs = [TournamentRun(4, format=format).start().play() for format in ("KNOCKOUT", "SWISS")]
    before = [points(run) for run in runs]
    assert _rebuilt() == "Counted 2 tournaments: 0 differed.\n"
    SeasonPoints.objects.filter(entrant__tournament=runs[0].tournament).update(points=99)
    SeasonPoints.objects.filter(entrant__tournament=runs[1].tournament).delete()
    assert "2 differed" in _rebuilt()
    assert [points(run) for run in runs] == before


def _rebuilt() -> str:
    out = io.StringIO()
    call_command("rebuildseasons", stdout=out)
    return out.getvalue()


def test_the_page_shows_the_points_and_marks_the_readers_row(client: Client) -> None:
    run = TournamentRun(4).start().play()
    winner = SeasonPoints.objects.get(place=1).entrant.user
    client.force_login(winner)
    text = client.get(PAGE).content.decode()
    assert "Your place: 1, with 10 points." in text
    assert text.count('class="own"') == 1
    assert all(user.username in text for user in run.users)


def test_an_empty_season_says_so_and_links_to_older_ones(client: Client) -> None:
    assert "Nobody has points yet" in client.get(PAGE).content.decode()
    TournamentRun(4).start().play()
    SeasonPoints.objects.update(season="2025-2")
    text = client.get(PAGE).content.decode()
    assert "Nobody has points yet" in text
    assert 'href="?season=2025-2"' in text
    for asked in ("2025-2", "all"):
        assert "leaderboard-list" in client.get(PAGE, {"season": asked}).content.decode()
    assert "Nobody has points yet" in client.get(PAGE, {"season": "no"}).content.decode()


@pytest.mark.parametrize("change", [{"closed_at": timezone.now()}, {"is_active": False}])
def test_a_closed_or_banned_account_is_not_listed(client: Client, change: dict[str, Any]) -> None:
    run = TournamentRun(4).start().play()
    user = run.users[0]
    assert user.username in client.get(PAGE).content.decode()
    User.objects.filter(pk=user.pk).update(**change)
    assert user.username not in client.get(PAGE).content.decode()


def test_queries_of_the_page_do_not_grow_with_the_tournaments(
    client: Client, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    TournamentRun(4).start().play()
    with django_assert_max_num_queries(8) as first:
        client.get(PAGE)
        count = len(first)
    TournamentRun(8).start().play()
    assert Tournament.objects.filter(state="FINISHED").count() == 2
    with django_assert_num_queries(count):
        client.get(PAGE)


def test_a_record_counts_the_places_of_all_tournaments() -> None:
    run = TournamentRun(2).start().play()  # too few for points of the season
    assert not SeasonPoints.objects.exists()
    winner = run.tournament.prizes.get().entrant.user
    loser = next(user for user in run.users if user != winner)
    assert record_of(winner.pk, None) == TournamentRecord(played=1, won=1, best=1)
    assert record_of(loser.pk, None) == TournamentRecord(played=1, won=0, best=2)


def test_a_record_takes_stored_and_computed_places_together() -> None:
    run = TournamentRun(4).start().play()
    third = SeasonPoints.objects.filter(place=3).first()
    assert third is not None
    user = third.entrant.user
    assert record_of(user.pk, None) == TournamentRecord(played=1, won=0, best=3)
    final = announced(run.now, min_entrants=2, fee_credits=0)
    enter(final, [user, *members(1)], run.now)
    now = final.starts_at
    settle(now)
    table = Table(final.rounds.get().fixtures.get().match, now)
    table.win(table.side_of(user).other)
    settle(now)
    assert record_of(user.pk, None) == TournamentRecord(played=2, won=0, best=2)


def test_a_record_without_tournaments_has_no_best_place() -> None:
    assert record_of(members(1)[0].pk, None) == TournamentRecord(played=0, won=0, best=None)


def run_whose_best_is_removed(size: int) -> TournamentRun:
    """Play a free round robin of three rounds; staff remove its best player after the last win."""
    run = TournamentRun(size, format="ROUND_ROBIN", fee_credits=0).start()

    def better(table: Table) -> Side:
        return table.side_of(min(table.users.values(), key=run.users.index))

    run.play_round(better)
    run.play_round(better)
    for table in run.tables():
        table.win(better(table))
    removed = Entrant.objects.get(user=run.users[0])
    assert staff.remove(removed.pk, Ruling("Two accounts", run.users[0].pk), run.now)
    settle(run.now)
    run.tournament.refresh_from_db()
    return run


def test_a_removed_entrant_leaves_the_places_to_those_who_stayed(client: Client) -> None:
    run = run_whose_best_is_removed(4)
    removed, first, second, third = run.users
    finished = run.tournament.timeline.get(event="FINISHED")
    assert finished.detail["winners"] == [first.pk]
    page = client.get(reverse("tournaments:tournament", args=[run.tournament.public_id]))
    sheet = page.context["sheet"]
    assert [entrant.user for entrant in sheet.winners] == [first]
    assert [(line.place, line.entrant.user) for line in sheet.table] == [
        (1, first), (2, second), (3, third), (None, removed)
    ]  # fmt: skip
    assert points(run) == {
        first.username: (1, 10), second.username: (2, 7), third.username: (3, 5)
    }  # fmt: skip
    assert "0 differed" in _rebuilt()
    assert record_of(first.pk, None) == TournamentRecord(played=1, won=1, best=1)
    assert record_of(removed.pk, None) == TournamentRecord(played=1, won=0, best=None)
    own = Entrant.objects.get(user=second)
    outcome = outcome_of(own.as_first.first() or own.as_second.first(), second)
    assert outcome.text == "The tournament is over: your place is 2 of 4."


def test_a_computed_place_is_among_those_who_stayed() -> None:
    removed, first, second = run_whose_best_is_removed(3).users
    assert not SeasonPoints.objects.exists()
    assert record_of(first.pk, None) == TournamentRecord(played=1, won=1, best=1)
    assert record_of(second.pk, None) == TournamentRecord(played=1, won=0, best=2)
    assert record_of(removed.pk, None) == TournamentRecord(played=1, won=0, best=None)


def test_the_statistics_of_a_removed_entrant_show_a_dash_as_the_best_place(client: Client) -> None:
    removed = run_whose_best_is_removed(3).users[0]
    client.force_login(removed)
    page = client.get(reverse("stats:statistics", args=[removed.public_id])).content.decode()
    assert "<dt>Best place</dt><dd>–</dd>" in page
