"""The nightly commands delete old messages at tables, and old reports with their silences.

Closing an account deletes its mutes.
"""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.closing import services as closing
from chat.models import Message, Mute, PlayerReport, Report, Silence
from chat.services import messages, moderation, player_reports, retention
from chat.services.messages import BATCH
from tests.accounts.factories import member, staff
from tests.chat.factories import MessageFactory
from tests.support.races import one_after_the_other

pytestmark = pytest.mark.django_db
NOW = timezone.now()
LONG_AGO = NOW - timedelta(days=800)


def test_old_messages_of_tables_are_deleted(capsys):
    for room in ("match:AbCdEf123456:players", "match:AbCdEf123456:watchers"):
        MessageFactory(room=room, now=NOW - timedelta(days=366))
    kept = MessageFactory(now=NOW - timedelta(days=364))
    private = MessageFactory(room="direct:1:2", now=LONG_AGO)
    call_command("forgetchats")
    assert set(Message.objects.all()) == {kept, private}
    assert "2 messages forgotten" in capsys.readouterr().out


def test_reported_message_is_kept_until_its_report_is_deleted():
    message = MessageFactory(now=LONG_AGO)
    messages.report(member("victim"), message.pk, LONG_AGO)
    call_command("forgetchats")
    assert Message.objects.exists()
    moderation.dismiss(Report.objects.get(), staff("keeper"), LONG_AGO)
    call_command("forgetreports")
    call_command("forgetchats")
    assert not Message.objects.exists()


def test_more_messages_than_one_batch_are_deleted(monkeypatch):
    assert BATCH > 2
    monkeypatch.setattr(messages, "BATCH", 2)
    for number in range(5):
        MessageFactory(now=LONG_AGO + timedelta(hours=number))
    call_command("forgetchats")
    assert not Message.objects.exists()


def silenced(at):
    message = MessageFactory(now=at)
    messages.report(member("victim"), message.pk, at)
    moderation.silence(Report.objects.get(), staff("keeper"), timedelta(days=3), at, "Insults")
    return Silence.objects.get()


def test_report_is_deleted_with_its_silence():
    silenced(LONG_AGO)
    call_command("forgetreports")
    assert not Report.objects.exists()
    assert not Silence.objects.exists()


def test_report_is_kept_while_its_silence_is_recent_or_its_appeal_is_open():
    silence = silenced(LONG_AGO)
    Silence.objects.update(until=NOW - timedelta(days=700))
    call_command("forgetreports")
    assert Report.objects.exists()
    Silence.objects.update(until=silence.until, appeal="Why?", appealed_at=LONG_AGO)
    call_command("forgetreports")
    assert Report.objects.exists()
    Silence.objects.update(answered_at=LONG_AGO)
    call_command("forgetreports")
    assert not Report.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_report_that_a_member_opens_again_at_the_moment_is_kept():
    victim, message = member("victim"), MessageFactory(now=LONG_AGO)
    messages.report(victim, message.pk, LONG_AGO)
    moderation.dismiss(Report.objects.get(), staff("keeper"), LONG_AGO)
    counts = []
    one_after_the_other(
        lambda: messages.report(victim, message.pk, NOW),
        lambda: counts.append(retention.forget_reports(NOW - timedelta(days=730))),
    )
    assert counts == [0]
    assert Report.objects.get().closed_at is None


def test_closed_reports_about_players_are_deleted_and_open_ones_kept(capsys):
    anna, boss = member("annika"), staff("keeper")
    for name in ("boris5", "clara5"):
        player_reports.report(anna, member(name), "THROWN", "", "", LONG_AGO)
    closed = PlayerReport.objects.earliest("pk")
    player_reports.close(closed, boss, LONG_AGO)
    call_command("forgetreports")
    assert "1 reports forgotten" in capsys.readouterr().out
    assert PlayerReport.objects.get().pk != closed.pk


@pytest.mark.parametrize("command", ["forgetchats", "forgetreports"])
def test_too_few_days_are_refused(command):
    with pytest.raises(CommandError, match="30 days"):
        call_command(command, "--days", "29")


def test_mutes_by_and_of_a_member_are_deleted_with_the_account():
    anna, boris = member("annika"), member("boris5")
    messages.mute(anna, boris.pk, NOW)
    messages.mute(boris, anna.pk, NOW)
    closing.close(anna.pk, NOW)
    assert not Mute.objects.exists()
