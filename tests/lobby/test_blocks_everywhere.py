"""A block by either of two members keeps them apart everywhere and reveals no reason.

Each test runs in both directions. Other tests of single parts: tests/games/live/test_chat.py (live
messages at the table and among spectators), tests/games/services/test_rematches.py (rematches),
tests/lobby/test_pairing.py (Play now), tests/accounts/people/test_friends.py (friends).
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Presence, User
from accounts.people import blocks, friends
from accounts.selectors import either_blocks
from accounts.shared.refusals import Refused
from chat import selectors as chat
from games.engine.rules import Rules
from games.models.actor import Actor
from lobby import selectors
from lobby.joinable import joinable_ids
from lobby.models import Search, Seek
from lobby.services import (
    announcing,
    challenging,
    inviting,
    joining,
    pairs,
    searching,
    wish_matching,
    wishing,
)
from tests.accounts.factories import staff
from tests.chat.factories import MessageFactory
from tests.games.factories import give_history
from tests.lobby.factories import announcement
from tests.wallet.factories import player
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

RULES = Rules.of("short", length=1, delay_ms=30_000)
UNLISTED = Seek.Access.LINK


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def anna() -> User:
    return player("anna5")


@pytest.fixture
def boris() -> User:
    return player("boris5")


@pytest.fixture(params=["anna blocks boris", "boris blocks anna"])
def apart(request: Any, anna: User, boris: User, now: datetime) -> Any:
    """Return a function by which Anna blocks Boris, or Boris blocks Anna."""
    pair = (anna, boris) if request.param.startswith("anna") else (boris, anna)
    return lambda: blocks.block(pair[0].pk, pair[1].pk, now)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def page_of(user: User, name: str, *args: Any) -> str:
    return browser_of(user).get(reverse(name, args=args)).content.decode()


def refusal_of(service: Any, *args: Any) -> str:
    with pytest.raises(Refused) as refusal:
        service(*args)
    return refusal.value.code


def test_a_block_hides_the_chat_messages_of_both_members_from_each_other(
    apart, anna, boris
) -> None:
    for room in ("match:AbCdEf123456:players", "match:AbCdEf123456:watchers"):
        MessageFactory(room=room, author=anna, body="from anna")
        MessageFactory(room=room, author=boris, body="from boris")
    apart()
    for room in ("match:AbCdEf123456:players", "match:AbCdEf123456:watchers"):
        for reader, own in ((anna, "from anna"), (boris, "from boris")):
            assert [line.body for line in chat.recent(room, reader)] == [own]
        assert len(chat.recent(room, None)) == 2
    assert chat.unheard_by_each([anna.pk, boris.pk]) == {
        anna.pk: ({boris.pk}, set()),
        boris.pk: ({anna.pk}, set()),
    }


@pytest.mark.parametrize("access", [Seek.Access.OPEN, UNLISTED, Seek.Access.FRIENDS])
def test_announced_games_are_neither_seen_nor_joined(apart, anna, boris, access, now) -> None:
    friends.ask(anna.pk, boris.pk, now)
    friends.accept(boris.pk, anna.pk, now)
    seek = announcing.announce(anna, announcement(access=access), now)
    assert browser_of(boris).get(reverse("lobby:seek", args=[seek.public_id])).status_code == 200
    apart()
    assert not selectors.open_seeks(boris, now).exists()
    assert not joinable_ids(boris, now)
    assert browser_of(boris).get(reverse("lobby:seek", args=[seek.public_id])).status_code == 404
    assert refusal_of(joining.join, seek.public_id, boris, now) == "gone"


@pytest.mark.parametrize("stake", [0, 50])
def test_play_now_does_not_pair_two_members_after_a_block(apart, anna, boris, stake, now) -> None:
    apart()
    for user in (anna, boris):
        give_history(user)
        searching.start(Actor(user_id=user.pk), searching.Choice(RULES, stake), now)
    for seconds in (5, 60):
        pairs.settle_due(now + timedelta(seconds=seconds))
    found = Search.objects.filter(state=Search.State.FOUND)
    assert not found.exists()
    cem = player("cem555")
    give_history(cem)
    searching.start(Actor(user_id=cem.pk), searching.Choice(RULES, stake), now)
    pairs.settle_due(now + timedelta(seconds=70))
    assert cem.pk in found.values_list("user", flat=True)
    assert found.count() == 2


def test_play_now_does_not_join_an_announced_game_after_a_block(apart, anna, boris, now) -> None:
    for user in (anna, boris):
        give_history(user)
    announcing.announce(anna, announcement(50), now)
    apart()
    rules = announcement(50).rules
    assert pairs.join_announced(boris, rules, 50, now) is None


def test_challenges_of_both_kinds_are_refused_with_one_code(apart, anna, boris, now) -> None:
    apart()
    offer = inviting.Offer(RULES)
    for maker, other in ((anna, boris), (boris, anna)):
        wanted = announcement(access=Seek.Access.PERSON, invited_id=other.pk)
        codes = {
            refusal_of(announcing.announce, maker, wanted, now),
            refusal_of(challenging.challenge, maker, other, offer, now),
        }
        assert codes == {"blocked" if is_blocker(maker, other) else "unavailable"}


def is_blocker(owner: User, other: User) -> bool:
    return owner.blocks.filter(blocked=other).exists()


def test_challenges_sent_before_are_hidden_and_cannot_be_accepted(apart, anna, boris, now) -> None:
    sent = challenging.challenge(anna, boris, inviting.Offer(RULES), now)
    wanted = announcement(access=Seek.Access.PERSON, invited_id=boris.pk)
    seek = announcing.announce(anna, wanted, now)
    apart()
    assert not selectors.friendly_news_of(boris, now).challenges
    assert not selectors.news_of(boris, now)[0]
    assert refusal_of(inviting.accept, sent.public_id, Actor(user_id=boris.pk), "", now) == "gone"
    assert refusal_of(joining.join, seek.public_id, boris, now) == "gone"


def test_a_block_ends_challenges_and_returns_their_stakes(apart, anna, boris, now) -> None:
    wanted = announcement(access=Seek.Access.PERSON, invited_id=boris.pk)
    other = announcement(access=Seek.Access.PERSON, invited_id=player("third5").pk)
    ended = [
        challenging.challenge(anna, boris, inviting.Offer(RULES), now),
        announcing.announce(anna, wanted, now),
    ]
    kept = announcing.announce(boris, other, now)
    apart()
    for challenge in ended:
        challenge.refresh_from_db()
        assert challenge.state == ("CANCELED" if is_blocker(anna, boris) else "DECLINED")
    assert funds_of(anna.pk).reserved == 0
    kept.refresh_from_db()
    assert kept.state == Seek.State.OPEN


def test_a_link_to_a_friendly_match_is_refused_after_a_block(apart, anna, boris, now) -> None:
    offer, actors = inviting.Offer(RULES), [Actor(user_id=user.pk) for user in (anna, boris)]
    links = [inviting.invite(maker, offer, now) for maker in actors]
    apart()
    for link, other in zip(links, reversed(actors), strict=True):
        assert refusal_of(inviting.accept, link.public_id, other, "", now) == "gone"


def test_friend_requests_of_both_members_are_refused_after_a_block(apart, anna, boris, now) -> None:
    apart()
    for asker, other in ((anna, boris), (boris, anna)):
        code = "blocked" if is_blocker(asker, other) else "unavailable"
        assert refusal_of(friends.ask, asker.pk, other.pk, now) == code


def test_being_online_is_hidden_in_the_lobby_and_on_page_and_card(apart, anna, boris, now) -> None:
    for user in (anna, boris):
        Presence.objects.create(user=user, seen_at=now)
    assert "Online now" in page_of(anna, "people:player", boris.public_id)
    apart()
    assert either_blocks(anna.pk, boris.pk)
    for viewer, other in ((anna, boris), (boris, anna)):
        assert not selectors.members_here(viewer, now).exists()
        for name in ("people:player", "people:card"):
            assert "Online now" not in page_of(viewer, name, other.public_id)
    assert "Online now" in page_of(staff("boss5"), "people:player", boris.public_id)


@pytest.mark.parametrize("is_friendly", [False, True])
def test_wishes_do_not_find_games_after_a_block(apart, anna, boris, is_friendly, now) -> None:
    for user in (anna, boris):
        give_history(user)

    def open_game() -> Any:
        if is_friendly:
            return searching.start(Actor(user_id=anna.pk), searching.Choice(RULES), now)
        return announcing.announce(anna, announcement(50), now)

    wishing.wish(boris, wishing.Wanted(is_friendly=is_friendly), now)
    game = open_game()
    wish_matching.settle_due(now)
    assert len(selectors.wished_games_of(boris, now)) == 1
    apart()
    assert not selectors.wished_games_of(boris, now)
    assert not wish_matching.fitting(game, now + wish_matching.TOLD_EVERY)
