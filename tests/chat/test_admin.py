"""Staff actions on reports: shown, carried out once, logged."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from chat.models import Message, Report, Silence
from chat.selectors import recent
from chat.services import messages, moderation
from chat.staff_actions import REPORT_ACTIONS
from tests.accounts.factories import member, sign_in
from tests.chat.factories import MessageFactory

pytestmark = pytest.mark.django_db
REPORTS = "/admin/chat/report/"
TEXT = Message.Kind.TEXT


@pytest.fixture
def report() -> Report:
    """Create a report by `victim` of the third of five messages of `rude55`."""
    author, victim, now = member("rude55"), member("victim"), timezone.now()
    sent = [MessageFactory(author=author, body=f"words {number}", now=now) for number in range(5)]
    messages.report(victim, sent[2].pk, now)
    return Report.objects.get()


def act(client: Client, action: str, *rows: Report, reason: str = "Rude", **more: str):
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(REPORTS, {**chosen, "confirmed": "yes", "reason": reason, **more})


def log() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))


def page_of(client: Client, report: Report) -> str:
    return client.get(f"{REPORTS}{report.pk}/change/").content.decode()


def test_message_outside_of_a_match_can_be_hidden(boss):
    message = MessageFactory(room="lounge")
    messages.report(member("victim"), message.pk, timezone.now())
    assert moderation.hide(Report.objects.get(), boss, timezone.now())
    message.refresh_from_db()
    assert message.hidden_at is not None


def test_a_report_shows_the_messages_around_it_and_their_authors(client, boss, report):
    page = page_of(client, report)
    assert "<strong>words 2</strong>" in page
    assert all(f"words {number}" in page for number in range(5))
    for user in (report.message.author, report.reporter):
        assert f"/admin/accounts/user/{user.pk}/change/" in page
    for button in ("Hide the message", "Close without action", "Silence the author", "Ban"):
        assert button in page


def test_open_reports_come_first_oldest_on_top(client, boss, report):
    now = timezone.now()
    later = now + timedelta(minutes=1)  # beyond the limit of five messages in ten seconds
    late = MessageFactory(room="x", author=report.message.author, body="late one", now=later)
    Report.objects.create(message=late, reporter=report.reporter, created_at=now)
    page = client.get(REPORTS).content.decode()
    assert page.index("words 2") < page.index("late one")
    act(client, "dismiss", report)
    client.get(REPORTS)  # shows the success message, which names the report
    page = client.get(REPORTS).content.decode()
    assert page.index("late one") < page.index("words 2")
    assert "words 2" not in client.get(REPORTS, {"state": "open"}).content.decode()


def test_hiding_a_message_closes_the_report(client, boss, report):
    for _ in range(2):
        act(client, "hide", report)
    room = report.message.room
    assert [message.body for message in recent(room, None)] == [f"words {n}" for n in (0, 1, 3, 4)]
    report.refresh_from_db()
    assert report.closed_by == boss
    assert log() == ["Message hidden: Rude"]


@pytest.mark.parametrize("action", REPORT_ACTIONS, ids=lambda action: action.name)
def test_every_action_needs_confirmation_and_a_reason(client, boss, report, action):
    chosen = {"action": action.name, "_selected_action": [report.pk], "reason": "Rude", "days": "3"}
    assert str(action.title) in client.post(REPORTS, chosen).content.decode()
    assert act(client, action.name, report, reason="", days="3").status_code == 422
    assert Report.objects.filter(closed_at=None).exists()
    assert log() == []
    act(client, action.name, report, days="3")
    assert len(log()) == 1


def test_a_report_may_be_closed_without_action(client, boss, report):
    act(client, "dismiss", report)
    act(client, "dismiss", report)
    assert Message.objects.filter(hidden_at=None).count() == 5
    assert log() == ["Closed, nothing done: Rude"]


def test_action_on_a_report_that_is_deleted_meanwhile_says_that_nothing_changes(
    client, boss, report
):
    chosen = {"action": "dismiss", "_selected_action": [report.pk], "confirmed": "yes"}
    report.delete()
    answer = client.post(REPORTS, {**chosen, "reason": "Rude"}, follow=True)
    assert "Nothing to change." in answer.content.decode()
    assert log() == []


def test_a_silence_lasts_until_its_end_or_is_ended_early(client, boss, report):
    author, room = report.message.author, report.message.room
    for days in ("3", "3", "1"):
        act(client, "silence", report, days=days)
    silence = Silence.objects.get()
    assert log() == ["Author silenced for 3 days: Rude"]
    then = silence.created_at + timedelta(days=2.9)
    with pytest.raises(Refused, match="silenced"):
        messages.say(room, author, TEXT, "still here", then)
    assert messages.say(room, author, TEXT, "again", silence.created_at + timedelta(days=3.1))
    act(client, "silence", report, days="30")
    silence.refresh_from_db()
    assert silence.until == silence.created_at + timedelta(days=30)
    chosen = {"action": "end", "_selected_action": [silence.pk], "confirmed": "yes"}
    client.post("/admin/chat/silence/", {**chosen, "reason": "Sorry"})
    assert messages.say(room, author, TEXT, "at last", timezone.now() + timedelta(minutes=1))


def test_only_staff_who_may_ban_members_ban_an_author(client, boss, report):
    helper = member("helper1")
    helper.is_staff = True
    helper.save()
    rights = Permission.objects.filter(codename__in=["view_report", "change_report"])
    helper.user_permissions.set(rights)
    helper_client = sign_in(Client(), helper)
    act(helper_client, "ban", report)
    assert User.objects.get(pk=report.message.author_id).is_active
    act(client, "ban", report)
    act(client, "ban", report)
    assert not User.objects.get(pk=report.message.author_id).is_active
    assert log() == ["Author banned: Rude"]
    assert "The author is banned." in page_of(client, report)


def test_staff_with_view_permission_get_no_actions(client, boss, report):
    viewer = member("viewer")
    viewer.is_staff = True
    viewer.save()
    viewer.user_permissions.set(Permission.objects.filter(codename="view_report"))
    viewer_client = sign_in(Client(), viewer)
    assert "Hide the message" not in page_of(viewer_client, report)
    act(viewer_client, "hide", report)
    assert not Message.objects.exclude(hidden_at=None).exists()


def test_messages_are_searchable_and_read_only(client, boss, report):
    listed = client.get("/admin/chat/message/", {"q": '"words 2"'}).content.decode()
    assert "words 2" in listed
    assert "words 3" not in listed
    address = f"/admin/chat/message/{report.message_id}/change/"
    assert client.post(address, {"body": "nicer"}).status_code == 403
