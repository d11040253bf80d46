"""Pages of a void match say why it does not count."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import broadcast
from games.engine.sides import Side
from games.models import Interruption
from games.models.void_cause import REASONS, VoidCause
from games.services import heartbeat, interruptions
from games.services.deadlines import settle_due
from games.services.voiding import void_by_staff
from games.stakes.escrow import Ruling
from tests.accounts.factories import member, staff
from tests.games.factories import StakeSitting

pytestmark = pytest.mark.django_db


def not_started(sitting: StakeSitting) -> None:
    sitting.pass_time(30_000)
    settle_due(sitting.now)


def left(sitting: StakeSitting) -> None:
    sitting.sit().do("leave", side=Side.WHITE)


def called_off(sitting: StakeSitting) -> None:
    void_by_staff(sitting.public_id, Ruling("Why", member("judge").pk), sitting.now)


def interrupted(sitting: StakeSitting) -> None:
    row = Interruption.objects.create(
        match=sitting.match, began_at=sitting.now, ended_at=sitting.now
    )
    assert interruptions.confirm(row, staff("boss12345"), sitting.now)


def out_of_reach(sitting: StakeSitting) -> None:
    sitting.sit().start_game()
    heartbeat.beat(sitting.now)
    sitting.pass_time(3_600_000)
    heartbeat.beat(sitting.now)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (not_started, "A player did not come to the table in time."),
        (left, "white5 gave up before the first roll."),
        (called_off, "Our team called this match off."),
    ],
)
@pytest.mark.parametrize("name", ["games:review", "lobby:running"])
def test_pages_of_a_void_match_give_the_reason(white, black, end, reason, name):
    sitting = StakeSitting(white, black)
    end(sitting)
    page = Client(headers={"accept-language": "en"}).get(reverse(name, args=[sitting.public_id]))
    assert f"The match does not count. {reason}" in page.content.decode()


def test_each_cause_has_a_reason():
    assert set(REASONS) == set(VoidCause)


@pytest.mark.parametrize("end", [not_started, left, called_off, interrupted, out_of_reach])
def test_players_on_other_pages_are_nudged_once_when_their_match_becomes_void(
    white, black, end, monkeypatch, django_capture_on_commit_callbacks
):
    sitting = StakeSitting(white, black)
    nudges: list[tuple[Any, ...]] = []
    monkeypatch.setattr(broadcast, "nudge", lambda *nudge: nudges.append(nudge))
    with django_capture_on_commit_callbacks(execute=True):
        end(sitting)
    id = sitting.public_id
    assert sorted(nudges) == sorted([(white.pk, "match", id), (black.pk, "match", id)])
