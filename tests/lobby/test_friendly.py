"""Friendly matches by a link: permissions, limits, no effect on credits and ratings."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.members import services as members
from accounts.members.guests import KEY
from accounts.models import User
from accounts.people import blocks
from accounts.shared.refusals import Refused
from accounts.signals import member_activated
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.models import CountedMatch, Match
from games.models.actor import Actor
from lobby.models import Invitation, Seek
from lobby.services import inviting, searching, stopping
from tests.accounts.factories import UserFactory
from tests.games.factories import (
    DELAY_MS,
    FriendlySitting,
    StakeSitting,
    assert_log_folds,
)
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

RULES = Rules.of("short", length=1, delay_ms=DELAY_MS)
FORM = {"variant": "long", "length": "2", "seconds": "30", "guest_name": "Anna"}


@pytest.fixture
def maker() -> User:
    return player("maker5")


@pytest.fixture
def friend() -> User:
    return player("friend")


def actor_of(user: User) -> Actor:
    return Actor(user_id=user.pk)


def link(by: Actor, **offer: Any) -> Invitation:
    names = {"guest_name": "Anna"} if by.guest else {}
    return inviting.invite(by, inviting.Offer(RULES, **names, **offer), timezone.now())


def accept(invitation: Invitation, by: Actor, name: str = "") -> Match:
    name = name or ("Boris" if by.guest else "")
    return inviting.accept(invitation.public_id, by, name, timezone.now())


def refusal_of(invitation: Invitation, by: Actor) -> str:
    with pytest.raises(Refused) as caught:
        accept(invitation, by)
    assert not Match.objects.filter(invitation=invitation).exists()
    return caught.value.code


def browser(user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def guest_of(client: Client) -> UUID:
    return UUID(client.session[KEY])


# --- guests, through the pages -------------------------------------------------------------------


def test_two_guests_meet_by_a_link() -> None:
    anna, boris = browser(), browser()
    made = anna.post("/play/friend/", FORM)
    page = anna.get(made.url).content.decode()
    assert f"http://testserver{made.url}" in page
    assert "<svg" in page
    terms = boris.get(made.url).content.decode()
    assert "Anna (guest) invites you to play" in terms
    assert "to 2 points" in terms
    answer = boris.post(f"{made.url}accept/", {"guest_name": "Борис"})
    match = Match.objects.get()
    assert answer.url == f"/match/{match.public_id}/"
    assert anna.get(made.url).url == answer.url
    seats = {seat.side: (seat.guest, seat.guest_name) for seat in match.seats.all()}
    assert seats == {"white": (guest_of(anna), "Anna"), "black": (guest_of(boris), "Борис")}
    for client in (anna, boris):
        table = client.get(answer.url)
        assert table.status_code == 200
    assert browser().get(answer.url).status_code == 404
    assert match.policy.is_staked is match.policy.is_rated is False


def test_the_waiting_page_leads_htmx_to_the_table() -> None:
    anna = browser()
    made = anna.post("/play/friend/", FORM)
    part = anna.get(made.url, headers={"HX-Request": "true"})
    assert b"<html" not in part.content
    assert b"every 3s" in part.content
    match = accept(Invitation.objects.get(), Actor(guest=uuid4()))
    found = anna.get(made.url, headers={"HX-Request": "true"})
    assert found.headers["HX-Redirect"] == f"/match/{match.public_id}/"


def test_a_second_link_is_refused_with_advice_to_cancel_the_first() -> None:
    anna = browser()
    anna.post("/play/friend/", FORM)
    answer = anna.post("/play/friend/", {**FORM, "length": "3"})
    assert (answer.status_code, answer.headers["Refusal"]) == (409, "invited")
    alert = (
        answer.content.decode().split('<p class="notice error" role="alert"')[1].split("</p>")[0]
    )
    assert "Only one can be open: cancel it" in alert


def test_a_button_pressed_twice_leads_to_the_one_link() -> None:
    anna = browser()
    made, again = (anna.post("/play/friend/", FORM) for _ in range(2))
    assert (again.status_code, again.url) == (302, made.url)
    assert Invitation.objects.count() == 1


def test_a_name_is_kept_for_the_next_link() -> None:
    anna = browser()
    made = anna.post("/play/friend/", FORM)
    anna.post(f"{made.url}cancel/")
    page = anna.get("/play/friend/").content.decode()
    assert 'value="Anna"' in page
    assert anna.post("/play/friend/", FORM).status_code == 302


@pytest.mark.parametrize(
    "name",
    [
        "",
        "A",
        "x" * 16,
        "admin",
        "S u p p o r t",
        "\u202eAnna",
        "<b>a</b>",
        "Anna  \u200b",
        "-Anna-",
        "\u3164\u3164",
        "Админ",
        "\u0410dmin",
        "А д м и н",
        "Yönetici",
        "Пидорас",
        "Şerefsiz",
    ],
)
def test_names_against_the_rules_are_refused(name: str) -> None:
    answer = browser().post("/play/friend/", {**FORM, "guest_name": name})
    assert not Invitation.objects.exists()
    assert answer.status_code == 422
    assert answer.headers["Refusal"] == "invalid"
    assert "id_guest_name" in answer.content.decode()


@pytest.mark.parametrize(
    "name", ["Ира", "Щукин", "O’Neil", "Jean-Luc", "Ayşe G.1", "Iğdır 35", "李小龙"]
)
def test_names_of_any_script_are_accepted(name: str) -> None:
    assert browser().post("/play/friend/", {**FORM, "guest_name": name}).status_code == 302
    assert Invitation.objects.get().guest_name == name


def test_a_guest_without_a_name_is_asked_for_one_and_stays_at_the_link() -> None:
    invitation = link(Actor(guest=uuid4()))
    answer = browser().post(f"/play/friend/{invitation.public_id}/accept/")
    assert answer.status_code == 422
    assert "id_guest_name" in answer.content.decode()
    assert not Match.objects.exists()


def test_a_member_is_not_asked_for_a_name(friend: User) -> None:
    invitation = link(Actor(guest=uuid4()))
    page = browser(friend).get(f"/play/friend/{invitation.public_id}/").content.decode()
    assert "guest_name" not in page
    browser(friend).post(f"/play/friend/{invitation.public_id}/accept/", {"guest_name": "Boss"})
    seat = Match.objects.get().seats.get(side="black")
    assert (seat.user, seat.guest_name) == (friend, "")


def test_unknown_links_are_not_found() -> None:
    address = "/play/friend/AAAAAAAAAAAA/"
    assert browser().get(address).status_code == 404
    assert browser().post(f"{address}accept/").status_code == 404


# --- use of a link -------------------------------------------------------------------------------


def test_a_repeated_accept_leads_to_the_same_match(maker: User, friend: User) -> None:
    invitation = link(actor_of(maker))
    assert accept(invitation, actor_of(friend)) == accept(invitation, actor_of(friend))
    assert Match.objects.count() == 1


def test_a_second_person_cannot_accept_the_link(maker: User, friend: User) -> None:
    invitation = link(actor_of(maker))
    accept(invitation, actor_of(friend))
    with pytest.raises(Refused, match="gone"):
        accept(invitation, Actor(guest=uuid4()))
    assert Match.objects.count() == 1


def test_nobody_plays_themselves(maker: User) -> None:
    assert refusal_of(link(actor_of(maker)), actor_of(maker)) == "own"


def test_a_link_ends_after_an_hour_and_another_can_be_made(maker: User, friend: User) -> None:
    offer, now = inviting.Offer(RULES), timezone.now()
    an_hour_later = now + timedelta(hours=1)
    invitation = inviting.invite(actor_of(maker), offer, now)
    with pytest.raises(Refused, match="invited"):
        inviting.invite(actor_of(maker), offer, an_hour_later - timedelta(seconds=1))
    with pytest.raises(Refused, match="gone"):
        inviting.accept(invitation.public_id, actor_of(friend), "", an_hour_later)
    assert not Match.objects.exists()
    other = inviting.invite(actor_of(maker), offer, an_hour_later)
    assert other.state == Invitation.State.OPEN
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.EXPIRED


def test_only_its_maker_cancels_a_link(maker: User, friend: User) -> None:
    invitation = link(actor_of(maker))
    with pytest.raises(Refused, match="gone"):
        inviting.cancel(invitation.public_id, actor_of(friend), timezone.now())
    for _ in range(2):
        inviting.cancel(invitation.public_id, actor_of(maker), timezone.now())
    assert refusal_of(invitation, actor_of(friend)) == "gone"


@pytest.mark.parametrize("is_makers", [True, False])
def test_a_block_by_either_member_closes_the_link(maker: User, friend: User, is_makers: bool):
    invitation = link(actor_of(maker))
    pair = (maker, friend) if is_makers else (friend, maker)
    blocks.block(pair[0].pk, pair[1].pk, timezone.now())
    assert refusal_of(invitation, actor_of(friend)) == "gone"
    page = browser(friend).get(f"/play/friend/{invitation.public_id}/").content.decode()
    assert "no longer open" in page


def test_a_player_with_a_stake_match_finishes_it_first(maker: User, friend: User) -> None:
    invitation = link(actor_of(maker))
    StakeSitting(maker, player("third5"))
    assert refusal_of(invitation, actor_of(friend)) == "maker_playing"
    other = link(actor_of(friend))
    assert refusal_of(other, actor_of(maker)) == "playing"


def test_accepting_a_link_takes_back_the_announcements_of_both(maker: User, friend: User) -> None:
    for user in (maker, friend):
        SeekFactory(owner=user, stake=100)
    accept(link(actor_of(maker)), actor_of(friend))
    assert set(Seek.objects.values_list("state", flat=True)) == {"CANCELED"}
    assert [funds_of(user.pk).reserved for user in (maker, friend)] == [0, 0]


def test_an_account_that_is_not_activated_may_play() -> None:
    newcomer = UserFactory(activated_at=None)
    match = accept(link(actor_of(newcomer)), Actor(guest=uuid4()))
    assert match.seats.get(side="white").user == newcomer


def test_a_ban_of_the_maker_cancels_the_link(maker: User, friend: User) -> None:
    invitation = link(actor_of(maker))
    members.ban(maker.pk)
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.CANCELED
    assert refusal_of(invitation, actor_of(friend)) == "gone"


def test_the_link_of_a_guest_ends_when_they_become_a_member(friend: User) -> None:
    guest = uuid4()
    invitation = link(Actor(guest=guest))
    User.objects.filter(pk=friend.pk).update(guest=guest)
    member_activated.send(User, user_id=friend.pk, now=timezone.now())
    assert refusal_of(invitation, actor_of(friend)) == "gone"


@pytest.mark.parametrize("is_own", [True, False])
def test_the_link_and_the_search_of_a_guest_end_when_somebody_signs_in(
    friend: User, maker: User, is_own: bool
) -> None:
    """The guest is no longer at this browser, whether they became this member or not."""
    client = browser()
    made = client.post("/play/friend/", FORM)
    guest = Actor(guest=guest_of(client))
    searching.start(guest, searching.Choice(RULES, guest_name="Anna"), timezone.now())
    User.objects.filter(pk=friend.pk).update(guest=guest.guest if is_own else None)
    friend.refresh_from_db()
    client.force_login(friend)
    invitation = Invitation.objects.get()
    assert "no longer open" in client.get(made.url).content.decode()
    assert refusal_of(invitation, actor_of(maker)) == "gone"
    assert not stopping.open_of(guest).exists()


def test_canceling_a_link_that_was_just_accepted_leads_to_the_table() -> None:
    anna = browser()
    made = anna.post("/play/friend/", FORM)
    match = accept(Invitation.objects.get(), Actor(guest=uuid4()))
    refused = anna.post(f"{made.url}cancel/")
    assert (refused.url, refused.headers["Refusal"]) == (made.url, "gone")
    assert anna.get(refused.url).url == f"/match/{match.public_id}/"
    other = browser().post(f"{made.url}cancel/")
    assert other.url == "/play/friend/"


def test_a_browser_without_the_makers_cookies_is_not_shown_an_open_link_as_ended(
    maker: User,
) -> None:
    address = f"/play/friend/{link(actor_of(maker)).public_id}/"
    part = browser().get(address, headers={"HX-Request": "true"})
    assert part.headers["HX-Refresh"] == "true"
    assert "invites you to play" in browser().get(address).content.decode()
    inviting.cancel(Invitation.objects.get().public_id, actor_of(maker), timezone.now())
    part = browser().get(address, headers={"HX-Request": "true"})
    assert "no longer open" in part.content.decode()


# --- effects of a friendly match -----------------------------------------------------------------


def test_a_friendly_match_moves_no_credits_and_no_rating(maker: User, friend: User) -> None:
    before = [funds_of(user.pk) for user in (maker, friend)]
    sitting = (
        FriendlySitting(actor_of(maker), actor_of(friend))
        .sit()
        .start_game()
        .play_until(Phase.FINISHED)
    )
    assert [funds_of(user.pk) for user in (maker, friend)] == before
    assert not hasattr(sitting.match, "rated")
    assert not CountedMatch.objects.exists()
    assert_log_folds(sitting.match)


def test_a_private_match_is_seen_by_its_players_alone(maker: User, friend: User) -> None:
    private = accept(link(actor_of(maker)), actor_of(friend))
    assert browser().get(f"/match/{private.public_id}/").status_code == 404
    assert private.public_id not in browser().get("/play/").content.decode()


def test_a_public_match_is_in_the_list_and_can_be_watched(maker: User, friend: User) -> None:
    public = accept(link(actor_of(maker), is_public=True), actor_of(friend))
    assert public.public_id in browser().get("/play/").content.decode()
    assert browser().get(f"/match/{public.public_id}/").status_code == 200
    assert browser().get(f"/play/running/{public.public_id}/").status_code == 200


def test_players_own_public_match_is_listed_to_play_on_and_not_featured(
    maker: User, friend: User
) -> None:
    StakeSitting(player("third5"), player("fourth"))
    own = accept(link(actor_of(maker), is_public=True), actor_of(friend))
    table = f'href="/match/{own.public_id}/">'
    shown = browser(maker).get("/play/")
    assert f"{table}Play on" in shown.content.decode()
    assert shown.context["featured"] is None  # only one match of others: no choice to make
    assert shown.context["running"][0] == own
    watched = browser().get("/play/")
    assert f"{table}Play on" not in watched.content.decode()
    assert watched.context["featured"] is not None


def test_unused_links_are_forgotten_and_used_ones_stay(maker: User, friend: User, capsys) -> None:
    accept(link(actor_of(maker)), actor_of(friend))
    link(actor_of(maker))
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=8))
    call_command("forgetinvitations")
    assert Invitation.objects.get().match is not None
    assert "1" in capsys.readouterr().out


@pytest.mark.parametrize("days", ["0", "-1"])
def test_links_in_force_cannot_be_forgotten(maker: User, days: str) -> None:
    link(actor_of(maker))
    with pytest.raises(CommandError, match="At least one day"):
        call_command("forgetinvitations", "--days", days)
    assert Invitation.objects.exists()


def test_deleting_the_match_of_two_guests_deletes_its_link() -> None:
    long_ago = timezone.now() - timedelta(days=2)
    invitation = inviting.invite(
        Actor(guest=uuid4()), inviting.Offer(RULES, False, "Anna"), long_ago
    )
    inviting.accept(invitation.public_id, Actor(guest=uuid4()), "Boris", long_ago)
    call_command("forgetguests")
    assert not Match.objects.exists()
    assert not Invitation.objects.exists()


def test_other_pages_lead_back_to_a_friendly_match_and_the_lobby_still_offers_games(
    maker: User, friend: User
) -> None:
    sitting = FriendlySitting(actor_of(maker), actor_of(friend)).sit().start_game()
    table = reverse("games:match", args=[sitting.public_id])
    line, link = "Your friendly match is in progress.", f'href="{table}"'
    page = browser(maker).get("/whats-new/").content.decode()
    assert line in page
    assert link in page
    assert line not in browser(maker).get(table).content.decode()
    lobby = browser(maker).get(reverse("lobby:lobby")).content.decode()
    assert lobby.index('id="own-friendly-title"') < lobby.index('id="play-now-title"')
    assert f'href="{reverse("lobby:announce")}"' in lobby
    assert "shows-friendly" in browser(maker).get("/en/").content.decode()
    sitting.do("resign_match")
    assert line not in browser(maker).get("/whats-new/").content.decode()
