"""A player offers the terms of a finished match again, by a new game or a new link."""

from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.forms import values_of
from games.models.actor import Actor
from lobby.forms import AnnounceForm
from lobby.invitation_form import InvitationForm
from lobby.models import Invitation, Seek
from lobby.services import presets
from tests.games.factories import FriendlySitting, StakeSitting
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def browser(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def anna() -> Any:
    return player("anna5")


@pytest.fixture
def staked(anna) -> Any:
    sitting = StakeSitting(anna, player("boris")).sit().start_game().both_move()
    sitting.do("resign_match", side=Side.BLACK)
    return sitting.match


def test_terms_of_a_game_for_credits_are_shown_before_it_is_created(anna, staked) -> None:
    client = browser(anna)
    table = client.get(f"/match/{staked.public_id}/").content.decode()
    assert f"/play/again/{staked.public_id}/" in table
    page = client.post(f"/play/again/{staked.public_id}/")
    assert page.status_code == 200
    assert not Seek.objects.exists()
    form = page.context["form"]
    sent = {name: str(value) for name, value in form.data.items()} | {"confirmed": "1"}
    assert client.post("/play/new/", sent).status_code == 302
    made = Seek.objects.get()
    assert (made.match_rules, made.stake_credits) == (staked.match_rules, staked.stake_credits)
    assert (made.access, made.is_public) == (Seek.Access.OPEN, staked.is_public)


def test_a_stake_that_is_too_high_now_leads_to_the_form(anna, staked) -> None:
    SeekFactory(owner=anna, stake=1000)
    answer = browser(anna).post(f"/play/again/{staked.public_id}/")
    assert answer.headers["Refusal"] == "announced"
    Seek.objects.update(state="CANCELED", closed_at=timezone.now())
    answer = browser(anna).post(f"/play/again/{staked.public_id}/")
    assert (answer.status_code, answer.headers["Refusal"]) == (422, "invalid")


def test_presets_beside_a_stake_that_is_too_high_lead_to_the_form(anna, staked) -> None:
    preset = presets.save(anna, "Blitz", {"stake": 50}, timezone.now())
    SeekFactory(owner=anna, stake=1000)
    Seek.objects.update(state="CANCELED", closed_at=timezone.now())
    page = browser(anna).post(f"/play/again/{staked.public_id}/").content.decode()
    assert f'href="/play/new/?preset={preset.public_id}"' in page


def test_a_friendly_match_gets_a_new_link_on_the_same_terms(anna) -> None:
    friend = player("boris")
    sitting = FriendlySitting(Actor(user_id=anna.pk), Actor(user_id=friend.pk))
    match = sitting.sit().start_game().play_until(Phase.FINISHED).match
    address = f"/play/again/{match.public_id}/"
    made = browser(anna).post(address)
    invitation = Invitation.objects.get(match=None)
    assert made.url == f"/play/friend/{invitation.public_id}/"
    assert (invitation.maker, invitation.match_rules) == (anna, match.match_rules)
    again = browser(anna)
    repeated = again.post(address)
    assert (repeated.url, repeated.headers["Refusal"]) == (made.url, "invited")
    assert 'class="notice error"' not in again.get(made.url).content.decode()


def test_only_the_players_of_a_finished_match_repeat_it(anna, staked) -> None:
    address = f"/play/again/{staked.public_id}/"
    assert browser(player("third")).post(address).status_code == 404
    assert Client().post(address).status_code == 404
    running = StakeSitting(player("cem55"), player("deniz")).match
    seated = browser(running.seats.get(side="white").user)
    assert seated.post(f"/play/again/{running.public_id}/").url == f"/match/{running.public_id}/"


ALL_RULES = [
    Rules.of(variant, profile, length=length, delay_ms=30_000, **more)
    for variant, profile, length, more in product(
        ("short", "long"),
        ("classic", "federation", "manual"),
        (1, 3),
        ({}, {"mars": False}, {"parity": True, "crawford": False}, {"cube": False}),
    )
]


@pytest.mark.parametrize("form", [AnnounceForm, InvitationForm])
def test_a_form_filled_with_the_values_of_rules_gives_the_same_rules(anna, form: Any) -> None:
    own = {"owner": anna, "available": 100} if form is AnnounceForm else {"is_guest": False}
    for rules in ALL_RULES:
        data = {name: value for name, value in values_of(rules).items() if value is not False}
        bound = form(data | {"stake": 50}, **own)
        assert bound.is_valid(), bound.errors
        assert bound.rules == rules
