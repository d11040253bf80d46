"""A guest's matches move to one account only, at activation or a later sign-in, and continue."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.members import services as members
from accounts.models import User
from games import selectors
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.actor import Actor
from games.services import guests, matches, seats
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated
from tests.accounts.signup.signing_up import link_to, registered
from tests.games.factories import Sitting, assert_log_folds

pytestmark = pytest.mark.django_db

NOW = timezone.now()
LOGIN = reverse("account_login")
TRAINING = reverse("games:training")


def browser_of(sitting: Sitting) -> Client:
    """Return the browser of a guest."""
    client = Client()
    session = client.session
    session["guest"] = str(sitting.guest)
    session.save()
    return client


def page_of(match: Match) -> str:
    return reverse("games:match", args=[match.public_id])


def started_match() -> Sitting:
    return Sitting(Rules.of("short", length=1)).sit().start_game()


def test_activation_adopts_the_guests_matches():
    running, finished = started_match(), started_match()
    finished.do("resign_match")
    Seat.objects.filter(match=finished.match, guest=finished.guest).update(guest=running.guest)
    client = browser_of(running)
    user = registered(client)
    assert user.guest == running.guest
    assert selectors.running_matches(Actor(user_id=user.pk)).count() == 0, (
        "not before the activation"
    )

    client.post(link_to())
    mine = Actor(user_id=user.pk)
    assert list(selectors.running_matches(mine)) == [running.match]
    assert list(selectors.finished_matches(mine)) == [finished.match]
    assert client.get(page_of(running.match)).status_code == 200
    assert not Seat.objects.filter(guest__isnull=False).exists()


def test_adoption_removes_the_guest_from_the_browser():
    sitting = started_match()
    client = browser_of(sitting)
    registered(client)
    assert "guest" in client.session
    client.post(link_to())
    assert "guest" not in client.session


def test_adopted_match_replays_and_continues():
    sitting = started_match()
    sitting.play_until(Phase.TO_PLAY)
    seq = sitting.seq
    user = registered(browser_of(sitting))
    members.activate(user.pk, timezone.now())
    assert_log_folds(sitting.match)
    assert sitting.seq == seq

    holder = uuid4()
    seats.take(sitting.public_id, Actor(user_id=user.pk), holder, sitting.now)
    sitting.owner = Actor(user_id=user.pk, holder=holder)
    sitting.play_until(Phase.FINISHED)
    assert_log_folds(sitting.match)


def test_adopted_match_is_open_to_the_member_and_closed_to_the_guest():
    sitting = started_match()
    desk = browser_of(sitting)
    user = registered(desk)
    phone = Client()
    phone.post(link_to())
    phone.post(LOGIN, {"login": "Boris7", "password": PASSWORD})
    assert phone.get(page_of(sitting.match)).status_code == 200
    assert desk.get(page_of(sitting.match)).status_code == 404, (
        "not before this browser signs in too"
    )
    desk.post(LOGIN, {"login": "Boris7", "password": PASSWORD})
    assert desk.get(page_of(sitting.match)).status_code == 200
    assert selectors.running_matches(Actor(user_id=user.pk)).count() == 1


def test_sign_in_adopts_matches_played_after_activation_elsewhere():
    sitting = started_match()
    desk = browser_of(sitting)
    user = registered(desk)
    Client().post(link_to())
    desk.post(TRAINING, {"variant": "short", "length": 1, "level": "casual", "side": "white"})
    desk.post(LOGIN, {"login": "Boris7", "password": PASSWORD})
    assert selectors.running_matches(Actor(user_id=user.pk)).count() == 2
    assert "guest" not in desk.session


@pytest.mark.parametrize("is_on_another_device", [False, True])
def test_matches_that_a_guest_begins_after_the_sign_up_are_adopted(client, is_on_another_device):
    """The page after the sign-up offers to train as a guest until the link is followed."""
    user = registered(client)
    assert user.guest is None
    client.post(TRAINING, {"variant": "short", "length": 1, "level": "casual", "side": "white"})
    guest = client.session["guest"]
    if is_on_another_device:
        Client().post(link_to())
        client.post(LOGIN, {"login": "Boris7", "password": PASSWORD})
    else:
        client.post(link_to())
    assert selectors.running_matches(Actor(user_id=user.pk)).count() == 1
    assert "guest" not in client.session
    user.refresh_from_db()
    assert str(user.guest) == guest


def test_sign_up_in_the_browser_of_another_members_guest_adopts_nothing(client):
    sitting = started_match()
    first = member("annika")
    User.objects.filter(pk=first.pk).update(guest=sitting.guest)
    user = registered(client)
    session = client.session
    session["guest"] = str(sitting.guest)
    session.save()
    client.post(link_to())
    user.refresh_from_db()
    assert user.guest is None
    assert Seat.objects.get(match=sitting.match, bot="").guest == sitting.guest


def test_guest_seat_in_a_match_against_the_adopting_member_is_not_adopted():
    """One person in two browsers would have both seats, and win against themselves."""
    user, guest, other = member("annika"), uuid4(), member("boris")
    rules = Rules.of("short", length=1, delay_ms=30_000)
    against_self, against_other = (
        matches.create_friendly(
            rules, {Side.WHITE: Actor(guest=guest), Side.BLACK: Actor(user_id=black.pk)}, NOW
        )
        for black in (user, other)
    )
    assert guests.adopt(guest, user.pk) == 1
    assert [seat.user for seat in against_self.seats.order_by("-side")] == [None, user]
    assert [seat.user for seat in against_other.seats.order_by("-side")] == [user, other]


def test_first_activated_of_two_registrations_adopts_the_matches():
    sitting = started_match()
    client = browser_of(sitting)
    first, second = registered(client, "First7"), registered(client, "Second7", "s@example.org")
    members.activate(first.pk, timezone.now())
    later = Seat.objects.create(match=_match_without_guest(), side="white", guest=sitting.guest)
    members.activate(second.pk, timezone.now())
    assert Seat.objects.get(match=sitting.match, bot="").user == first
    later.refresh_from_db()
    assert later.user is None
    assert guests.adopt(sitting.guest, second.pk) == 0
    assert guests.adopt(sitting.guest, first.pk) == 1


def _match_without_guest() -> Match:
    sitting = Sitting(Rules.of("long", length=1))
    sitting.match.seats.filter(guest__isnull=False).delete()
    return sitting.match


def test_sign_in_does_not_adopt_another_guests_matches():
    sitting = started_match()
    client = browser_of(sitting)
    annika = member("annika")
    client.post(LOGIN, {"login": "annika", "password": PASSWORD})
    assert Seat.objects.get(match=sitting.match, bot="").guest == sitting.guest
    assert selectors.running_matches(Actor(user_id=annika.pk)).count() == 0
    assert client.session["guest"] == str(sitting.guest)


def test_unactivated_account_adopts_nothing():
    sitting = started_match()
    user = unactivated("boris7")
    User.objects.filter(pk=user.pk).update(guest=sitting.guest)
    user.refresh_from_db()
    client = browser_of(sitting)
    sign_in(client, user)
    assert Seat.objects.get(match=sitting.match, bot="").guest == sitting.guest


def test_bots_and_other_guests_keep_their_seats():
    sitting, other = started_match(), started_match()
    user = member("annika")
    assert guests.adopt(sitting.guest, user.pk) == 1
    assert sitting.match.seats.get(user=None).bot == "casual"
    assert other.match.seats.get(bot="").guest == other.guest


def test_guest_cleanup_keeps_adopted_matches():
    sitting = started_match()
    guests.adopt(sitting.guest, member("annika").pk)
    assert guests.forget_guests(timezone.now(), timezone.now()) == 0
    assert Match.objects.filter(pk=sitting.match.pk).exists()
