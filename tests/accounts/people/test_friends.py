"""Friends: requests, answers, the page, the buttons and the alert."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import selectors
from accounts.closing import services as closing
from accounts.models import Friendship, Presence, User
from accounts.people import blocks, friend_views, friends
from accounts.shared.refusals import Refused
from tests.accounts.factories import member, sign_in, unactivated

pytestmark = pytest.mark.django_db

NOW = timezone.now()
AJAX = {"HX-Request": "true"}


@pytest.fixture
def anna():
    return member("anna5")


@pytest.fixture
def boris():
    return member("boris5")


def befriend(one, other, now=NOW):
    friends.ask(one.pk, other.pk, now)
    friends.accept(other.pk, one.pk, now)


def code_of(action, *args):
    with pytest.raises(Refused) as refusal:
        action(*args)
    return refusal.value.code


def seen(one, other):
    """Return the friendship as each of the two sees it.

    "asked": their own request waits; "asks": the other's request waits; "friends"; "": neither.
    """
    return (
        selectors.friendship_with(one.pk, other.pk),
        selectors.friendship_with(other.pk, one.pk),
    )


# --- The service -----------------------------------------------------------------------------


def test_a_request_is_accepted(anna, boris):
    friends.ask(anna.pk, boris.pk, NOW)
    assert seen(anna, boris) == ("asked", "asks")
    assert not selectors.are_friends(anna.pk, boris.pk)
    friends.accept(boris.pk, anna.pk, NOW)
    assert seen(anna, boris) == ("friends", "friends")
    assert selectors.are_friends(boris.pk, anna.pk)
    assert list(selectors.friends_of(anna)) == [boris]
    assert list(selectors.friends_of(boris)) == [anna]


def test_the_second_of_two_requests_accepts_the_first(anna, boris):
    friends.ask(boris.pk, anna.pk, NOW)
    friends.ask(anna.pk, boris.pk, NOW)
    assert selectors.are_friends(anna.pk, boris.pk)
    assert Friendship.objects.count() == 1


def test_repeated_presses_change_nothing(anna, boris):
    for _ in range(2):
        friends.ask(anna.pk, boris.pk, NOW)
    for _ in range(2):
        friends.accept(boris.pk, anna.pk, NOW)
    friends.ask(anna.pk, boris.pk, NOW)
    assert seen(anna, boris) == ("friends", "friends")
    for _ in range(2):
        friends.remove(anna.pk, boris.pk, NOW)
    assert seen(anna, boris) == ("", "")


def test_a_request_cannot_be_accepted_by_its_asker_or_when_it_is_over(anna, boris):
    friends.ask(anna.pk, boris.pk, NOW)
    assert code_of(friends.accept, anna.pk, boris.pk, NOW) == "gone"
    friends.cancel(anna.pk, boris.pk, NOW)
    friends.cancel(anna.pk, boris.pk, NOW)
    assert code_of(friends.accept, boris.pk, anna.pk, NOW) == "gone"
    assert seen(anna, boris) == ("", "")


def test_a_declined_asker_waits_a_month_and_the_decliner_may_ask_at_once(anna, boris):
    friends.ask(anna.pk, boris.pk, NOW)
    friends.decline(boris.pk, anna.pk, NOW)
    soon = NOW + friends.ASK_AGAIN_AFTER - timedelta(minutes=1)
    assert code_of(friends.ask, anna.pk, boris.pk, soon) == "unavailable"
    friends.ask(boris.pk, anna.pk, NOW)
    assert seen(anna, boris) == ("asks", "asked")
    friends.cancel(boris.pk, anna.pk, NOW)
    friends.ask(anna.pk, boris.pk, NOW)
    friends.decline(boris.pk, anna.pk, NOW)
    friends.ask(anna.pk, boris.pk, NOW + friends.ASK_AGAIN_AFTER + timedelta(minutes=1))
    assert seen(anna, boris) == ("asked", "asks")


def test_an_accepted_request_can_be_neither_declined_nor_canceled(anna, boris):
    befriend(anna, boris)
    assert code_of(friends.decline, boris.pk, anna.pk, NOW) == "gone"
    assert code_of(friends.cancel, anna.pk, boris.pk, NOW) == "gone"


def test_a_removed_friend_cannot_ask_at_once_but_the_remover_can(anna, boris):
    befriend(anna, boris)
    friends.remove(boris.pk, anna.pk, NOW)
    assert code_of(friends.ask, anna.pk, boris.pk, NOW) == "unavailable"
    friends.ask(boris.pk, anna.pk, NOW)
    assert seen(boris, anna) == ("asked", "asks")


def test_a_blocked_player_cannot_ask_and_does_not_learn_why(anna, boris):
    blocks.block(boris.pk, anna.pk, NOW)
    assert code_of(friends.ask, anna.pk, boris.pk, NOW) == "unavailable"
    assert code_of(friends.ask, boris.pk, anna.pk, NOW) == "blocked"
    assert not Friendship.objects.exists()


def test_blocking_ends_friendship_and_requests_of_both(anna, boris):
    befriend(anna, boris)
    blocks.block(anna.pk, boris.pk, NOW)
    assert not selectors.are_friends(anna.pk, boris.pk)
    cem = member("cem555")
    friends.ask(cem.pk, anna.pk, NOW)
    blocks.block(anna.pk, cem.pk, NOW)
    assert code_of(friends.accept, anna.pk, cem.pk, NOW) == "gone"
    assert selectors.requests_of(anna.pk) == ([], [])


def test_asking_needs_two_members(anna):
    newcomer = unactivated("newcomer5")
    assert code_of(friends.ask, newcomer.pk, anna.pk, NOW) == "not_member"
    assert code_of(friends.ask, anna.pk, newcomer.pk, NOW) == "unavailable"
    assert code_of(friends.ask, anna.pk, anna.pk, NOW) == "oneself"


def test_requests_of_a_day_are_limited(anna, boris, monkeypatch):
    monkeypatch.setattr(friends, "MOST_ASKED", 1)
    friends.ask(anna.pk, boris.pk, NOW)
    friends.cancel(anna.pk, boris.pk, NOW)
    cem = member("cem555")
    assert code_of(friends.ask, anna.pk, cem.pk, NOW) == "many_requests"
    friends.ask(anna.pk, cem.pk, NOW + friends.PERIOD + timedelta(minutes=1))
    assert seen(anna, cem) == ("asked", "asks")


def test_the_number_of_friends_is_limited_for_both(anna, boris, monkeypatch):
    monkeypatch.setattr(friends, "MOST_FRIENDS", 1)
    cem = member("cem555")
    friends.ask(cem.pk, anna.pk, NOW)
    befriend(anna, boris)
    assert code_of(friends.ask, anna.pk, member("deniz5").pk, NOW) == "many_friends"
    assert code_of(friends.accept, anna.pk, cem.pk, NOW) == "many_friends"
    assert seen(cem, anna) == ("asked", "asks")


def test_the_database_stores_a_pair_once_and_in_ascending_order(anna, boris):
    friends.ask(anna.pk, boris.pk, NOW)
    first, second = sorted((anna.pk, boris.pk))
    row = {"asker_id": first, "asked_at": NOW, "told_at": NOW}
    for ids in ((first, second), (second, first), (first, first)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Friendship.objects.create(first_id=ids[0], second_id=ids[1], **row)


def test_a_closed_or_banned_account_has_no_friends(anna, boris):
    cem = member("cem555")
    befriend(anna, boris)
    befriend(anna, cem)
    closing.close(boris.pk, NOW)
    User.objects.filter(pk=cem.pk).update(is_active=False)
    assert not selectors.friends_of(anna).exists()
    assert Friendship.objects.count() == 1  # the banned member's row stays: the ban may end


# --- The alert -------------------------------------------------------------------------------


def test_a_request_is_an_alert_once_a_day_and_counted_until_it_is_answered(anna, boris):
    friends.ask(anna.pk, boris.pk, NOW)
    news = selectors.friend_news_of(boris.pk, NOW)
    assert (news.waiting, news.asking, news.accepted) == (1, [anna], [])
    assert selectors.friend_news_of(anna.pk, NOW).waiting == 0
    later = NOW + timedelta(hours=1)
    friends.cancel(anna.pk, boris.pk, later)
    friends.ask(anna.pk, boris.pk, later)
    news = selectors.friend_news_of(boris.pk, later)
    assert (news.waiting, news.asking) == (1, [])
    next_day = NOW + friends.PERIOD + timedelta(minutes=1)
    friends.cancel(anna.pk, boris.pk, next_day)
    friends.ask(anna.pk, boris.pk, next_day)
    assert selectors.friend_news_of(boris.pk, next_day).asking == [anna]


def test_both_see_an_acceptance_and_the_asker_never_sees_a_refusal(anna, boris):
    cem = member("cem555")
    for other in (boris, cem):
        friends.ask(anna.pk, other.pk, NOW)
    friends.decline(cem.pk, anna.pk, NOW)
    friends.accept(boris.pk, anna.pk, NOW)
    news = selectors.friend_news_of(anna.pk, NOW)
    assert (news.waiting, news.asking, news.accepted) == (0, [], [boris])
    assert selectors.friend_news_of(boris.pk, NOW).accepted == [anna]
    assert not selectors.friend_news_of(cem.pk, NOW).waiting
    assert not selectors.friend_news_of(anna.pk, NOW + selectors.ACCEPTED_FOR).accepted


@pytest.mark.parametrize(
    ("action", "told"),
    [("accept", {"anna5", "boris5"}), ("decline", {"boris5"})],
)
def test_answers_refresh_the_pages_of_those_who_may_know(
    action, told, anna, boris, monkeypatch, django_capture_on_commit_callbacks
):
    friends.ask(anna.pk, boris.pk, NOW)
    sent = []
    monkeypatch.setattr("accounts.broadcast.send", lambda *messages: sent.extend(messages))
    with django_capture_on_commit_callbacks(execute=True):
        getattr(friends, action)(boris.pk, anna.pk, NOW)
    names = {f"user.{user.pk}": user.username for user in (anna, boris)}
    assert {names[group] for group, _ in sent} == told
    assert all(message == {"type": "site.nudge", "what": "friends"} for _, message in sent)


def test_the_request_is_on_another_page_and_in_the_fetched_part(client, anna, boris):
    friends.ask(anna.pk, boris.pk, timezone.now())
    page = sign_in(client, boris).get("/whats-new/").content.decode()
    assert f'data-news="asks-{anna.public_id}"' in page
    assert "anna5 wants to be your friend." in page
    assert "1 friend request" in page
    part = client.get(reverse("people:friend_news")).content.decode()
    assert "anna5 wants to be your friend." in part


def test_friend_news_needs_at_most_two_queries(boris, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert selectors.friend_news_of(boris.pk, NOW) == selectors.FriendNews(0, [], [])
    for number in range(4):
        friends.ask(member(f"asker{number}").pk, boris.pk, NOW)
    with django_assert_num_queries(2):
        news = selectors.friend_news_of(boris.pk, NOW)
        assert len([user.profile.crest for user in news.asking]) == 4  # the profiles are read too
    assert news.waiting == 4


# --- Pages -----------------------------------------------------------------------------------


def press(browser, player, action, **more):
    data = {"action": action, **more.pop("data", {})}
    return browser.post(reverse("people:friend", args=[player.public_id]), data, **more)


def page_of(browser, player):
    return browser.get(reverse("people:player", args=[player.public_id])).content.decode()


def test_the_players_page_offers_each_step(anna, boris):
    browsers = {user: sign_in(Client(), user) for user in (anna, boris)}
    assert "Add to friends" in page_of(browsers[anna], boris)
    answer = press(browsers[anna], boris, "ask")
    assert answer.status_code == 303
    assert "Friend request sent to boris5." in page_of(browsers[anna], boris)
    assert "Cancel the request" in page_of(browsers[anna], boris)
    assert "anna5 wants to be your friend." in page_of(browsers[boris], anna)
    press(browsers[boris], anna, "accept")
    assert "Remove from friends" in page_of(browsers[anna], boris)
    press(browsers[anna], boris, "remove")
    assert not selectors.are_friends(anna.pk, boris.pk)


def test_a_guest_and_the_player_themselves_see_no_button(client, anna):
    assert "Add to friends" not in page_of(client, anna)
    assert "Add to friends" not in page_of(sign_in(client, anna), anna)


def test_a_request_from_the_card_returns_the_card(client, anna, boris):
    answer = press(sign_in(client, anna), boris, "ask", headers=AJAX)
    assert answer.content.decode().strip().startswith('<div id="player-card-content"')
    assert "Cancel the request" in answer.content.decode()


def test_a_blocked_and_a_declined_player_read_the_same_refusal(client, anna, boris):
    browser = sign_in(client, anna)
    blocks.block(boris.pk, anna.pk, NOW)
    blocked = press(browser, boris, "ask")
    blocks.unblock(boris.pk, anna.pk)
    friends.ask(anna.pk, boris.pk, timezone.now())
    friends.decline(boris.pk, anna.pk, timezone.now())
    declined = press(browser, boris, "ask")
    for answer in (blocked, declined):
        assert answer.status_code == 422
        assert answer.headers["Refusal"] == "unavailable"
        assert (
            "You cannot send this player a friend request at the moment." in answer.content.decode()
        )


def test_an_answer_from_the_alert_returns_the_alert(client, anna, boris):
    friends.ask(anna.pk, boris.pk, timezone.now())
    headers = AJAX | {"HX-Target": "friend-news"}
    answer = press(sign_in(client, boris), anna, "accept", headers=headers).content.decode()
    assert 'id="friend-news"' in answer
    assert "anna5 is your friend now." in answer
    assert "wants to be your friend" not in answer


def test_accepting_succeeds_even_if_the_friendship_ends_at_once(client, anna, boris, monkeypatch):
    friends.ask(anna.pk, boris.pk, timezone.now())

    def accept_and_lose(user_id, asker_id, now):
        friends.accept(user_id, asker_id, now)
        friends.remove(asker_id, user_id, now)

    monkeypatch.setitem(friend_views.ACTIONS, "accept", accept_and_lose)
    answer = press(sign_in(client, boris), anna, "accept")
    assert answer.status_code == 303
    assert seen(anna, boris) == ("", "")


def test_the_page_lists_requests_and_friends(client, anna, boris):
    cem, deniz = member("cem555"), member("deniz5")
    befriend(anna, boris)
    friends.ask(cem.pk, anna.pk, NOW)
    friends.ask(anna.pk, deniz.pk, NOW)
    Presence.objects.create(user=boris, seen_at=timezone.now())
    page = sign_in(client, anna).get(reverse("people:friends")).content.decode()
    received, listed, sent = (
        page.index(f'id="{name}-title"') for name in ("received", "friends", "sent")
    )
    assert received < page.index("cem555", received) < listed
    assert listed < page.index("boris5", listed) < page.index("Online now", listed) < sent
    assert sent < page.index("deniz5", sent)


def test_a_hidden_presence_is_hidden_from_friends(client, anna, boris):
    befriend(anna, boris)
    Presence.objects.create(user=boris, seen_at=timezone.now())
    boris.profile.shows_online = False
    boris.profile.save()
    page = sign_in(client, anna).get(reverse("people:friends")).content.decode()
    assert "boris5" in page
    assert "Online now" not in page


def test_the_page_without_friends_says_what_to_do(client, anna):
    page = sign_in(client, anna).get(reverse("people:friends")).content.decode()
    assert "Nobody yet. Add a player by login here" in page


def test_the_pages_queries_do_not_grow_with_the_friends(client, anna):
    browser, address = sign_in(client, anna), reverse("people:friends_list")
    counts = []
    for count in (2, 8):
        for number in range(count):
            befriend(anna, member(f"f{count}x{number}x"))
            friends.ask(member(f"r{count}x{number}x").pk, anna.pk, NOW)
        browser.get(address)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            browser.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_player_is_added_by_login(client, anna, boris):
    browser, address = sign_in(client, anna), reverse("people:friends")
    assert browser.post(address, {"login": " BORIS5 "}).status_code == 303
    assert seen(anna, boris) == ("asked", "asks")
    answer = browser.post(address, {"login": "nobody5"})
    assert answer.status_code == 422
    assert "There is no player with this login." in answer.content.decode()
    answer = browser.post(address, {"login": "anna5"})
    assert answer.headers["Refusal"] == "oneself"


def test_a_player_is_added_by_a_login_typed_on_a_turkish_keyboard(client, anna, boris):
    browser, address = sign_in(client, anna), reverse("people:friends")
    assert browser.post(address, {"login": "BORİS5"}).status_code == 303
    assert seen(anna, boris) == ("asked", "asks")


def test_a_request_cannot_be_taken_back_and_sent_again_without_end(client, anna, boris, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"friend_request": "2/d/user"}
    browser = sign_in(client, anna)
    for _ in range(2):
        assert press(browser, boris, "ask").status_code == 303
        assert press(browser, boris, "cancel").status_code == 303
    by_login = browser.post(reverse("people:friends"), {"login": "boris5"})
    for refused in (press(browser, boris, "ask"), by_login):
        assert (refused.status_code, refused.headers["Refusal"]) == (422, "many_requests")
    assert seen(anna, boris) == ("", "")


def test_the_answer_redirects_only_within_this_site(client, anna, boris):
    browser = sign_in(client, anna)
    page = reverse("people:friends")
    answer = press(browser, boris, "ask", data={"next": page})
    assert answer.headers["Location"] == page
    answer = press(browser, boris, "cancel", data={"next": "https://evil.example/"})
    assert answer.headers["Location"] == reverse("people:player", args=[boris.public_id])


@pytest.mark.parametrize("action", ["", "steal"])
def test_an_unknown_action_is_not_found(client, anna, boris, action):
    assert press(sign_in(client, anna), boris, action).status_code == 404
