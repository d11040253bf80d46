"""Staff void a running match for credits: stakes are returned, players notified, a log kept."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.broadcast import built
from accounts.models import User
from accounts.shared.transactions import write_transaction
from games import broadcast
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Interruption, Match, Strike
from games.selectors import has_live_stake
from stats.models import RatedMatch
from tests.accounts.factories import member, sign_in, staff
from tests.games.factories import Sitting, StakeSitting, assert_log_folds
from tests.wallet.factories import player, total_of
from wallet.models import Transfer
from wallet.services import transfers

pytestmark = pytest.mark.django_db

LIST = "/admin/games/match/"


@pytest.fixture
def sitting() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), stake=100, length=5).sit().start_game()


@pytest.fixture
def bossy(client: Client) -> Client:
    return sign_in(client, staff("bossy"))


def call_off(client: Client, match: Match, reason: str = "The dice were stuck.") -> Any:
    form = {"action": "void", "_selected_action": [match.pk], "confirmed": "yes", "reason": reason}
    return client.post(LIST, form, follow=True)


def test_staff_void_a_running_match_and_both_stakes_go_back(bossy, sitting):
    sitting.both_move()
    call_off(bossy, sitting.match)
    assert sitting.state.outcome.cause is MatchCause.VOID
    assert sitting.match.actions.get(verb="void").data["cause"] == "staff"
    assert [total_of(user) for user in sitting.users.values()] == [1000, 1000]
    assert not any(has_live_stake(user.pk) for user in sitting.users.values())
    assert not RatedMatch.objects.exists()
    assert not Strike.objects.exists()
    assert_log_folds(sitting.match)


@pytest.mark.parametrize("phase", [Phase.SEATING, Phase.BETWEEN_GAMES])
def test_match_can_be_voided_before_and_between_games(bossy, phase):
    sitting = StakeSitting(player("white5"), player("black5"), length=5).sit()
    if phase is Phase.BETWEEN_GAMES:
        sitting.start_game().play_until(phase)
    call_off(bossy, sitting.match)
    assert sitting.state.outcome.cause is MatchCause.VOID
    assert [total_of(user) for user in sitting.users.values()] == [1000, 1000]


def test_reason_is_logged_and_shown_to_the_players(bossy, sitting):
    call_off(bossy, sitting.match)
    entry = LogEntry.objects.get(object_id=str(sitting.match.pk))
    assert "The dice were stuck." in entry.change_message
    refund = Transfer.objects.get(key=f"settle:{sitting.public_id}")
    assert (refund.reason, refund.by.username) == ("The dice were stuck.", "bossy")
    browser = sign_in(Client(), sitting.users[Side.WHITE])
    assert "The dice were stuck." in browser.get(reverse("wallet:statement")).content.decode()


def test_the_table_is_notified(bossy, sitting, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(broadcast, "send", lambda *messages: sent.extend(built(messages)))
    with django_capture_on_commit_callbacks(execute=True):
        call_off(bossy, sitting.match)
    actions = [message["event"]["action"] for group, message in sent if "event" in message]
    assert [action["kind"] for action in actions] == ["void", "reveal"]
    assert actions[0]["cause"] == "staff"


def test_voiding_twice_changes_nothing(bossy, sitting):
    for _ in range(2):
        answer = call_off(bossy, sitting.match)
    assert "Only a match for credits that is still in progress" in answer.content.decode()
    assert sitting.match.actions.filter(verb="void").count() == 1
    assert [total_of(user) for user in sitting.users.values()] == [1000, 1000]


def test_training_match_cannot_be_voided(bossy):
    sitting = Sitting(Rules.of("short")).sit()
    answer = call_off(bossy, sitting.match)
    assert "Only a match for credits that is still in progress" in answer.content.decode()
    assert sitting.state.outcome is None


def test_match_is_not_voided_without_a_reason(bossy, sitting):
    assert call_off(bossy, sitting.match, reason="").status_code == 422
    assert sitting.state.outcome is None


def test_staff_without_the_permission_are_refused(client, sitting):
    clerk = member("clerk")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_match"))
    sign_in(client, clerk)
    call_off(client, sitting.match)
    assert sitting.state.outcome is None
    clerk.user_permissions.add(Permission.objects.get(codename="change_match"))
    call_off(client, sitting.match)
    assert sitting.state.outcome is not None


def take_stakes_out(sitting: StakeSitting) -> None:
    with write_transaction():
        stake = Transfer.objects.get(key=f"stake:{sitting.public_id}")
        transfers.reverse(stake.pk, "Old.", None, sitting.now)


def test_voiding_is_refused_if_the_pot_lacks_the_stakes(bossy, sitting):
    take_stakes_out(sitting)
    answer = call_off(bossy, sitting.match)
    assert "does not hold both stakes" in answer.content.decode()
    assert sitting.state.outcome is None
    assert not LogEntry.objects.exists()


def test_only_the_interrupted_match_whose_pot_lacks_the_stakes_is_not_voided(bossy, sitting):
    sound = StakeSitting(player("white6"), player("black6"), length=5).sit().start_game()
    rows = [
        Interruption.objects.create(match=each.match, began_at=each.now, ended_at=each.now)
        for each in (sitting, sound)
    ]
    take_stakes_out(sitting)
    form = {
        "action": "confirm_void",
        "_selected_action": [row.pk for row in rows],
        "confirmed": "yes",
        "reason": "Both asked for it.",
    }
    page = bossy.post("/admin/games/interruption/", form, follow=True).content.decode()
    assert f"{sitting.public_id}: The pot does not hold both stakes" in page
    assert f"Done: {sound.public_id}." in page
    assert sitting.state.outcome is None
    assert sound.state.outcome.cause is MatchCause.VOID
    assert [entry.object_repr for entry in LogEntry.objects.all()] == [sound.public_id]
