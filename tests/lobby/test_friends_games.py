"""Games for friends, which are hidden from everyone else; online friends in the lobby."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Presence, Profile, User
from accounts.people import blocks, friends
from accounts.shared.refusals import Refused
from games.models.actor import Actor
from games.protocol.snapshots import presence_frames
from lobby import selectors
from lobby.joinable import joinable_ids
from lobby.models import NewGame, Seek
from lobby.services import announcing, joining, pairs, searching, wish_matching, wishing
from lobby.services.wishing import Wanted
from tests.accounts.factories import staff
from tests.games.factories import StakeSitting, give_history
from tests.lobby.factories import announcement
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def owner() -> User:
    return player("owner5")


@pytest.fixture
def friend(owner) -> User:
    friend = player("friend5")
    befriend(owner, friend)
    return friend


@pytest.fixture
def stranger() -> User:
    return player("stranger5")


@pytest.fixture
def seek(owner, friend) -> Seek:
    return announcing.announce(owner, announcement(access=Seek.Access.FRIENDS), timezone.now())


def befriend(one: User, other: User) -> None:
    friends.ask(one.pk, other.pk, timezone.now())
    friends.accept(other.pk, one.pk, timezone.now())


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def page_of(user: User, name: str = "lobby:lobby", *args: Any) -> str:
    return browser_of(user).get(reverse(name, args=args)).content.decode()


def refusal_of(seek: Seek, user: User) -> str:
    with pytest.raises(Refused) as refusal:
        joining.join(seek.public_id, user, timezone.now())
    return refusal.value.code


# --- The game --------------------------------------------------------------------------------


def test_the_lists_show_the_game_to_friends_and_the_owner_only(seek, owner, friend, stranger):
    now = timezone.now()
    for viewer in (owner, friend):
        assert list(selectors.open_seeks(viewer, now)) == [seek]
    for other in (stranger, None, staff("staff5")):
        assert not selectors.open_seeks(other, now).exists()
    assert joinable_ids(friend, now) == [seek.pk]
    assert not joinable_ids(stranger, now)
    address = reverse("lobby:seek", args=[seek.public_id])
    for name in ("lobby:lobby", "lobby:list"):
        assert address in page_of(friend, name)
        assert "for friends" in page_of(friend, name)
        assert address not in page_of(stranger, name)
        assert address not in Client().get(reverse(name)).content.decode()


def test_the_address_opens_for_friends_and_the_owner_only(seek, owner, friend, stranger):
    address = reverse("lobby:seek", args=[seek.public_id])
    assert browser_of(friend).get(address).status_code == 200
    assert "Only your friends see this game" in page_of(owner, "lobby:seek", seek.public_id)
    assert browser_of(stranger).get(address).status_code == 404
    assert Client().get(address).status_code == 404


def test_a_stranger_cannot_join_and_is_answered_as_for_an_unknown_game(seek, friend, stranger):
    assert refusal_of(seek, stranger) == "gone"
    answer = browser_of(stranger).post(
        reverse("lobby:join", args=[seek.public_id]), {"confirmed": "1"}
    )
    nothing = browser_of(stranger).post(
        reverse("lobby:join", args=["nothing12345"]), {"confirmed": "1"}
    )
    assert answer.headers["Refusal"] == nothing.headers["Refusal"] == "gone"
    assert answer.headers["Location"] == nothing.headers["Location"]
    assert joining.join(seek.public_id, friend, timezone.now()).seats.count() == 2


def test_the_two_players_find_their_table_after_the_friendship_ended(seek, owner, friend, stranger):
    match = joining.join(seek.public_id, friend, timezone.now())
    friends.remove(owner.pk, friend.pk, timezone.now())
    table = reverse("games:match", args=[match.public_id])
    address = reverse("lobby:seek", args=[seek.public_id])
    for user in (owner, friend):
        assert browser_of(user).get(address).headers["Location"] == table
    assert browser_of(stranger).get(address).status_code == 404


@pytest.mark.parametrize("end", [friends.remove, blocks.block])
def test_the_game_is_gone_for_a_former_friend(seek, owner, friend, end):
    end(owner.pk, friend.pk, timezone.now())
    assert not selectors.open_seeks(friend, timezone.now()).exists()
    assert refusal_of(seek, friend) == "gone"


def test_a_pending_friend_request_gives_no_access_to_the_game(seek, owner, stranger):
    friends.ask(stranger.pk, owner.pk, timezone.now())
    assert refusal_of(seek, stranger) == "gone"
    assert not selectors.open_seeks(stranger, timezone.now()).exists()


def test_play_now_joins_no_game_for_friends(seek, owner, friend, stranger):
    for user in (friend, stranger):
        choice = searching.Choice(seek.match_rules, seek.stake_credits)
        searching.start(Actor(user_id=user.pk), choice, timezone.now())
    pairs.settle_due(timezone.now() + timedelta(seconds=5))
    seek.refresh_from_db()
    assert seek.state == Seek.State.OPEN


def test_only_wishes_of_friends_find_the_game(owner, friend, stranger):
    now = timezone.now()
    for user in (friend, stranger):
        give_history(user)
        wishing.wish(user, Wanted(), now)
    seek = announcing.announce(owner, announcement(access=Seek.Access.FRIENDS), now)
    assert [wish.owner for wish in wish_matching.fitting(seek, now)] == [friend]
    wish_matching.settle_due(now)
    assert not NewGame.objects.exists()
    assert len(selectors.wished_games_of(friend, now)) == 1
    friends.remove(owner.pk, friend.pk, now)
    assert not selectors.wished_games_of(friend, now)


def test_the_form_creates_a_game_for_friends_if_the_member_has_a_friend(owner):
    data = {"variant": "short", "length": 1, "stake": 25, "access": "FRIENDS", "confirmed": "1"}
    answer = browser_of(owner).post(reverse("lobby:announce"), data)
    assert answer.status_code == 422
    assert "You have no friends on the site yet" in answer.content.decode()
    befriend(owner, player("friend5"))
    page = browser_of(owner).post(reverse("lobby:announce"), {**data, "confirmed": ""})
    assert "Only friends of the game’s creator" in page.content.decode()
    answer = browser_of(owner).post(reverse("lobby:announce"), data)
    made = Seek.objects.get()
    assert answer.headers["Location"] == reverse("lobby:seek", args=[made.public_id])
    assert made.access == Seek.Access.FRIENDS


def test_the_lists_need_as_many_queries_for_many_friends_as_for_few(owner, friend):
    browser, counts = browser_of(owner), []
    for count in (2, 6):
        for number in range(count):
            other = player(f"f{count}x{number}x")
            befriend(owner, other)
            Presence.objects.create(user=other, seen_at=timezone.now())
            announcing.announce(other, announcement(access=Seek.Access.FRIENDS), timezone.now())
        browser.get(reverse("lobby:list"))
        with CaptureQueriesContext(connection) as queries:
            browser.get(reverse("lobby:list"))
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- Friends who are here --------------------------------------------------------------------

HERE = "Your friends here now"


def test_the_lobby_names_the_friends_who_are_here(owner, friend, stranger):
    assert HERE not in page_of(owner)
    for user in (friend, stranger):
        Presence.objects.create(user=user, seen_at=timezone.now())
    page = page_of(owner)
    part = page[page.index(HERE) : page.index("Here now", page.index(HERE) + len(HERE))]
    assert "friend5" in part
    assert "stranger5" not in part
    assert HERE not in page_of(stranger)
    assert HERE not in Client().get(reverse("lobby:lobby")).content.decode()


def test_a_friend_who_hides_being_online_is_seen_by_staff_only(owner, friend):
    Presence.objects.create(user=friend, seen_at=timezone.now())
    Profile.objects.filter(user=friend).update(shows_online=False)
    assert HERE not in page_of(owner)
    for name in ("people:player", "people:card"):
        assert "Online now" not in page_of(owner, name, friend.public_id)
        assert "Online now" in page_of(staff("staff5" + name[-1]), name, friend.public_id)
    assert not selectors.members_here(owner, timezone.now()).filter(pk=friend.pk).exists()


def test_the_opponent_at_the_table_still_sees_a_hidden_player(owner, friend):
    match, now = StakeSitting(owner, friend).match, timezone.now()
    shown = presence_frames([match.public_id], now)
    Profile.objects.filter(user=friend).update(shows_online=False)
    assert presence_frames([match.public_id], now) == shown
    assert shown[match.public_id] is not None
