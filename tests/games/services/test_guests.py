"""Matches of guests are deleted after the time in which guests can return to them."""

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import Message
from chat.services import messages
from games.engine.rules import Rules
from games.models import Action, Match
from games.reviews import queue
from games.services import guests
from tests.accounts.factories import member
from tests.chat.factories import MessageFactory
from tests.games import factories
from tests.games.factories import Sitting, assert_log_folds

pytestmark = pytest.mark.django_db


def sitting_of(days_ago: int, monkeypatch: pytest.MonkeyPatch) -> Sitting:
    monkeypatch.setattr(factories, "START", timezone.now() - timedelta(days=days_ago))
    return Sitting(Rules.of("short")).sit().start_game()


def test_guest_matches_without_recent_actions_are_deleted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guests, "BATCH", 2)
    old = [sitting_of(200, monkeypatch) for _ in range(3)]
    old[0].do("resign_match")
    queue.ask(old[0].public_id, old[0].owner, timezone.now())
    recent = sitting_of(100, monkeypatch)
    while not recent.match.actions.filter(verb="play").exists():
        recent.act_simply()
    out = io.StringIO()
    call_command("forgetguests", stdout=out)
    assert out.getvalue() == "3 matches forgotten\n"
    assert list(Match.objects.values_list("public_id", flat=True)) == [recent.public_id]
    assert set(Action.objects.values_list("match_id", flat=True)) == {recent.match.pk}
    assert_log_folds(recent.match)


def test_old_match_with_a_recent_action_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = sitting_of(200, monkeypatch)
    sitting.pass_time(199 * 86_400_000)
    sitting.act_simply()
    call_command("forgetguests", stdout=io.StringIO())
    assert Match.objects.get().public_id == sitting.public_id


def play(sitting: Sitting) -> None:
    sitting.pass_time(199 * 86_400_000)
    sitting.act_simply()


def sign_up(sitting: Sitting) -> None:
    assert guests.adopt(sitting.guest, member("anna5").pk) == 1


@pytest.mark.parametrize("use", [play, sign_up])
def test_match_used_between_the_search_and_the_deletion_is_kept(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[Sitting], None]
) -> None:
    sitting = sitting_of(200, monkeypatch)
    long_ago = timezone.now() - timedelta(days=180)
    forgettable = guests._forgettable

    def find_and_use(*given: Any) -> list[int]:
        found = forgettable(*given)
        monkeypatch.setattr(guests, "_forgettable", forgettable)
        assert found == [sitting.match.pk]
        use(sitting)
        return found

    monkeypatch.setattr(guests, "_forgettable", find_and_use)
    assert guests.forget_guests(long_ago, long_ago) == 0
    assert Match.objects.get() == sitting.match
    assert_log_folds(sitting.match)


def test_members_match_is_kept(monkeypatch: pytest.MonkeyPatch, django_user_model: type) -> None:
    sitting = sitting_of(200, monkeypatch)
    member = django_user_model.objects.create_user("member1", "member@example.org", "Password1")
    sitting.match.seats.filter(side="white").update(guest=None, user=member)
    assert guests.forget_guests(timezone.now(), timezone.now()) == 0
    assert Match.objects.count() == 1


def test_no_query_reads_the_logs_of_more_than_a_batch_of_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One query over the logs of all guests' matches would exceed PostgreSQL's time limit."""
    monkeypatch.setattr(guests, "BATCH", 2)
    for _ in range(5):
        sitting_of(100, monkeypatch).act_simply()
    long_ago = timezone.now() - timedelta(days=180)
    with CaptureQueriesContext(connection) as queries:
        assert guests.forget_guests(long_ago, long_ago) == 0
    over_logs = [each["sql"] for each in queries if "MAX(" in each["sql"]]
    assert len(over_logs) == 3
    assert all('"games_match"."id" IN (' in sql for sql in over_logs)


def test_match_of_two_guests_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = sitting_of(200, monkeypatch)
    sitting.match.seats.filter(side="black").update(guest=uuid4(), bot="")
    assert guests.forget_guests(timezone.now(), timezone.now()) == 1
    assert not Match.objects.exists()


def test_forgetguests_refuses_zero_days() -> None:
    with pytest.raises(CommandError, match="At least one day"):
        call_command("forgetguests", "--days", "0")


def test_database_constraints_are_satisfied_after_deletion(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting_of(200, monkeypatch)
    guests.forget_guests(timezone.now(), timezone.now())
    connection.check_constraints()


def test_reported_message_of_a_spectator_stays_and_does_not_keep_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = f"match:{sitting_of(200, monkeypatch).public_id}:watchers"
    rude, other = MessageFactory(room=room), MessageFactory(room=room)
    messages.report(other.author, rude.pk, timezone.now())
    call_command("forgetguests", stdout=io.StringIO())
    assert not Match.objects.exists()
    assert Message.objects.get() == rude
    connection.check_constraints()
