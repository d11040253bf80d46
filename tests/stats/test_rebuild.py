"""A rebuild of all ratings gives the same numbers, even if matches end meanwhile."""

from threading import Thread

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.shared.transactions import write_transaction
from games.engine.sides import Side
from games.models import Match
from stats.models import RatedMatch, Rating, RatingChange
from stats.selectors import last_changes
from stats.services import rating
from stats.services.rebuilding import CHECKING, rebuild
from tests.games.factories import StakeSitting
from tests.stats.test_rating_matches import places_of, play, stored_ratings
from tests.support.patience import PATIENCE_S
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def test_a_rebuild_gives_the_same_numbers():
    people = [player(login, 5000) for login in ("anna5", "boris", "clara")]
    for number in range(9):
        white, black = people[number % 3], people[(number + 1) % 3]
        winner = Side.WHITE if number % 2 else Side.BLACK
        play(white, black, winner, turns=1 + number % 4, length=1 + number % 3)
    rating.rate_waiting(timezone.now())
    before = stored_ratings()
    call_command("rebuildstats")
    assert stored_ratings() == before


def test_a_rebuild_shows_its_progress_and_what_differs(capsys):
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    call_command("rebuildstats")
    assert "Rated 1 matches: 0 ratings differ, 0 logs" in capsys.readouterr().out
    right = Rating.objects.get(user=anna).rating
    Rating.objects.filter(user=anna).update(rating=right + 5)
    Rating.objects.filter(user=boris).delete()
    call_command("rebuildstats")
    shown = capsys.readouterr().out
    assert "checked 1 of 1" in shown
    assert "rated 1 of 1" in shown
    assert f"anna5 short: {right + 5} -> {right}" in shown
    assert "boris short: none -> " in shown
    assert "2 ratings differ" in shown


def test_a_rebuild_names_a_match_whose_log_gives_another_result(capsys):
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris)
    rating.rate_waiting(timezone.now())
    match.refresh_from_db()
    assert match.winner == "white"
    Match.objects.filter(pk=match.pk).update(winner="black")
    with pytest.raises(SystemExit):
        call_command("rebuildstats")
    assert f"{match.public_id}: the log does not give" in capsys.readouterr().err
    assert Rating.objects.get(user=boris).won == 1  # by the stored result, as the stakes were paid


def test_changes_are_listed_latest_first_before_and_after_a_rebuild():
    anna, boris = player("anna5", 5000), player("boris", 5000)
    for _ in range(4):
        play(anna, boris)
        rating.rate_waiting(timezone.now())
    assert places_of(anna) == [4, 3, 2, 1]
    first = RatedMatch.objects.get(place=1)
    RatedMatch.objects.filter(pk=first.pk).update(place=9)
    call_command("rebuildstats")
    assert places_of(anna) == [9, 4, 3, 2]


def test_rebuild_writes_only_the_rows_that_differ():
    people = [player(login, 5000) for login in ("anna5", "boris", "clara")]
    for number in range(4):
        play(people[number % 3], people[(number + 1) % 3])
    rating.rate_waiting(timezone.now())
    right, ids = (
        stored_ratings(),
        list(RatingChange.objects.order_by("pk").values_list("pk", flat=True)),
    )
    with CaptureQueriesContext(connection) as caught:
        rebuild()
    writes = ("INSERT INTO", "UPDATE", "DELETE FROM")
    assert [q["sql"] for q in caught if q["sql"].startswith(writes)] == []
    wrong = RatingChange.objects.order_by("rated__place").first()
    RatingChange.objects.filter(pk=wrong.pk).update(change=wrong.change + 7)
    rebuild()
    assert stored_ratings() == right
    assert list(RatingChange.objects.order_by("pk").values_list("pk", flat=True)) == ids


def test_missing_changes_and_those_of_a_wrong_member_are_corrected_in_the_order_of_rating():
    anna, boris, clara = player("anna5", 5000), player("boris", 5000), player("clara", 5000)
    for _ in range(3):
        play(anna, boris)
    rating.rate_waiting(timezone.now())
    right = stored_ratings()
    of_anna = RatingChange.objects.filter(user=anna)
    of_anna.get(rated__place=2).delete()
    of_anna.filter(rated__place=1).update(user=clara)
    Rating.objects.create(user=clara, variant="short", rating=1700)
    rebuild()
    assert stored_ratings() == right
    assert places_of(anna) == [3, 2, 1]


def test_last_matches_of_both_variants_are_in_the_order_of_rating_after_a_rebuild():
    anna, boris = player("anna5", 5000), player("boris", 5000)
    for variant in ("short", "long", "short", "long"):
        play(anna, boris, variant=variant)
    rating.rate_waiting(timezone.now())
    RatingChange.objects.get(user=anna, rated__place=1).delete()
    rebuild()
    assert [change.rated.place for change in last_changes(anna.pk)] == [4, 3, 2, 1]


@pytest.mark.django_db(transaction=True)
def test_a_match_ends_and_is_rated_while_a_rebuild_computes():
    anna, boris, clara = player("anna5", 5000), player("boris", 5000), player("clara", 5000)
    play(anna, boris, length=3)
    last = StakeSitting(boris, clara).sit().start_game().both_move(1)
    rating.rate_waiting(timezone.now())
    wrong = RatingChange.objects.get(user=boris)
    RatingChange.objects.filter(pk=wrong.pk).update(change=wrong.change + 7)
    Rating.objects.filter(user=boris).update(rating=1700)
    writers = []

    def finish_and_rate():
        try:
            with write_transaction():
                last.do("resign_match", side=Side.WHITE)
            assert rating.rate_waiting(timezone.now()) == 1
            writers.append("done")
        finally:
            connections.close_all()

    def write_meanwhile(what, done, total):
        if what != CHECKING and not writers:
            writer = Thread(target=finish_and_rate, daemon=True)
            writer.start()
            writer.join(PATIENCE_S)
            assert writers == ["done"], "the rebuild held the writer"

    found = rebuild(write_meanwhile)
    assert found.matches == 2
    assert {each.login for each in found.differences} == {"boris", "clara"}
    before = stored_ratings()
    assert rebuild().differences == []
    assert stored_ratings() == before
    assert Rating.objects.get(user=boris).lost == 2
