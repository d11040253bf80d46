"""The data export: the member's data of all apps, no secrets, nothing that belongs to others."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Preferences, Profile
from accounts.people import blocks, presence
from chat.services.messages import say
from games.archive import fold_slots
from games.archive.fold_slots import Slots
from games.engine.match.permissions import on_turn
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.models.actor import Actor
from games.services import matches
from games.services.deadlines import settle_due
from lobby.services import joining
from stats.services.rating import rate_waiting
from tests.accounts.factories import member, sign_in
from tests.games.factories import StakeSitting, give_history
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player
from wallet.services import accounts, holds
from wallet.services.transfers import Cause

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return member("owner", country="TR")


@pytest.fixture
def stranger():
    return member("stranger")


def exported(browser, method="post"):
    answer = getattr(browser, method)(reverse("export_my_data"))
    assert answer.status_code == 200
    return json.loads(answer.content)


def begin_training(user):
    return matches.create_training(
        Actor(user_id=user.pk), Rules.of(Variant.SHORT), Side.WHITE, "casual", timezone.now()
    )


@pytest.mark.parametrize("method", ["post", "get"])
def test_the_file_has_account_credits_and_matches(client, owner, stranger, method):
    blocks.block(owner.pk, stranger.pk, timezone.now())
    Preferences.objects.filter(user=owner).update(dice="manual")
    Profile.objects.filter(user=owner).update(crest="red")
    account = accounts.of_user(owner.pk)
    holds.open("test:1", account.pk, 100, Cause("stake", "1"), timezone.now())
    match = begin_training(owner)
    data = exported(sign_in(client, owner), method)
    assert data["account"]["login"] == "owner"
    assert data["account"]["emails"] == [
        {"email": "owner@example.org", "verified": True, "primary": True}
    ]
    assert data["account"]["profile"]["crest"] == "red"
    assert data["account"]["profile"]["country"] == "TR"
    assert data["account"]["preferences"]["dice"] == "manual"
    assert [person["login"] for person in data["account"]["blocked"]] == ["stranger"]
    assert (data["credits"]["available"], data["credits"]["reserved"]) == (0, 100)
    (welcome,) = data["credits"]["entries"]
    assert (welcome["credits"], welcome["balance"]) == (100, 100)
    assert [hold["state"] for hold in data["credits"]["holds"]] == ["OPEN"]
    (played,) = data["matches"]
    assert played["export"] == reverse("games:export_json", args=[match.public_id])


def test_messages_seeks_and_strikes_are_in_their_owners_file_only(client):
    players = {Side.WHITE: player("white5"), Side.BLACK: player("black5")}
    give_history(players[Side.WHITE])
    give_history(players[Side.BLACK])
    sitting = StakeSitting(*players.values()).sit().start_game().both_move()
    late = on_turn(sitting.state)
    for side, user in players.items():
        say(f"match:{sitting.public_id}:players", user, "TEXT", f"I am {side}", sitting.now)
    sitting.pass_time(3_600_000)
    settle_due(sitting.now)
    rate_waiting(sitting.now)
    data = exported(sign_in(client, players[late]))
    assert [message["body"] for message in data["chat"]["messages"]] == [f"I am {late}"]
    assert [strike["kind"] for strike in data["lobby"]["strikes"]] == ["STALLED"]
    (change,) = data["ratings"]["changes"]
    assert (change["match"], change["net_credits"]) == (sitting.public_id, -100)
    seek = SeekFactory(owner=players[Side.WHITE], now=sitting.now)
    match = joining.join(seek.public_id, players[Side.BLACK], sitting.now)
    announced = {
        side: exported(sign_in(client, user))["lobby"]["announced"]
        for side, user in players.items()
    }
    assert [each["match"] for each in announced[Side.WHITE]] == [match.public_id]
    assert announced[Side.BLACK] == []


def test_the_file_says_when_the_member_was_last_seen(client, owner):
    browser = sign_in(client, owner)
    assert exported(browser)["account"]["last_seen_at"] is None
    now = timezone.now()
    presence.touch(owner.pk, now)
    assert exported(browser)["account"]["last_seen_at"][:19] == now.isoformat()[:19]


def test_the_file_is_not_cached(client, owner):
    answer = sign_in(client, owner).post(reverse("export_my_data"))
    assert answer["Content-Type"].startswith("application/json")
    assert answer["Content-Disposition"] == (
        f'attachment; filename="5stars-{owner.public_id}.json"'
    )
    assert "no-store" in answer["Cache-Control"]


def test_the_file_has_nothing_of_other_members(client, owner, stranger):
    """A block by another member is not exported either."""
    blocks.block(stranger.pk, owner.pk, timezone.now())
    other = begin_training(stranger)
    text = json.dumps(exported(sign_in(client, owner)))
    assert "stranger" not in text
    assert other.public_id not in text


def test_the_file_has_no_password_or_session_key(client, owner):
    browser = sign_in(client, owner)
    text = json.dumps(exported(browser))
    assert owner.password not in text
    assert browser.session.session_key not in text


def test_entries_are_in_chronological_order(client, owner):
    account = accounts.of_user(owner.pk)
    later = timezone.now() + timedelta(hours=1)
    holds.capture(
        [holds.open("test:1", account.pk, 100, Cause("stake", "1"), later).pk],
        accounts.pot("match:1").pk,
        "test:2",
        Cause("stake", "1"),
        later,
    )
    lines = exported(sign_in(client, owner))["credits"]["entries"]
    assert [(line["credits"], line["balance"]) for line in lines] == [(100, 100), (-100, 0)]


@pytest.mark.parametrize("method", ["get", "post"])
def test_export_is_rate_limited(client, owner, settings, method):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"export_my_data": "1/h/user"}
    browser = sign_in(client, owner)
    exported(browser, method)
    assert getattr(browser, method)(reverse("export_my_data")).status_code == 429


def test_a_guest_is_redirected_to_sign_in(client):
    answer = client.post(reverse("export_my_data"))
    assert answer["Location"].startswith(reverse("account_login"))


def test_the_positions_of_a_members_matches_are_not_loaded(client, owner):
    """The snapshots of a few thousand matches took 130 MB."""
    begin_training(owner)
    browser = sign_in(client, owner)
    with CaptureQueriesContext(connection) as queries:
        exported(browser)
    assert not [each["sql"] for each in queries if '"games_match"."snapshot"' in each["sql"]]


def test_a_busy_process_makes_no_further_file(client, owner, monkeypatch):
    browser = sign_in(client, owner)
    monkeypatch.setattr(fold_slots, "WAIT_S", 0.01)
    monkeypatch.setattr(fold_slots, "_slots", Slots(1, 1))
    with fold_slots.slot():
        refused = browser.get(reverse("export_my_data"))
    assert refused.status_code == 429
    assert refused["Retry-After"] == "1"
    exported(browser)
