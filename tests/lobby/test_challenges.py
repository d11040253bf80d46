"""Challenges: permission, notice, acceptance and refusal; the private link and its QR code."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, User
from accounts.people import blocks
from accounts.shared.refusals import Refused
from games.engine.sides import Side
from lobby import broadcast, selectors
from lobby.models import Seek
from lobby.services import announcing, challenging, ending, expiry, joining
from tests.games.factories import MatchFactory, StakeSitting
from tests.lobby.factories import announcement, minutes
from tests.wallet.factories import player
from wallet.selectors import Funds, funds_of

pytestmark = pytest.mark.django_db

OFFER = "Challenge for credits"
# A page of each app that has pages.
PAGES = (
    "/en/", "/whats-new/", "/profile/", "/chat/", "/training/", "/play/", "/tournaments/",
    "/leaders/", "/shop/", "/credits/",
)  # fmt: skip


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


def unrelated_page(user: User) -> str:
    """Return a page of the site that is not about games."""
    return browser(user).get("/profile/").content.decode()


def test_page_and_card_of_a_person_offer_a_challenge(anna, boris):
    for name in ("people:player", "people:card"):
        assert OFFER in page_of(anna, boris, name)
        assert OFFER not in page_of(anna, anna, name)
        assert OFFER not in Client().get(reverse(name, args=[boris.public_id])).content.decode()


def test_challenge_to_a_blocked_person_asks_to_unblock_first(anna, boris):
    blocks.block(anna.pk, boris.pk, timezone.now())
    assert "You have blocked this player" in page_of(anna, boris)
    with pytest.raises(Refused, match="blocked"):
        challenge(anna, boris)
    assert funds_of(anna.pk) == Funds(1000, 0)


def test_challenge_to_a_blocker_is_refused_without_the_reason(anna, boris):
    blocks.block(boris.pk, anna.pk, timezone.now())
    with pytest.raises(Refused, match="unavailable"):
        challenge(anna, boris)
    address = reverse("lobby:challenge", args=[boris.public_id])
    answer = browser(anna).get(address, follow=True).content.decode()
    assert "This player cannot be challenged at the moment." in answer


@pytest.mark.parametrize("access", [Seek.Access.OPEN, Seek.Access.LINK])
def test_blocked_people_do_not_see_each_others_games_even_by_address(anna, boris, access):
    for owner, viewer in ((anna, boris), (boris, anna)):
        seek = announcing.announce(owner, announcement(access=access), timezone.now())
        address = reverse("lobby:seek", args=[seek.public_id])
        for one, other in ((anna, boris), (boris, anna)):
            blocks.block(one.pk, other.pk, timezone.now())
            assert browser(viewer).get(address).status_code == 404
            assert seek.public_id not in browser(viewer).get("/play/list/").content.decode()
            browser(viewer).post(reverse("lobby:join", args=[seek.public_id]), {"confirmed": "1"})
            blocks.unblock(one.pk, other.pk)
        seek.refresh_from_db()
        assert seek.state == Seek.State.OPEN
        assert browser(viewer).get(address).status_code == 200


def test_player_in_a_match_for_credits_cannot_be_challenged(anna, boris):
    StakeSitting(boris, player("other"))
    with pytest.raises(Refused, match="busy"):
        challenge(anna, boris)


def test_challenge_appears_on_every_page_of_the_challenged_member(
    anna, boris, monkeypatch, django_capture_on_commit_callbacks
):
    nudges: list[tuple[int, str]] = []
    monkeypatch.setattr(
        broadcast, "nudge", lambda user_id, what, id: nudges.append((user_id, what))
    )
    with django_capture_on_commit_callbacks(execute=True):
        challenge(anna, boris)
    assert sorted(nudges) == sorted([(anna.pk, "match"), (boris.pk, "match")])
    third = player("third")
    for path in PAGES:
        answers = [browser(user).get(path) for user in (boris, third)]
        assert [answer.status_code for answer in answers] == [200, 200], path
        page, other = (answer.content.decode() for answer in answers)
        assert "anna5 challenges you: Short backgammon to 1 point" in page, path
        assert "anna5 challenges you" not in other, path


def test_declined_challenge_returns_the_stake_and_informs_its_owner(anna, boris):
    seek = challenge(anna, boris)
    assert funds_of(anna.pk) == Funds(900, 100)
    address = reverse("lobby:decline", args=[seek.public_id])
    for _ in range(2):
        answer = browser(boris).post(address, HTTP_HX_REQUEST="true").content.decode()
        assert "Challenge declined. We have let the challenger know" in answer
        assert funds_of(anna.pk) == Funds(1000, 0)
    assert "challenges you" not in unrelated_page(boris)
    assert "boris declined your game; the stake is available again." in unrelated_page(anna)
    waiting = browser(anna).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert "boris declined it" in waiting


def test_a_third_challenge_is_refused_for_a_minute_after_two_declined_ones(anna, boris):
    now = timezone.now()
    wanted = announcement(access=Seek.Access.PERSON, invited_id=boris.pk)
    for _ in range(2):
        ending.decline(announcing.announce(anna, wanted, now).public_id, boris, now)
    with pytest.raises(Refused, match="unavailable"):
        announcing.announce(anna, wanted, now + minutes(0.9))
    announcing.announce(anna, wanted, now + minutes(1))
    challenge(boris, anna)


def test_unaccepted_challenges_to_one_player_are_limited_per_day(anna, boris, monkeypatch):
    monkeypatch.setattr(challenging, "MOST_TO_ONE", 1)
    now = timezone.now()
    ending.cancel(challenge(anna, boris).public_id, anna, now)
    with pytest.raises(Refused, match="asked_often"):
        challenge(anna, boris)
    ending.cancel(challenge(anna, player("third")).public_id, anna, now)
    sent = Seek.objects.filter(invited=boris)
    sent.update(state=Seek.State.JOINED, match=MatchFactory())
    ending.cancel(challenge(anna, boris).public_id, anna, now)
    with pytest.raises(Refused, match="asked_often"):
        challenge(anna, boris)
    sent.update(created_at=now - challenging.PERIOD)
    challenge(anna, boris)


def test_a_challenge_is_accepted_on_its_page(anna, boris):
    seek = challenge(anna, boris)
    page = browser(boris).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert reverse("lobby:join", args=[seek.public_id]) in page
    assert reverse("lobby:decline", args=[seek.public_id]) in page
    assert joining.join(seek.public_id, boris, timezone.now()).seats.count() == len(Side)
    with pytest.raises(Refused, match="gone"):
        ending.decline(seek.public_id, boris, timezone.now())


def test_only_the_challenged_member_can_decline(anna, boris):
    seek = challenge(anna, boris)
    for other in (anna, player("third")):
        with pytest.raises(Refused, match="gone"):
            ending.decline(seek.public_id, other, timezone.now())
    assert Seek.objects.get() == seek
    assert Seek.objects.get().state == Seek.State.OPEN


def test_challenge_from_a_blocked_person_is_hidden(anna, boris):
    challenge(anna, boris)
    assert "challenges you" in unrelated_page(boris)
    # `blocks.block` would also end the challenge.
    Block.objects.create(owner=boris, blocked=anna, created_at=timezone.now())
    assert "challenges you" not in unrelated_page(boris)


def test_challenges_cost_one_query_and_a_second_if_there_are_any(boris, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert selectors.news_of(boris, timezone.now()) == ([], None)
    made = {challenge(player(f"anna{number}"), boris) for number in range(3)}
    with django_assert_num_queries(2):
        assert set(selectors.news_of(boris, timezone.now())[0]) == made


def test_many_challenges_do_not_hide_the_members_own_game(boris, monkeypatch):
    monkeypatch.setattr(selectors, "MAX_NEWS", 2)
    own = announcing.announce(boris, announcement(), timezone.now())
    for number in range(2):
        challenge(player(f"anna{number}"), boris)
    challenges, found = selectors.news_of(boris, timezone.now())
    assert found == own
    assert len(challenges) == 1


def test_expired_game_is_reported_for_two_minutes(anna):
    seek = announcing.announce(anna, announcement(), timezone.now() - minutes(5.1))
    expiry.settle_due(timezone.now())
    assert "Nobody joined your game in time" in unrelated_page(anna)
    Seek.objects.filter(pk=seek.pk).update(closed_at=timezone.now() - minutes(2.1))
    assert "Nobody joined your game" not in unrelated_page(anna)


def test_private_link_has_a_qr_code_without_inline_style(anna):
    wanted = announcement(access=Seek.Access.LINK)
    seek = announcing.announce(anna, wanted, timezone.now())
    address = reverse("lobby:seek", args=[seek.public_id])
    page = browser(anna).get(address).content.decode()
    assert f'value="http://testserver{address}"' in page
    picture = re.search(r'<svg [^>]*class="qr".*?</svg>', page)
    assert picture
    assert "style" not in picture[0]
    assert 'class="qr"' not in browser(player("third")).get(address).content.decode()
