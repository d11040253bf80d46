"""Challenging one person: who may, how he is told, yes and no; the private link and its picture."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people import blocks
from accounts.shared.refusals import Refused
from games.engine.sides import Side
from lobby import broadcast, selectors
from lobby.models import Seek
from lobby.services import announcing, ending, expiry, joining
from tests.lobby.factories import StakeSitting, announcement, minutes, player
from wallet.selectors import Funds, funds_of

pytestmark = pytest.mark.django_db

OFFER = "Challenge to a game"


@pytest.fixture
def anna() -> User:
    return player("anna5")


@pytest.fixture
def boris() -> User:
    return player("boris")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def challenge(owner: User, person: User) -> Seek:
    wanted = announcement(access=Seek.Access.PERSON, invited_id=person.pk)
    return announcing.announce(owner, wanted, timezone.now())


def page_of(viewer: User, person: User, name: str = "people:player") -> str:
    return browser(viewer).get(reverse(name, args=[person.public_id])).content.decode()


def anywhere(user: User) -> str:
    """Some page of the site that knows nothing of games."""
    return browser(user).get("/profile/").content.decode()


def test_a_person_is_challenged_from_his_page_and_his_card(anna, boris):
    for name in ("people:player", "people:card"):
        assert OFFER in page_of(anna, boris, name)
        assert OFFER not in page_of(anna, anna, name)
        assert OFFER not in Client().get(reverse(name, args=[boris.public_id])).content.decode()


def test_whom_one_has_blocked_one_is_told_to_unblock_first(anna, boris):
    blocks.block(anna.pk, boris.pk, timezone.now())
    assert "You have blocked this player" in page_of(anna, boris)
    with pytest.raises(Refused, match="blocked"):
        challenge(anna, boris)
    assert funds_of(anna.pk) == Funds(1000, 0)


def test_who_is_blocked_is_refused_without_being_told_why(anna, boris):
    blocks.block(boris.pk, anna.pk, timezone.now())
    with pytest.raises(Refused, match="unavailable"):
        challenge(anna, boris)
    address = reverse("lobby:challenge", args=[boris.public_id])
    answer = browser(anna).get(address, follow=True).content.decode()
    assert "This player cannot be challenged at the moment." in answer


@pytest.mark.parametrize("access", [Seek.Access.OPEN, Seek.Access.LINK])
def test_blocked_people_see_no_game_of_each_other_not_even_by_its_address(anna, boris, access):
    seek = announcing.announce(anna, announcement(access=access), timezone.now())
    address = reverse("lobby:seek", args=[seek.public_id])
    for one, other in ((anna, boris), (boris, anna)):
        blocks.block(one.pk, other.pk, timezone.now())
        assert browser(boris).get(address).status_code == 404
        assert seek.public_id not in browser(boris).get("/play/list/").content.decode()
        browser(boris).post(reverse("lobby:join", args=[seek.public_id]))
        blocks.unblock(one.pk, other.pk)
    assert Seek.objects.get().state == Seek.State.OPEN
    assert browser(boris).get(address).status_code == 200


def test_nobody_challenges_who_plays_for_credits_at_the_moment(anna, boris):
    StakeSitting(boris, player("other"))
    with pytest.raises(Refused, match="busy"):
        challenge(anna, boris)


def test_the_challenged_is_told_at_once_on_every_page(
    anna, boris, monkeypatch, django_capture_on_commit_callbacks
):
    told: list[tuple[int, str]] = []
    monkeypatch.setattr(broadcast, "nudge", lambda user_id, what: told.append((user_id, what)))
    with django_capture_on_commit_callbacks(execute=True):
        challenge(anna, boris)
    assert sorted(told) == sorted([(anna.pk, "match"), (boris.pk, "match")])
    assert "anna5 challenges you: Short backgammon to 1 point" in anywhere(boris)
    assert "challenges you" not in anywhere(player("third"))


def test_a_challenge_is_declined_with_the_stake_back_and_its_owner_told(anna, boris):
    seek = challenge(anna, boris)
    assert funds_of(anna.pk) == Funds(900, 100)
    address = reverse("lobby:decline", args=[seek.public_id])
    for _ in range(2):
        answer = browser(boris).post(address, HTTP_HX_REQUEST="true").content.decode()
        assert "Declined. The challenger is told" in answer
        assert funds_of(anna.pk) == Funds(1000, 0)
    assert "challenges you" not in anywhere(boris)
    assert "boris declined your game; the stake is available again." in anywhere(anna)
    waiting = browser(anna).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert "boris declined it" in waiting


def test_who_was_declined_twice_waits_a_minute_before_he_asks_again(anna, boris):
    now = timezone.now()
    wanted = announcement(access=Seek.Access.PERSON, invited_id=boris.pk)
    for _ in range(2):
        ending.decline(announcing.announce(anna, wanted, now).public_id, boris, now)
    with pytest.raises(Refused, match="unavailable"):
        announcing.announce(anna, wanted, now + minutes(0.9))
    announcing.announce(anna, wanted, now + minutes(1))
    challenge(boris, anna)


def test_a_challenge_is_accepted_on_its_page(anna, boris):
    seek = challenge(anna, boris)
    page = browser(boris).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert reverse("lobby:join", args=[seek.public_id]) in page
    assert reverse("lobby:decline", args=[seek.public_id]) in page
    assert joining.join(seek.public_id, boris, timezone.now()).seats.count() == len(Side)
    with pytest.raises(Refused, match="gone"):
        ending.decline(seek.public_id, boris, timezone.now())


def test_only_the_challenged_declines(anna, boris):
    seek = challenge(anna, boris)
    for other in (anna, player("third")):
        with pytest.raises(Refused, match="gone"):
            ending.decline(seek.public_id, other, timezone.now())
    assert Seek.objects.get() == seek
    assert Seek.objects.get().state == Seek.State.OPEN


def test_a_challenge_from_who_is_blocked_meanwhile_is_not_shown(anna, boris):
    challenge(anna, boris)
    blocks.block(boris.pk, anna.pk, timezone.now())
    assert "challenges you" not in anywhere(boris)


def test_however_many_challenge_one_they_are_found_at_once(boris, django_assert_num_queries):
    made = {challenge(player(f"anna{number}"), boris) for number in range(3)}
    with django_assert_num_queries(1):
        assert set(selectors.news_of(boris, timezone.now())[0]) == made


def test_who_is_challenged_a_lot_still_finds_his_own_game(boris, monkeypatch):
    monkeypatch.setattr(selectors, "MOST_NEWS", 2)
    own = announcing.announce(boris, announcement(), timezone.now())
    for number in range(2):
        challenge(player(f"anna{number}"), boris)
    challenges, found = selectors.news_of(boris, timezone.now())
    assert found == own
    assert len(challenges) == 1


def test_what_came_to_nothing_is_news_for_two_minutes(anna):
    seek = announcing.announce(anna, announcement(), timezone.now() - minutes(5.1))
    expiry.settle_due(timezone.now())
    assert "Nobody joined your game within five minutes" in anywhere(anna)
    Seek.objects.filter(pk=seek.pk).update(closed_at=timezone.now() - minutes(2.1))
    assert "Nobody joined your game" not in anywhere(anna)


def test_a_private_link_comes_with_a_picture_that_the_policy_lets_through(anna):
    wanted = announcement(access=Seek.Access.LINK)
    seek = announcing.announce(anna, wanted, timezone.now())
    address = reverse("lobby:seek", args=[seek.public_id])
    page = browser(anna).get(address).content.decode()
    assert f'value="http://testserver{address}"' in page
    picture = re.search(r'<svg [^>]*class="qr".*?</svg>', page)
    assert picture
    assert "style" not in picture[0]
    assert 'class="qr"' not in browser(player("third")).get(address).content.decode()
