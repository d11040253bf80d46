"""Wishes for games: matching, frequency of notices, and the page."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import EmailWish, Notice, NoticeKind, Preferences, Presence, User
from accounts.people import blocks
from accounts.shared.refusals import Refused
from games.conduct.record import suspension_of
from games.engine.rules import Rules
from games.models import Strike
from games.models.actor import Actor
from games.stakes.limits import stake_limit
from lobby.models import NewGame, Seek, WishedGame
from lobby.services import announcing, searching, wish_matching, wishing
from lobby.services.wishing import MOST, Wanted
from stats.models import Rating
from tests.accounts.factories import member
from tests.config.credits import set_credits
from tests.games.factories import MatchFactory, StakeSitting, give_history
from tests.lobby.factories import announcement
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

NOON = datetime(2030, 5, 4, 12, 30, tzinfo=UTC)


@pytest.fixture
def anna() -> User:
    return player("anna5")


@pytest.fixture
def boris() -> User:
    user = player("boris")
    give_history(user)
    return user


def announce(owner: User, now: datetime = NOON, **more: Any) -> Seek:
    return announcing.announce(owner, announcement(**more), now)


def is_notified(owner: User, wanted: Wanted, by: User, now: datetime = NOON, **game: Any) -> bool:
    """Announce a game after one wish; return whether the wish's owner gets a nudge or a notice."""
    wish = wishing.wish(owner, wanted, now)
    announce(by, now, **game)
    wish_matching.settle_due(now)
    assert not NewGame.objects.exists()
    wish.refresh_from_db()
    return wish.told_at == now


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), True),
        (Wanted(variant="short"), True),
        (Wanted(variant="long"), False),
        (Wanted(least_stake=100, most_stake=100), True),
        (Wanted(least_stake=101), False),
        (Wanted(most_stake=99), False),
        (Wanted(is_friendly=True), False),
        (Wanted(from_hour=12, until_hour=13), True),
        (Wanted(from_hour=13, until_hour=12), False),
        (Wanted(from_hour=22, until_hour=13), True),
    ],
)
def test_only_a_game_that_fits_gives_a_notice(anna, boris, wanted: Wanted, expected: bool) -> None:
    zone = {"time_zone": "Etc/UTC", "keeps_time_zone": True}
    Preferences.objects.filter(user=boris).update(**zone)
    assert is_notified(boris, wanted, anna, stake=100) is expected


def test_hours_are_those_of_the_members_zone(anna, boris) -> None:
    zone = {"time_zone": "Asia/Tokyo", "keeps_time_zone": True}  # 21:30 there
    Preferences.objects.filter(user=boris).update(**zone)
    assert is_notified(boris, Wanted(from_hour=21, until_hour=22), anna)


def test_games_that_the_member_cannot_join_give_no_notice(anna, boris) -> None:
    assert not is_notified(boris, Wanted(), boris)
    Seek.objects.update(state="CANCELED", closed_at=NOON)
    assert not is_notified(boris, Wanted(), anna, least_rating=3000)
    Seek.objects.update(state="CANCELED", closed_at=NOON)
    assert not is_notified(boris, Wanted(), player("rich5", 5000), stake=2000)
    blocks.block(anna.pk, boris.pk, NOON)
    assert not is_notified(boris, Wanted(), anna)


def test_credits_reserved_for_the_members_own_game_count_as_available(anna, boris) -> None:
    announce(boris, stake=950)
    assert is_notified(boris, Wanted(), anna, stake=100)


@pytest.mark.parametrize(
    ("rating", "expected"),
    [("1599.49", False), ("1599.5", True), ("1600.49", True), ("1600.5", False)],
)
def test_the_rating_range_includes_the_rating_as_pages_show_it(
    anna, boris, rating: str, expected: bool
) -> None:
    Rating.objects.create(user=boris, variant="short", rating=Decimal(rating))
    assert is_notified(boris, Wanted(), anna, least_rating=1600, most_rating=1600) is expected


def test_newcomers_get_notices_of_stakes_that_they_may_play(anna) -> None:
    newcomer = member("newcomer5")
    assert not is_notified(newcomer, Wanted(), anna, stake=100)
    Seek.objects.update(state="CANCELED", closed_at=NOON)
    assert is_notified(newcomer, Wanted(), anna, stake=20)


def test_newcomers_get_notices_of_stakes_up_to_what_they_have_earned(anna) -> None:
    newcomer = member("newcomer5")
    set_credits(newcomer, 160)  # 60 more than the welcome credits
    assert stake_limit(newcomer.pk) == 60
    assert not is_notified(newcomer, Wanted(), anna, stake=61)
    Seek.objects.update(state="CANCELED", closed_at=NOON)
    assert is_notified(newcomer, Wanted(), anna, stake=60)


def suspend(user: User, now: datetime = NOON) -> datetime:
    """Give the member two strikes; return the end of the suspension."""
    for _ in range(2):
        kind = Strike.Kind.NO_START
        Strike.objects.create(user=user, match=MatchFactory(), kind=kind, created_at=now)
    until = suspension_of(user.pk, now)
    assert until is not None
    return until


def test_a_suspended_member_gets_no_notice_of_a_game_for_credits(anna, boris) -> None:
    until = suspend(boris)
    assert not is_notified(boris, Wanted(), anna)
    assert is_notified(boris, Wanted(), player("cem55"), until)


def test_a_suspended_member_gets_notices_of_friendly_games(anna, boris) -> None:
    suspend(boris)
    wish = wishing.wish(boris, Wanted(is_friendly=True), NOON)
    choice = searching.Choice(Rules.of("long", length=1, delay_ms=30_000))
    searching.start(Actor(user_id=anna.pk), choice, NOON)
    wish_matching.settle_due(NOON)
    wish.refresh_from_db()
    assert wish.told_at == NOON


def test_a_player_with_a_stake_match_gets_no_notice(anna, boris) -> None:
    StakeSitting(boris, player("third"))
    assert not is_notified(boris, Wanted(), anna)


def test_a_game_by_link_gives_no_notice(anna, boris) -> None:
    wishing.wish(boris, Wanted(), NOON)
    announce(anna, access=Seek.Access.LINK)
    assert not NewGame.objects.exists()


def test_without_wishes_nothing_waits_for_the_worker(anna, boris) -> None:
    wishing.wish(boris, Wanted(), NOON - wishing.LIFETIME)
    announce(anna)
    assert not NewGame.objects.exists()


def test_a_friendly_search_is_shown_with_a_way_to_play(anna, boris) -> None:
    now = timezone.now()
    wishing.wish(boris, Wanted(is_friendly=True), now)
    rules = Rules.of("long", length=1, delay_ms=30_000)
    searching.start(Actor(user_id=anna.pk), searching.Choice(rules), now)
    wish_matching.settle_due(now)
    page = browser(boris).get("/profile/").content.decode()
    assert "Somebody is waiting for a friendly match: Long nardy to 1 point." in page
    form = browser(boris).get("/play/now/?variant=long&length=1").context["form"]
    assert (form.initial["variant"], form.initial["length"]) == ("long", 1)


def test_a_wish_gives_one_notice_an_hour(anna, boris) -> None:
    assert is_notified(boris, Wanted(), anna)
    soon = NOON + wish_matching.TOLD_EVERY - timedelta(minutes=1)
    assert not is_notified(boris, Wanted(), player("cem55"), soon)
    assert is_notified(boris, Wanted(), player("deniz"), soon + timedelta(minutes=1))


def test_pages_show_the_game_while_it_waits(anna, boris) -> None:
    now = timezone.now()
    assert is_notified(boris, Wanted(), anna, now, stake=50)
    seek = Seek.objects.get()
    page = browser(boris).get("/profile/").content.decode()
    assert "A game you asked for: anna5, Short backgammon to" in page
    assert f"/play/{seek.public_id}/" in page
    Seek.objects.update(state="CANCELED", closed_at=now)
    assert "A game you asked for" not in browser(boris).get("/profile/").content.decode()


@pytest.mark.parametrize("is_here", [True, False])
def test_the_notice_is_for_members_who_are_away(anna, boris, is_here: bool) -> None:
    EmailWish.objects.create(user=boris, kind=NoticeKind.WISHED_GAME)
    if is_here:
        Presence.objects.update_or_create(user=boris, defaults={"seen_at": NOON})
    assert is_notified(boris, Wanted(), anna)
    paths = list(Notice.objects.values_list("user", "kind", "path"))
    path = f"/play/{Seek.objects.get().public_id}/"
    assert paths == ([] if is_here else [(boris.pk, NoticeKind.WISHED_GAME, path)])


def test_the_queries_do_not_grow_with_the_wishes(
    anna, boris, django_assert_num_queries: Any, django_assert_max_num_queries: Any
) -> None:
    for number in range(6):
        user = player(f"wisher{number}")
        give_history(user)
        wishing.wish(user, Wanted(), NOON)
    seek = announce(anna)
    with django_assert_num_queries(1):
        assert len(wish_matching.fitting(seek, NOON)) == 6
    with django_assert_max_num_queries(12):
        wish_matching.settle_due(NOON)


def test_a_game_that_is_over_gives_no_notice(anna, boris) -> None:
    wishing.wish(boris, Wanted(), NOON)
    announce(anna)
    Seek.objects.update(state="CANCELED", closed_at=NOON)
    wish_matching.settle_due(NOON)
    assert WishedGame.objects.get().told_at is None


# --- the page ------------------------------------------------------------------------------------

FORM = {"variant": "", "is_friendly": "False", "from_hour": "18", "until_hour": "23"}


def test_wishes_are_made_renewed_and_deleted(boris) -> None:
    client = browser(boris)
    assert client.post("/play/wishes/", {**FORM, "least_stake": "50"}).status_code == 302
    wish = WishedGame.objects.get()
    assert "Stake: 50 credits or more" in client.get("/play/wishes/").content.decode()
    WishedGame.objects.update(expires_at=NOON - timedelta(days=9000))
    assert "Ended" in client.get("/play/wishes/").content.decode()
    client.post("/play/wishes/", {"renew": wish.public_id})
    wish.refresh_from_db()
    assert wish.expires_at > timezone.now() + timedelta(days=29)
    third = browser(player("third"))
    assert third.post("/play/wishes/", {"renew": wish.public_id}).status_code == 404
    browser(player("fourth")).post("/play/wishes/", {"delete": wish.public_id})
    assert WishedGame.objects.exists()
    client.post("/play/wishes/", {"delete": wish.public_id})
    assert not WishedGame.objects.exists()


def test_a_friendly_wish_has_no_stake(boris) -> None:
    browser(boris).post("/play/wishes/", {**FORM, "is_friendly": "True", "least_stake": "5"})
    wish = WishedGame.objects.get()
    assert (wish.is_friendly, wish.least_stake) == (True, None)


def test_a_range_whose_least_exceeds_its_most_is_refused(boris) -> None:
    answer = browser(boris).post("/play/wishes/", {**FORM, "least_stake": "50", "most_stake": "20"})
    assert (answer.status_code, answer.headers["Refusal"]) == (422, "invalid")


def test_the_number_of_wishes_is_limited_and_a_repeated_wish_stored_once(boris) -> None:
    for hour in range(MOST):
        wishing.wish(boris, Wanted(from_hour=hour), NOON)
        wishing.wish(boris, Wanted(from_hour=hour), NOON)
    with pytest.raises(Refused, match="wishes_full"):
        wishing.wish(boris, Wanted(from_hour=20), NOON)
    assert WishedGame.objects.count() == MOST


def test_the_lobby_links_to_the_page_of_wishes(boris) -> None:
    assert "/play/wishes/" in browser(boris).get("/play/").content.decode()
    assert "/play/wishes/" in browser(boris).get("/play/list/").content.decode()
    assert "/play/wishes/" not in Client().get("/play/").content.decode()


def test_wishes_are_deleted_with_the_account(boris) -> None:
    wishing.wish(boris, Wanted(), NOON)
    closing.close(boris.pk, NOON)
    assert not WishedGame.objects.exists()
