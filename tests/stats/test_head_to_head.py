"""Records against opponents: counting, rebuilding, and pages without a query for each opponent."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.members import services as members
from chat.direct import services as messages
from games.engine.sides import Side
from games.models import Match
from stats import head_to_head, views
from stats.models import CountedSeat, OpponentRecord
from stats.services import counting
from tests.accounts.factories import sign_in
from tests.games.factories import StakeSitting
from tests.stats.counted_matches import play_counted
from tests.stats.test_rating_matches import play
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return player("anna5", credits=5000)


@pytest.fixture
def boris():
    return player("boris", credits=5000)


def page(user, name, *args):
    client = Client()
    client.force_login(user)
    return client.get(reverse(name, args=args)).content.decode()


def counts(user, opponent):
    record = head_to_head.record_between(user.pk, opponent.pk)
    return record and (record.met, record.won, record.lost, record.drawn)


def count_changed(match, **changed):
    """Change a finished match, then count it as the worker does."""
    Match.objects.filter(pk=match.pk).update(**changed)
    counting.settle_due(timezone.now())


def test_record_counts_matches_played_as_white_and_as_black(anna, boris):
    play_counted(anna, boris)
    play_counted(anna, boris, Side.BLACK)
    last = play_counted(boris, anna)
    assert counts(anna, boris) == (3, 1, 2, 0)
    assert counts(boris, anna) == (3, 2, 1, 0)
    assert set(OpponentRecord.objects.values_list("last_match", flat=True)) == {last.pk}


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": "void", "winner": ""},
        {"kind": "EXHIBITION", "stake_credits": 0, "rake_credits": 0},
        {"kind": "TRAINING", "stake_credits": 0, "rake_credits": 0},
    ],
)
def test_void_running_exhibition_and_training_matches_are_not_counted(anna, boris, changed):
    count_changed(play(anna, boris), **changed)
    StakeSitting(anna, boris)
    counting.settle_due(timezone.now())
    assert counts(anna, boris) is None
    assert list(head_to_head.matches_between(anna.pk, boris.pk)) == []


def test_a_drawn_match_is_neither_won_nor_lost(anna, boris):
    count_changed(play(anna, boris), outcome="draw", winner="")
    assert counts(anna, boris) == (1, 0, 0, 1)


def test_the_last_match_is_the_last_to_finish_in_any_order_of_counting(anna, boris):
    early, late = (play(anna, boris) for _ in range(2))
    CountedSeat.objects.filter(seat__match=early).update(finished_at=timezone.now())
    counting.settle_due(timezone.now())
    first = CountedSeat.objects.order_by("place").first()
    assert first.seat.match_id == late.pk
    assert set(OpponentRecord.objects.values_list("last_match", flat=True)) == {late.pk}
    assert counting.rebuild().opponents == 0


def test_a_rebuild_mends_missing_wrong_and_stray_records(anna, boris):
    play_counted(anna, boris)
    play_counted(boris, player("clara"))
    before = list(OpponentRecord.objects.order_by("user", "opponent").values_list()[:4])
    assert len(before) == 4
    first, second, _, _ = OpponentRecord.objects.order_by("user", "opponent")
    OpponentRecord.objects.filter(pk=first.pk).update(won=9)
    OpponentRecord.objects.filter(pk=second.pk).delete()
    OpponentRecord.objects.create(
        user=anna, opponent=player("deniz"), won=1, last_match_id=first.last_match_id,
        last_at=first.last_at,
    )  # fmt: skip
    assert counting.rebuild().opponents == 3
    after = list(OpponentRecord.objects.order_by("user", "opponent").values_list())
    assert [row[1:] for row in after] == [row[1:] for row in before]
    assert counting.rebuild().opponents == 0


def test_record_is_shown_on_page_card_and_table(anna, boris):
    play_counted(anna, boris)
    for name in ("people:player", "people:card"):
        shown = page(anna, name, boris.public_id)
        assert "You have met once:" in shown
        assert "1 : 0" in shown
        assert "You have met" not in page(anna, name, anna.public_id)
    running = StakeSitting(boris, anna).match
    assert "1 : 0" in page(anna, "games:match", running.public_id)
    assert "0 : 1" in page(boris, "games:match", running.public_id)
    assert "You have met" not in page(player("third"), "games:match", running.public_id)


def test_opponents_are_listed_latest_first_in_a_constant_number_of_queries(anna, boris):
    def cost():
        with CaptureQueriesContext(connection) as queries:
            page(anna, "stats:opponents")
        return len(queries)

    assert "Nobody yet" in page(anna, "stats:opponents")
    play_counted(anna, boris)
    one = cost()
    for number in range(4):
        play_counted(anna, player(f"other{number}"), Side.BLACK)
    assert cost() == one
    shown = page(anna, "stats:opponents")
    assert shown.index("other3") < shown.index("other0") < shown.index("boris")


@pytest.mark.parametrize("name", ["stats:opponents", "chat:conversations"])
def test_banned_opponent_is_not_offered_a_match(anna, boris, name):
    play_counted(anna, boris)
    messages.send(anna, boris, "Good game", timezone.now())
    offer = f"{reverse('lobby:friend')}?to=boris"
    assert offer in page(anna, name)
    members.ban(boris.pk)
    assert offer not in page(anna, name)


@pytest.mark.parametrize("name", ["stats:opponents", "stats:opponent"])
def test_long_lists_are_paginated(anna, boris, name, monkeypatch):
    monkeypatch.setattr(views, "PAGE_LENGTH", 2)
    people = [boris] * 3 if name == "stats:opponent" else [boris, player("clara"), player("deniz")]
    for person in people:
        play_counted(anna, person)
    args = [boris.public_id] if name == "stats:opponent" else []
    first = page(anna, name, *args)
    older = re.search(r"\?before=\d+", first).group()
    client = sign_in(Client(), anna)
    second = client.get(reverse(name, args=args) + older).content.decode()
    assert "<tr>" in second
    assert first.count("<tr>") == second.count("<tr>") + 1
    assert 'rel="next"' not in second


def test_page_of_an_opponent_lists_matches_and_links_to_neighbors(anna, boris):
    first, last = player("first"), player("last5")
    play_counted(anna, first)
    match = play_counted(anna, boris, Side.BLACK)
    play_counted(anna, last)
    shown = page(anna, "stats:opponent", boris.public_id)
    assert reverse("games:review", args=[match.public_id]) in shown
    assert "0 : 1" in shown
    assert "\u2212100" in shown
    assert reverse("stats:opponent", args=[first.public_id]) in shown
    assert reverse("stats:opponent", args=[last.public_id]) in shown
    assert "You have not met yet" in page(anna, "stats:opponent", player("nobody").public_id)
