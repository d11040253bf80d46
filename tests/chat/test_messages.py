"""Messages: known codes, plain text, a rate limit; mutes and reports."""

import re
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.members import services as members
from accounts.models import Block, User
from accounts.shared.refusals import Refused
from chat import phrases
from chat.models import Message, Report
from chat.selectors import muted_by, recent, unheard_by_each
from chat.services import messages, moderation
from tests.accounts.factories import UserFactory

pytestmark = pytest.mark.django_db
ROOM = "match:AbCdEf123456:players"
PHRASE, EMOJI, TEXT = Message.Kind.PHRASE, Message.Kind.EMOJI, Message.Kind.TEXT


@pytest.fixture
def author() -> User:
    return UserFactory(username="author", member=True)


@pytest.fixture
def reader() -> User:
    return UserFactory(username="reader", member=True)


def refused(code, *args):
    with pytest.raises(Refused) as refusal:
        messages.say(*args)
    assert refusal.value.code == code


def test_messages_are_read_in_order(author, reader):
    now = timezone.now()
    for body in ("hello", "good_luck"):
        messages.say(ROOM, author, PHRASE, body, now)
    messages.say(ROOM, author, EMOJI, "smile", now)
    assert [message.body for message in recent(ROOM, reader)] == ["hello", "good_luck", "smile"]
    assert recent("match:AbCdEf123456:watchers", reader) == []


@pytest.mark.parametrize(
    ("kind", "body"), [(PHRASE, "smile"), (EMOJI, "hello"), (PHRASE, ""), (TEXT, "\ud83d")]
)
def test_unknown_codes_and_lone_surrogates_are_refused(author, kind, body):
    refused("unreadable", ROOM, author, kind, body, timezone.now())


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  <b>hi</b>  ", "<b>hi</b>"),
        ("two\nlines", "two lines"),
        ("turned \u202eround", "turned round"),
        ("👨‍👩‍👧 привет, ığdır", "👨‍👩‍👧 привет, ığdır"),
    ],
)
def test_text_is_stored_without_direction_marks_and_line_breaks(author, typed, kept):
    assert messages.say(ROOM, author, TEXT, typed, timezone.now()).body == kept


INVISIBLE = ["", " \n ", "\u202e", "\u200d", "\u2800", "\u3164", "\u115f \u1160", "\ufe0f\u0301"]


@pytest.mark.parametrize("body", [*INVISIBLE, "x" * 201])
def test_empty_invisible_and_too_long_text_is_refused(author, body):
    refused("unreadable", ROOM, author, TEXT, body, timezone.now())


def test_rate_limit_spans_all_rooms_and_expires(author):
    now = timezone.now()
    for number in range(messages.BURST):
        messages.say(f"room {number}", author, PHRASE, "hello", now)
    refused("too_fast", ROOM, author, PHRASE, "hello", now)
    assert messages.say(ROOM, author, PHRASE, "hello", now + messages.WINDOW)


def test_hourly_limit_spans_all_rooms_and_expires(author):
    now = timezone.now()
    for number in range(messages.HOURLY):
        messages.say(ROOM, author, PHRASE, "hello", now + number * messages.WINDOW / 4)
    last = now + messages.HOURLY * messages.WINDOW / 4
    assert last < now + messages.HOUR
    refused("too_fast", "other room", author, PHRASE, "hello", last)
    assert messages.say(ROOM, author, PHRASE, "hello", last + messages.HOUR)


def test_reports_by_one_user_are_limited_per_day(author, reader, monkeypatch):
    monkeypatch.setattr(messages, "DAILY_REPORTS", 2)
    now = timezone.now()
    said = [messages.say(ROOM, author, PHRASE, "hello", now) for _ in range(3)]
    for message in said[:2]:
        messages.report(reader, message.pk, now)
    messages.report(reader, said[0].pk, now)  # a repeated report does not count
    with pytest.raises(Refused, match="too_fast"):
        messages.report(reader, said[2].pk, now)
    messages.report(reader, said[2].pk, now + messages.DAY)
    assert Report.objects.filter(reporter=reader).count() == 3


def test_a_report_that_staff_closed_is_opened_again_after_a_day(author, reader, monkeypatch):
    now = timezone.now()
    message, other = (messages.say(ROOM, author, TEXT, "rude", now) for _ in range(2))
    messages.report(reader, message.pk, now)
    for _ in range(2):
        moderation.dismiss(Report.objects.get(), author, now)
        messages.report(reader, message.pk, now + messages.DAY - timedelta(seconds=1))
        assert Report.objects.get().closed_at == now
        now += messages.DAY
        messages.report(reader, message.pk, now)
        report = Report.objects.get()
        assert (report.created_at, report.closed_at, report.closed_by) == (now, None, None)
    monkeypatch.setattr(messages, "DAILY_REPORTS", 1)
    with pytest.raises(Refused, match="too_fast"):
        messages.report(reader, other.pk, now)


def test_the_number_of_muted_players_is_limited(author, reader, monkeypatch):
    monkeypatch.setattr(messages, "MAX_MUTES", 1)
    third = UserFactory(username="third5", member=True)
    now = timezone.now()
    for _ in range(2):
        messages.mute(reader, author.pk, now)
    with pytest.raises(Refused, match="too_many"):
        messages.mute(reader, third.pk, now)
    messages.unmute(reader, author.pk)
    messages.mute(reader, third.pk, now)
    assert unheard_by_each([reader.pk])[reader.pk] == ({third.pk}, set())


def test_a_repeated_client_id_writes_one_message(author, reader):
    now, id = timezone.now(), uuid4()
    assert messages.say(ROOM, author, PHRASE, "hello", now, id)
    assert messages.say(ROOM, author, PHRASE, "hello", now, id) is None
    assert len(recent(ROOM, reader)) == 1


def test_an_unactivated_account_cannot_write():
    new = UserFactory(username="newone")
    refused("not_member", ROOM, new, PHRASE, "hello", timezone.now())


def test_a_member_who_was_banned_meanwhile_cannot_write(author):
    before = User.objects.get(pk=author.pk)
    members.ban(author.pk)
    refused("not_member", ROOM, before, PHRASE, "hello", timezone.now())
    assert not Message.objects.exists()


def test_a_muted_or_blocked_author_is_read_by_other_readers_only(author, reader):
    now = timezone.now()
    other = UserFactory(username="other5")
    messages.say(ROOM, author, PHRASE, "hello", now)
    messages.mute(reader, author.pk, now)
    messages.mute(reader, author.pk, now)
    assert recent(ROOM, reader) == []
    assert len(recent(ROOM, other)) == len(recent(ROOM, None)) == 1
    messages.unmute(reader, author.pk)
    assert len(recent(ROOM, reader)) == 1
    Block.objects.create(owner=reader, blocked=author, created_at=now)
    assert recent(ROOM, reader) == []


def test_muting_text_keeps_phrases_and_a_full_mute_takes_precedence(author, reader):
    now = timezone.now()
    other = UserFactory(username="other5", member=True)
    messages.say(ROOM, author, PHRASE, "hello", now)
    messages.say(ROOM, author, TEXT, "rude", now)
    messages.mute(other, author.pk, now)
    messages.mute(reader, author.pk, now, only_text=True)
    assert [message.kind for message in recent(ROOM, reader)] == [PHRASE]
    assert unheard_by_each([reader.pk])[reader.pk] == (set(), {author.pk})
    assert [(user.pk, user.only_text) for user in muted_by(reader.pk)] == [(author.pk, True)]
    for only_text in (False, True):
        messages.mute(reader, author.pk, now, only_text=only_text)
        assert recent(ROOM, reader) == []
        assert [user.only_text for user in muted_by(reader.pk)] == [False]
    messages.unmute(reader, author.pk)
    assert len(recent(ROOM, reader)) == 2


def test_a_member_lists_muted_players_and_unmutes_one(client, author, reader):
    client.force_login(reader)
    address = reverse("chat:muted")
    assert "Nobody yet. Players you mute" in client.get(address).content.decode()
    messages.mute(reader, author.pk, timezone.now())
    assert address in client.get(reverse("people:profile")).content.decode()
    assert author.username in client.get(address).content.decode()
    answer = client.post(address, {"player": author.public_id}, follow=True)
    assert "You see messages from author again." in answer.content.decode()
    assert unheard_by_each([reader.pk])[reader.pk] == (set(), set())
    assert client.post(address, {"player": "nobody"}).status_code == 404


def test_a_report_is_stored_once_and_a_hidden_message_disappears(author, reader):
    now = timezone.now()
    message = messages.say(ROOM, author, TEXT, "rude", now)
    for _ in range(2):
        messages.report(reader, message.pk, now)
    assert Report.objects.get().message == message
    moderation.hide(Report.objects.get(), reader, now + timedelta(minutes=1))
    assert recent(ROOM, reader) == []
    assert Message.objects.filter(pk=message.pk).exists()


def test_the_codes_of_phrases_and_emoji_are_distinct_and_those_of_the_scripts(settings):
    script = (settings.BASE_DIR / "static/js/text/chat-phrases.js").read_text("utf-8")
    for name, codes in (("PHRASES", phrases.PHRASES), ("EMOJI", phrases.EMOJI)):
        assert len(set(codes)) == len(codes)
        table = script.split(f"{name} = Object.freeze({{")[1].split("});")[0]
        assert re.findall(r"^  (\w+):", table, re.MULTILINE) == list(codes)


def test_a_phrase_of_a_guest_that_another_connection_adds_meanwhile_is_stored_once(monkeypatch):
    guest, client_id, now = messages.Guest(uuid4()), uuid4(), timezone.now()
    say = partial(
        messages.say,
        "match:x:players",
        guest,
        "PHRASE",
        "hello",
        now,
        client_id,
        admits_guests=True,
    )
    assert say() is not None
    # The first check finds nothing yet: the other connection has not committed.
    find_own, answers = messages._own, [Message.objects.none()]

    def own(author):
        return answers.pop() if answers else find_own(author)

    monkeypatch.setattr(messages, "_own", own)
    assert say() is None
    assert Message.objects.count() == 1
