"""Dice of finished matches: each member's seat is counted once; a rebuild counts the logs again."""

from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.models.actor import Actor
from games.services import guests
from games.signals import match_finished
from stats import personal_data
from stats.dice import selectors
from stats.dice.dice_map import DiceMap
from stats.models import CountedSeat, DiceDay, DiceTally
from stats.services import counting
from stats.services.counting import Recounted
from tests.accounts.factories import UserFactory, sign_in
from tests.games.factories import MatchFactory, StakeMatchFactory
from tests.games.played_out import play_out
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    anna, boris = (player(login, credits=1000) for login in ("anna5", "boris5"))
    rules = Rules.of("short", delay_ms=20_000)
    return play_out(StakeMatchFactory(white=anna, black=boris, rules=rules))


def users(match):
    return {seat.side: seat.user for seat in match.seats.select_related("user")}


def rolled(match, side):
    rolls = match.actions.filter(verb="roll", side=side)
    return DiceMap.of_rolls((row.data["d1"], row.data["d2"]) for row in rolls)


def count():
    counting.settle_due(timezone.now())


def test_both_players_dice_are_counted_once(played):
    count()
    count()
    sides = users(played)
    white = selectors.dice_of(sides["white"].pk)
    assert white.first == rolled(played, "white") != DiceMap()
    assert white.second == rolled(played, "black")
    assert selectors.dice_of(sides["black"].pk).first == rolled(played, "black")
    day = DiceDay.objects.get()
    both = [rolled(played, "white").counts, rolled(played, "black").counts]
    assert tuple(day.members) == DiceMap.sum(both).counts
    assert not any(day.computers)


def test_a_match_whose_end_is_announced_twice_is_counted_once(played):
    match_finished.send(None, match_id=played.pk)
    count()
    match_finished.send(None, match_id=played.pk)
    count()
    assert CountedSeat.objects.count() == 2
    assert selectors.dice_of(users(played)["white"].pk).first == rolled(played, "white")


def test_dice_are_filtered_by_variant_and_kind_of_opponent(played):
    count()
    anna = users(played)["white"]
    assert selectors.dice_of(anna.pk, "short", False).first.total
    assert not selectors.dice_of(anna.pk, "long").first.total
    assert not selectors.dice_of(anna.pk, "", True).first.total


def finished_training(**actor):
    match = MatchFactory(player=Actor(**actor), rules=Rules.of("long", length=1))
    match.outcome, match.winner = "points", "white"
    match.phase, match.finished_at = Phase.FINISHED.value, timezone.now()
    match.save()
    match_finished.send(None, match_id=match.pk)
    return match


def test_dice_of_a_guest_are_counted_after_the_guest_becomes_a_member(played):
    guest = uuid4()
    finished_training(guest=guest)
    count()
    assert CountedSeat.objects.filter(place__isnull=False).count() == 2
    newcomer = UserFactory(guest=guest, member=True)
    guests.adopt(guest, newcomer.pk)
    count()
    assert CountedSeat.objects.filter(seat__user=newcomer, place__isnull=False).exists()


def test_a_rebuild_keeps_right_counts_and_corrects_wrong_ones(played, capsys):
    count()
    before = list(DiceTally.objects.order_by("pk").values())
    assert counting.rebuild() == Recounted(0, 0, 0, 0)
    DiceTally.objects.filter(user=users(played)["white"]).update(own=[7] * 36)
    DiceDay.objects.all().delete()
    DiceTally.objects.create(
        user=User.objects.first(), variant="long", is_against_computer=True,
        own=[1] * 36, opponents=[1] * 36,
    )  # fmt: skip
    call_command("rebuildstats")
    output = capsys.readouterr().out
    assert "counted seats: 2 of 2" in output
    assert (
        "3 rows of dice, 0 of achievements, 0 of matches, 0 of opponents and 0 of reviews differ."
        in output
    )
    assert list(DiceTally.objects.order_by("pk").values()) == before
    assert counting.rebuild() == Recounted(0, 0, 0, 0)


def test_the_pages_show_the_numbers_of_rolls(played):
    count()
    anna = users(played)["white"]
    annas = sign_in(Client(), anna)
    own = annas.get("/dice/mine/").content.decode()
    assert f"{rolled(played, 'white').total} rolls" in own
    assert "Too few rolls to judge" in own
    assert (
        "No rolls have been counted" in annas.get("/dice/mine/?against=computer").content.decode()
    )
    assert annas.get("/dice/mine/?variant=x&against=y").status_code == 200
    site = Client().get("/dice/")
    assert "Dice across the site" in site.content.decode()
    assert Client().get("/dice/mine/").status_code == 302


def test_the_public_page_costs_no_query_for_the_next_minute(played, django_assert_num_queries):
    count()
    visitor = Client()
    visitor.get("/dice/")
    with django_assert_num_queries(0):
        visitor.get("/dice/")


def test_the_export_has_the_dice(played):
    count()
    anna = users(played)["white"]
    assert personal_data.of(anna.pk)["dice"][0]["own"] == list(rolled(played, "white").counts)
