"""Friendly challenges: permissions, the pages of both members, answers, limits."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.closing import services as closing
from accounts.members import services as members
from accounts.models import EmailWish, Notice, NoticeKind, Presence, User
from accounts.people import blocks
from accounts.shared.refusals import Refused
from games.engine.rules import Rules
from games.models import Match
from games.models.actor import Actor
from lobby import selectors
from lobby.models import Invitation, Seek
from lobby.response_rate import LEAST, response_percent
from lobby.services import announcing, challenging, ending, expiry, inviting
from tests.accounts.factories import UserFactory
from tests.games.factories import DELAY_MS, StakeSitting
from tests.lobby.factories import announcement
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

RULES = Rules.of("short", length=3, delay_ms=DELAY_MS)
FORM = {"variant": "long", "length": "2", "seconds": "30", "access": "PERSON"}


@pytest.fixture
def anna() -> User:
    return player("anna5")


@pytest.fixture
def boris() -> User:
    return player("boris")


def browser(user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def challenge(maker: User, person: User) -> Invitation:
    return challenging.challenge(maker, person, inviting.Offer(RULES), timezone.now())


def refusal_of_challenge(maker: User, person: User) -> str:
    with pytest.raises(Refused) as caught:
        challenge(maker, person)
    assert not Invitation.objects.filter(state=Invitation.State.OPEN).exists()
    return caught.value.code


def page(user: User, path: str = "/profile/") -> str:
    return browser(user).get(path).content.decode()


# --- from the button to the table ----------------------------------------------------------------


def test_a_member_is_challenged_from_their_page_and_accepts(anna: User, boris: User) -> None:
    assert "/play/friend/?to=boris" in page(anna, f"/player/{boris.public_id}/")
    form = page(anna, "/play/friend/?to=boris")
    assert 'value="boris"' in form
    made = browser(anna).post("/play/friend/", {**FORM, "opponent": "Boris"})
    assert "Waiting for an answer" in page(anna, made.url)
    assert "Your challenge to boris is waiting" in page(anna)
    assert "anna5 challenges you to a friendly match: Long nardy to 2 points." in page(boris)
    assert "Challenges for you" in page(boris, "/play/list/")
    terms = page(boris, made.url)
    assert "anna5 challenges you to a friendly match" in terms
    assert f"{made.url}decline/" in terms
    answer = browser(boris).post(f"{made.url}accept/")
    match = Match.objects.get()
    assert answer.url == f"/match/{match.public_id}/"
    assert browser(anna).get(made.url).url == answer.url
    assert f'data-begins="{match.public_id}"' in page(anna)
    assert "Go to the table" not in page(anna, answer.url)
    assert match.policy.is_staked is match.policy.is_rated is False


def test_a_declined_challenge_is_reported_to_its_maker(anna: User, boris: User) -> None:
    made = challenge(anna, boris)
    for _ in range(2):  # a second press gets the same answer
        part = browser(boris).post(
            f"/play/friend/{made.public_id}/decline/", headers={"HX-Request": "true"}
        )
        assert "Challenge declined" in part.content.decode()
    assert "boris declined your challenge" in page(anna)
    assert "It was declined." in page(anna, f"/play/friend/{made.public_id}/")
    assert refusal_of_accept(made, boris) == "gone"


def test_a_lapsed_challenge_is_over_for_both(anna: User, boris: User) -> None:
    made = challenge(anna, boris)
    Invitation.objects.update(expires_at=timezone.now())
    assert "challenges you" not in page(boris)
    assert "did not answer your challenge" in page(anna)
    assert refusal_of_accept(made, boris) == "gone"
    with pytest.raises(Refused, match="gone"):
        inviting.decline(made.public_id, boris, timezone.now())


def test_the_alert_is_loaded_again_when_a_challenge_lapses(anna: User, boris: User) -> None:
    challenge(anna, boris)
    Invitation.objects.update(expires_at=timezone.now() + timedelta(minutes=5))
    assert "load delay:" in page(boris)
    assert "load delay:" not in page(anna)


def test_only_its_maker_cancels_a_challenge(anna: User, boris: User) -> None:
    made = challenge(anna, boris)
    browser(boris).post(f"/play/friend/{made.public_id}/cancel/")
    assert Invitation.objects.get().state == Invitation.State.OPEN
    answer = browser(anna).post(f"/play/friend/{made.public_id}/cancel/", follow=True)
    assert "The challenge is canceled." in answer.content.decode()
    assert refusal_of_accept(made, boris) == "gone"


def test_others_neither_see_nor_answer_a_challenge(anna: User, boris: User) -> None:
    address = f"/play/friend/{challenge(anna, boris).public_id}/"
    for other in (browser(player("third")), browser()):
        assert other.get(address).status_code == 404
        assert other.post(f"{address}accept/", {"guest_name": "Cem"}).status_code == 404
        other.post(f"{address}decline/")
    assert Invitation.objects.get().state == Invitation.State.OPEN
    assert refusal_of_accept(Invitation.objects.get(), player("fourth")) == "gone"


def refusal_of_accept(invitation: Invitation, by: User) -> str:
    with pytest.raises(Refused) as caught:
        inviting.accept(invitation.public_id, Actor(user_id=by.pk), "", timezone.now())
    return caught.value.code


# --- permission to challenge ---------------------------------------------------------------------


def test_the_form_names_what_is_wrong_with_the_login(anna: User, boris: User) -> None:
    blocks.block(boris.pk, anna.pk, timezone.now())
    for login, status, text in [
        ("nobody", 422, "There is no player with this login."),
        ("", 422, "Enter your opponent’s login."),
        ("anna5", 409, "That is you: choose another player."),
        ("boris", 409, "This player cannot be challenged at the moment."),
    ]:
        answer = browser(anna).post("/play/friend/", {**FORM, "opponent": login})
        assert answer.status_code == status, login
        assert text in answer.content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("login", ["BORİS", "borıs"])
def test_the_form_finds_a_login_typed_on_a_turkish_keyboard(
    anna: User, boris: User, login: str
) -> None:
    answer = browser(anna).post("/play/friend/", {**FORM, "opponent": login})
    assert answer.status_code == 302
    assert Invitation.objects.get().invited == boris


@pytest.mark.parametrize("address", ["/play/friend/", "/play/new/"])
def test_a_phone_does_not_correct_the_opponents_login(anna: User, address: str) -> None:
    page = browser(anna).get(address).content.decode()
    field = page.split('name="opponent"')[1].split(">")[0]
    assert 'autocapitalize="none"' in field


def test_guests_make_links_and_no_challenges(boris: User) -> None:
    assert 'name="opponent"' not in browser().get("/play/friend/?to=boris").content.decode()
    sent = {**FORM, "opponent": "boris", "guest_name": "Anna"}
    assert browser().post("/play/friend/", sent).status_code == 302
    assert Invitation.objects.get().invited is None


@pytest.mark.parametrize("login", ["rookie", "master"])
def test_a_bot_cannot_be_challenged_by_a_login(anna: User, login: str) -> None:
    answer = browser(anna).post("/play/friend/", {**FORM, "opponent": login})
    assert answer.status_code == 422


def test_blocks_keep_people_apart(anna: User, boris: User) -> None:
    made = challenge(anna, boris)
    blocks.block(boris.pk, anna.pk, timezone.now())
    assert "challenges you" not in page(boris)
    assert refusal_of_accept(made, boris) == "gone"
    inviting.cancel(made.public_id, Actor(user_id=anna.pk), timezone.now())
    assert refusal_of_challenge(anna, boris) == "unavailable"
    assert refusal_of_challenge(boris, anna) == "blocked"


def test_unactivated_accounts_cannot_challenge_or_be_challenged(anna: User) -> None:
    newcomer = UserFactory(activated_at=None)
    assert refusal_of_challenge(anna, newcomer) == "unavailable"
    assert refusal_of_challenge(newcomer, anna) == "not_member"


@pytest.mark.parametrize("is_maker", [True, False])
def test_a_challenge_ends_when_either_member_closes_an_account(anna, boris, is_maker: bool) -> None:
    made = challenge(anna, boris)
    closing.close((anna if is_maker else boris).pk, timezone.now())
    made.refresh_from_db()
    assert made.state == Invitation.State.CANCELED


def test_a_ban_cancels_a_challenge_to_the_member(anna: User, boris: User) -> None:
    made = challenge(anna, boris)
    members.ban(boris.pk)
    made.refresh_from_db()
    assert made.state == Invitation.State.CANCELED


def test_a_player_with_a_stake_match_cannot_accept_a_challenge(anna: User, boris: User) -> None:
    StakeSitting(boris, player("third5"))
    made = challenge(anna, boris)
    assert refusal_of_accept(made, boris) == "playing"
    assert Invitation.objects.get().state == Invitation.State.OPEN


# --- limits --------------------------------------------------------------------------------------


def test_a_member_has_one_open_challenge_or_link_at_a_time(anna: User, boris: User) -> None:
    challenge(anna, boris)
    with pytest.raises(Refused, match="invited"):
        challenge(anna, player("third"))
    with pytest.raises(Refused, match="invited"):
        inviting.invite(Actor(user_id=anna.pk), inviting.Offer(RULES), timezone.now())


def test_unaccepted_challenges_to_one_player_are_limited_per_day(anna, boris, monkeypatch) -> None:
    monkeypatch.setattr(challenging, "MOST_TO_ONE", 2)
    for _ in range(2):
        inviting.cancel(challenge(anna, boris).public_id, Actor(user_id=anna.pk), timezone.now())
    assert refusal_of_challenge(anna, boris) == "asked_often"
    Invitation.objects.update(created_at=timezone.now() - challenging.PERIOD)
    challenge(anna, boris)


def test_challenges_are_limited_per_day(anna: User, boris: User, monkeypatch: Any) -> None:
    monkeypatch.setattr(challenging, "MOST", 1)
    inviting.cancel(challenge(anna, boris).public_id, Actor(user_id=anna.pk), timezone.now())
    assert refusal_of_challenge(anna, player("third")) == "many_challenges"


def test_declines_in_a_row_make_the_maker_wait(anna: User, boris: User) -> None:
    for _ in range(2):
        inviting.decline(challenge(anna, boris).public_id, boris, timezone.now())
    assert refusal_of_challenge(anna, boris) == "unavailable"


# --- the notice and the response rate ------------------------------------------------------------


def test_a_challenged_member_who_is_away_gets_a_notice(anna: User, boris: User) -> None:
    EmailWish.objects.create(user=boris, kind=NoticeKind.CHALLENGE)
    made = challenge(anna, boris)
    notice = Notice.objects.get()
    assert (notice.user, notice.kind) == (boris, NoticeKind.CHALLENGE)
    assert notice.path == f"/play/friend/{made.public_id}/"
    inviting.cancel(made.public_id, Actor(user_id=anna.pk), timezone.now())
    assert not Notice.objects.exists()


def test_response_rate_counts_answers_and_challenges_that_lapsed_on_an_open_page(
    anna, boris
) -> None:
    now = timezone.now()
    Presence.objects.update_or_create(user=boris, defaults={"seen_at": now})
    for number in range(LEAST - 1):
        inviting.decline(challenge(player(f"maker{number}"), boris).public_id, boris, now)
        assert response_percent(boris.pk, now) is None
    lapsed = challenge(anna, boris)
    later = lapsed.expires_at
    assert response_percent(boris.pk, now) is None
    assert response_percent(boris.pk, later) == 80
    assert response_percent(boris.pk, later + timedelta(days=91)) is None


def test_response_rate_counts_challenges_for_credits_that_were_seen_and_not_taken_back(
    anna: User, boris: User
) -> None:
    now = timezone.now()
    for number in range(LEAST - 1):
        inviting.decline(challenge(player(f"maker{number}"), boris).public_id, boris, now)
    wanted = announcement(access=Seek.Access.PERSON, invited_id=boris.pk)
    ending.cancel(announcing.announce(anna, wanted, now).public_id, anna, now)
    assert response_percent(boris.pk, now) is None
    # A challenge that lapses while no page of the member is open does not count.
    seek = announcing.announce(anna, wanted, now)
    expiry.close_or_renew(seek.pk, seek.expires_at)
    assert response_percent(boris.pk, now) is None
    Presence.objects.update_or_create(user=boris, defaults={"seen_at": now})
    seek = announcing.announce(anna, wanted, now)
    expiry.close_or_renew(seek.pk, seek.expires_at)
    assert response_percent(boris.pk, now) == 80
    for path in ("", "card/"):
        assert "Challenges answered" in page(anna, f"/player/{boris.public_id}/{path}")


def test_blocking_a_challenger_does_not_lower_the_response_rate(anna: User, boris: User) -> None:
    now = timezone.now()
    Presence.objects.update_or_create(user=boris, defaults={"seen_at": now})
    for number in range(LEAST - 1):
        inviting.decline(challenge(player(f"maker{number}"), boris).public_id, boris, now)
    hidden = challenge(anna, boris)
    blocks.block(boris.pk, anna.pk, now)
    assert response_percent(boris.pk, hidden.expires_at) == 100


def test_challenges_are_kept_while_the_response_rate_counts_them(anna: User, boris: User) -> None:
    challenge(anna, boris)
    now = timezone.now()
    assert inviting.forget(now + timedelta(days=8)) == 0
    assert inviting.forget(now + timedelta(days=98)) == 1


def test_many_challenges_do_not_hide_the_members_own(anna: User, boris: User, monkeypatch) -> None:
    monkeypatch.setattr(selectors, "MAX_NEWS", 2)
    made = challenge(boris, anna)
    for number in range(2):
        challenge(player(f"other{number}"), boris)
    news = selectors.friendly_news_of(boris, timezone.now())
    assert news.made == made
    assert len(news.challenges) == 1


def test_news_cost_one_query_and_a_second_if_there_are_any(
    anna, boris, django_assert_num_queries
) -> None:
    with django_assert_num_queries(1):
        assert selectors.friendly_news_of(boris, timezone.now()) == selectors.FriendlyNews([])
    for number in range(3):
        challenge(player(f"maker{number}"), boris)
    with django_assert_num_queries(2):
        news = selectors.friendly_news_of(boris, timezone.now())
        assert len([str(each.maker) for each in news.challenges]) == 3
