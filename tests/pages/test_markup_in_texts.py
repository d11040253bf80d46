"""Markup in texts of members is shown as text on the pages that show them, and does not run."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.people import notes
from chat.direct import services
from chat.models import AnswerPreset, Report, Silence
from chat.services import messages, moderation, player_reports
from chat.support.selectors import address_of
from chat.support.services import Details
from games.models import Seat
from games.models.actor import Actor
from lobby.models import Preset
from stats.services import counting
from tests.accounts.factories import member, sign_in, staff
from tests.chat.support.factories import answered, asked
from tests.games.factories import FriendlySitting
from tests.pages.markup import CORPUS, MARK, TEXTS, running, shown
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def anna():
    return player("anna5", credits=1000)


@pytest.fixture
def boris():
    return member("boris5")


@pytest.fixture
def boss():
    return staff("boss55")


def pages(user, *addresses):
    """Return the pages at the addresses; check that each answers 200."""
    client = sign_in(Client(), user)
    answers = {address: client.get(address, follow=True) for address in addresses}
    assert {answer.status_code for answer in answers.values()} == {200}, answers
    return {address: answer.content.decode() for address, answer in answers.items()}


def assert_nothing_runs(found, *, where_shown):
    for address, page in found.items():
        assert running(page) == [], address
    assert MARK in shown(found[where_shown])


def test_the_reader_finds_what_would_run():
    for text in CORPUS[:8]:
        assert running(f"<p title=\"{text}\">{text}</p><input value='{text}'>"), text
    assert running(f'<a href="javascript:{MARK}()">') == [f"a href=javascript:{MARK}()"]
    assert running(f'<p title="{MARK}">&lt;script&gt;{MARK}()</p>') == []


@pytest.mark.parametrize("text", TEXTS)
def test_markup_in_a_message_and_a_search_is_text(anna, boris, boss, text):
    said = services.send(boris, anna, text, timezone.now())
    conversation = reverse("chat:conversation", args=[boris.public_id])
    list_of_people = reverse("chat:conversations")
    query = {"find": MARK, "login": text}
    client = sign_in(Client(), anna)
    found = pages(anna, conversation, list_of_people)
    for name, address in (("find", conversation), ("login", list_of_people)):
        found[name] = client.get(address, {name: query[name]}).content.decode()
    messages.report(anna, said.pk, timezone.now())
    report = reverse("admin:chat_report_change", args=[Report.objects.get().pk])
    found |= pages(boss, report, reverse("admin:chat_report_changelist"))
    assert_nothing_runs(found, where_shown=conversation)
    assert MARK in shown(found["find"])
    assert MARK in shown(found[report])


@pytest.mark.parametrize("text", TEXTS)
def test_markup_in_a_note_about_a_player_is_text(anna, boris, text):
    notes.write(anna.pk, boris.pk, text, timezone.now())
    card = reverse("people:card", args=[boris.public_id])
    page = reverse("people:player", args=[boris.public_id])
    assert_nothing_runs(pages(anna, card, page), where_shown=page)


@pytest.mark.parametrize("text", TEXTS)
def test_markup_in_a_report_a_reason_and_an_appeal_is_text(anna, boris, boss, text):
    now = timezone.now()
    made = player_reports.report(anna, boris, "OTHER", text, "", now)
    said = services.send(boris, anna, "Rude", now)
    messages.report(anna, said.pk, now)
    moderation.silence(Report.objects.get(), boss, timedelta(days=1), now, text[:200])
    moderation.appeal(boris.pk, text, now)
    silence = reverse("admin:chat_silence_change", args=[Silence.objects.get().pk])
    report = reverse("admin:chat_playerreport_change", args=[made.pk])
    lists = [reverse(f"admin:chat_{name}_changelist") for name in ("silence", "playerreport")]
    found = pages(boss, silence, report, *lists)
    assert MARK in shown(found[silence])
    assert MARK in shown(found[report])
    found |= pages(boris, reverse("chat:silence"))
    assert_nothing_runs(found, where_shown=reverse("chat:silence"))


@pytest.mark.parametrize("text", TEXTS)
def test_markup_in_a_request_to_support_and_its_answer_is_text(anna, boss, text):
    details = Details(page=text[:200], version="1", device=text[:300], zone=text[:64])
    own = answered(asked(anna, text, details=details), boss, text)
    by_link = address_of(asked("anna@example.org", text, details=details))
    page = reverse("support:ticket", args=[own.public_id])
    listed = [reverse("support:start"), reverse("support:mine")]
    answer = reverse("admin:chat_ticket_answer", args=[own.pk])
    AnswerPreset.objects.create(name=text[:60], language="en", text=text)
    in_admin = [
        reverse("admin:chat_ticket_change", args=[own.pk]),
        *(reverse(f"admin:chat_{name}_changelist") for name in ("ticket", "answerpreset")),
    ]
    found = pages(anna, page, *listed, by_link) | pages(boss, answer, *in_admin)
    client = sign_in(Client(), anna)
    given = {"text": "", "email": text, "page": text, "match": text, "once": text}
    found["form"] = client.post(reverse("support:write", args=["bug"]), given).text
    found["query"] = client.get(reverse("support:start"), {"page": text, "match": text}).text
    assert_nothing_runs(found, where_shown=page)
    assert MARK in shown(found[answer])


# Short enough for the name of a guest.
NAMES = [
    f"<script>{MARK}", f"</title><{MARK}>", f"<b onx={MARK}>", f'" onx="{MARK}',
    f"' onx='{MARK}", f"javascript:{MARK}",
]  # fmt: skip


@pytest.mark.parametrize("text", NAMES)
def test_markup_in_names_of_guests_and_presets_is_text(anna, text):
    guest = uuid4()
    sitting = FriendlySitting(Actor(user_id=anna.pk), Actor(guest=guest)).sit().start_game()
    Seat.objects.filter(match=sitting.match, guest=guest).update(guest_name=text)
    sitting.do("resign_match")
    counting.settle_due(timezone.now())
    Preset.objects.create(owner=anna, name=text, choices={}, created_at=timezone.now())
    own = reverse("people:player", args=[anna.public_id])
    listed = reverse("stats:matches", args=[anna.public_id])
    review = reverse("games:review", args=[sitting.match.public_id])
    others = [reverse(f"stats:{name}") for name in ("skill", "dice", "opponents")]
    statistics = reverse("stats:statistics", args=[anna.public_id])
    lobby = reverse("lobby:lobby")
    presets = reverse("lobby:presets")
    announce = reverse("lobby:announce")
    found = pages(anna, own, listed, review, lobby, statistics, presets, announce, *others)
    assert_nothing_runs(found, where_shown=listed)
    for address in (review, presets, announce):
        assert MARK in shown(found[address]), address
