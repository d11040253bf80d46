"""The parts of the home page that show a game, and count members and games."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.people import presence
from games.engine.match.state import Phase
from games.models import Match
from games.services import voiding
from lobby.showcase import LEAST_ACTIONS, RECENT, activity, showcase
from tests.games.factories import FriendlySitting, StakeSitting
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def in_play(is_public: bool = True) -> FriendlySitting:
    sitting = FriendlySitting(is_public=is_public, length=3)
    sitting.sit().start_game().play_until(Phase.TO_PLAY)
    return sitting


def played_out() -> FriendlySitting:
    sitting = in_play()
    while sitting.seq < LEAST_ACTIONS:
        sitting.act_simply()
    sitting.do("resign_match")
    assert sitting.state.phase is Phase.FINISHED
    return sitting


def shown_id() -> str | None:
    shown = showcase(timezone.now())
    return shown.match.public_id if shown else None


def part() -> str:
    caches["pages"].clear()
    return Client().get(reverse("lobby:showcase")).content.decode()


def test_home_without_any_match_has_an_empty_showcase() -> None:
    page = Client().get(reverse("home"))
    assert page.status_code == 200
    assert 'class="showcase is-empty"' in page.content.decode()
    assert reverse("lobby:friend") in page.content.decode()


def test_a_game_in_play_is_shown_with_its_dice_and_leads_to_the_table() -> None:
    sitting = in_play()
    text = part()
    assert reverse("games:match", args=[sitting.public_id]) in text
    assert text.count("die-body") == 2
    assert text.count("checker-body") == 30


@pytest.mark.parametrize("why", ["private", "delayed", "not begun"])
def test_a_game_that_visitors_may_not_see_now_is_not_shown(why: str, settings: Any) -> None:
    settings.WATCH_DELAY_STAKE = 50
    if why == "private":
        in_play(is_public=False)
    elif why == "not begun":
        FriendlySitting(is_public=True)
    else:
        sitting = StakeSitting(player("white5"), player("black5"), stake=100, length=3)
        sitting.sit().start_game().play_until(Phase.TO_PLAY)
        assert sitting.match.is_delayed
    assert shown_id() is None


def test_a_game_in_play_comes_before_a_match_that_is_over() -> None:
    over = played_out()
    assert shown_id() == over.public_id
    assert reverse("games:review", args=[over.public_id]) in part()
    live = in_play()
    assert shown_id() == live.public_id


def test_a_void_a_short_and_an_old_match_are_not_shown() -> None:
    void = in_play()
    while void.seq < LEAST_ACTIONS:
        void.act_simply()
    with transaction.atomic():
        voiding.call_off(void.public_id, timezone.now())
    assert void.state.phase is Phase.FINISHED
    short = in_play()
    short.do("resign_match")
    old = Match.objects.get(public_id=played_out().public_id)
    old.created_at -= RECENT
    old.save(update_fields=["created_at"])
    assert shown_id() is None


def test_activity_counts_members_games_and_open_games() -> None:
    now = timezone.now()
    presence.touch(player("anna55").pk, now)
    presence.touch(player("boris5").pk, now - timedelta(minutes=5))
    in_play()
    in_play(is_public=False)
    SeekFactory(owner=player("clara5"))
    found = activity(timezone.now())
    assert (found.members, found.games, found.open_games) == (1, 1, 1)
    text = Client().get("/en/").content.decode()
    assert "1 member here" in text
    assert "1 game in progress" in text
    assert "1 open game" in text


def count_queries() -> int:
    caches["pages"].clear()
    with CaptureQueriesContext(connection) as found:
        assert Client().get(reverse("home")).status_code == 200
    return len(found)


def test_home_needs_as_many_queries_for_many_games_as_for_one() -> None:
    names = iter("abcdef")

    def begin() -> None:
        name = next(names)
        people = player(f"{name}white"), player(f"{name}black")
        StakeSitting(*people, stake=10, length=3).sit().start_game()

    begin()
    one = count_queries()
    for _ in range(4):
        begin()
    assert count_queries() == one


def test_parts_of_the_home_page_are_cached_for_the_next_visitors() -> None:
    in_play()
    count_queries()
    with CaptureQueriesContext(connection) as found:
        Client().get(reverse("home"))
    assert not [each for each in found if "games_match" in each["sql"]]
