"""A hidden stake is shown to members who may join, and later to the two players only."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.services import rematches
from lobby.models import Seek
from lobby.services.announcing import Announcement, announce
from lobby.services.joining import join
from tests.games.factories import DELAY_MS, StakeSitting, command, give_history
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

STAKE = 437


def client_of(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def begin(stake=STAKE, **fields):
    owner, joiner = player("owner5", 5000), player("joiner", 5000)
    rules = Rules.of("short", length=3, delay_ms=DELAY_MS)
    wanted = Announcement(rules, stake, hides_stake=True, **fields)
    seek = announce(owner, wanted, timezone.now())
    match = join(seek.public_id, joiner, timezone.now())
    return seek, match, owner, joiner


def pages_of(seek, match):
    return [
        reverse("lobby:lobby"),
        reverse("lobby:running", args=[match.public_id]),
        reverse("games:match", args=[match.public_id]),
        reverse("lobby:seek", args=[seek.public_id]),
    ]


def test_only_the_two_players_see_a_hidden_stake():
    seek, match, owner, joiner = begin()
    assert (match.hides_stake, match.stake_credits) == (True, STAKE)
    for viewer in (None, player("other5", 5000)):
        for page in pages_of(seek, match):
            assert str(STAKE) not in client_of(viewer).get(page).content.decode(), page
    for viewer in (owner, joiner):
        for page in pages_of(seek, match)[:3]:  # the last one leads them to the table
            assert str(STAKE) in client_of(viewer).get(page).content.decode(), page


@pytest.mark.parametrize("stake", [STAKE, 600])
def test_the_delay_for_spectators_does_not_tell_how_high_a_hidden_stake_is(stake, settings):
    settings.WATCH_DELAY_STAKE = 500
    _, match, _, _ = begin(stake)
    assert match.is_delayed
    page = client_of(None).get(reverse("lobby:running", args=[match.public_id]))
    assert "one turn behind" in page.content.decode()


def test_without_a_delay_a_match_with_a_hidden_stake_is_not_delayed(settings):
    settings.WATCH_DELAY_STAKE = 0
    _, match, _, _ = begin()
    assert not match.is_delayed


def test_a_member_who_may_join_sees_the_stake_and_that_it_will_be_hidden(settings):
    settings.WATCH_DELAY_STAKE = 500
    owner = player("owner5", 5000)
    rules = Rules.of("short", length=3, delay_ms=DELAY_MS)
    seek = announce(owner, Announcement(rules, STAKE, hides_stake=True), timezone.now())
    page = client_of(player("joiner", 5000)).get(reverse("lobby:seek", args=[seek.public_id]))
    assert str(STAKE) in page.content.decode()
    assert "only the two players see it" in page.content.decode()
    assert "one turn behind" in page.content.decode()


@pytest.mark.parametrize("query", ["least_stake=400", "most_stake=500", "most_stake=20"])
def test_filter_by_stake_reveals_nothing_of_a_hidden_one(query):
    _, match, owner, _ = begin()
    address = reverse("games:match", args=[match.public_id])

    def lobby(viewer, query):
        return client_of(viewer).get(reverse("lobby:lobby") + f"?order=&{query}")

    assert address in lobby(None, "").text
    assert address not in lobby(None, query).text
    assert (match in lobby(owner, query).context["running"]) == (query != "most_stake=20")


def test_order_and_featured_game_reveal_nothing_of_a_hidden_stake():
    _, hidden, _, _ = begin()
    other = StakeSitting(player("white7"), player("black7"), stake=20).match
    page = client_of(None).get(reverse("lobby:lobby") + "?order=high")
    assert page.context["featured"] == other
    assert list(page.context["running"]) == [hidden]


def test_form_announces_a_hidden_stake():
    owner = player("owner5", 5000)
    sent = {
        "variant": "short", "length": "3", "seconds": "30", "stake": "100", "access": "OPEN",
        "hides_stake": "on", "confirmed": "1",
    }  # fmt: skip
    client_of(owner).post(reverse("lobby:announce"), sent)
    assert Seek.objects.get().hides_stake


def test_rematch_keeps_the_stake_hidden():
    sitting = StakeSitting(player("white5"), player("black5"), hides_stake=True).sit().start_game()
    for user in sitting.users.values():
        give_history(user)
    sitting.both_move(1)
    sitting.do("resign_match")
    for side, verb in ((Side.WHITE, "rematch_offer"), (Side.BLACK, "rematch_accept")):
        asked = command(verb, sitting.seq)
        rematches.submit(sitting.public_id, sitting.actors[side], asked, sitting.now)
    assert Match.objects.get(rematch_of=sitting.match).hides_stake
