"""Ready reasons: staff choose one, and each member concerned reads it in their own language."""

from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import Preferences, ReadyReason, User
from accounts.models.ready_reason import LONGEST
from accounts.shared.staff import reasons
from chat.models import Silence
from games.models import Match
from tests.accounts.factories import member, staff
from tests.config.staff.rows import open_report, running_match
from wallet.models import Transfer

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
TEXTS = {"en": "The dice were stuck.", "ru": "Зары зависли.", "tr": "Zarlar takıldı."}


@pytest.fixture
def boss(client: Client) -> Client:
    client.force_login(staff("boss55"))
    return client


@pytest.fixture(autouse=True)
def ready() -> None:
    ReadyReason.objects.all().delete()
    for occasion in ("VOID", "SANCTION"):
        for language, text in TEXTS.items():
            ReadyReason.objects.create(
                occasion=occasion, name="Stuck", language=language, text=text
            )


def set_language(user: User | None, language: str) -> None:
    assert user is not None
    Preferences.objects.filter(user=user).update(language=language)


def void(browser: Client, match: Match, **answers: str) -> int:
    form = {"action": "void", "_selected_action": match.pk, "confirmed": "yes", **answers}
    return browser.post("/admin/games/match/", form).status_code


def refunded_with(match: Match) -> str:
    """Return the reason that is stored with the refund of the stakes."""
    return Transfer.objects.get(cause="stake_refund", reference=f"match:{match}").reason


def test_staff_choose_by_the_text_in_their_own_language(boss: Client) -> None:
    match = running_match()
    boss.cookies["django_language"] = "tr"
    answer = boss.post("/admin/games/match/", {"action": "void", "_selected_action": match.pk})
    assert ("Stuck", TEXTS["tr"]) in answer.context["form"].fields["ready"].choices


def test_reason_is_stored_in_the_languages_of_both_players(boss: Client) -> None:
    match = running_match()
    for seat, language in zip(match.seats.order_by("pk"), ("ru", "tr"), strict=True):
        set_language(seat.user, language)
    void(boss, match, ready="Stuck", reason="")
    assert set(refunded_with(match).split(reasons.BETWEEN)) == {TEXTS["ru"], TEXTS["tr"]}
    assert refunded_with(match) in LogEntry.objects.get().change_message


def test_players_of_one_language_get_one_text(boss: Client) -> None:
    match = running_match()
    for seat in match.seats.all():
        set_language(seat.user, "ru")
    void(boss, match, ready="Stuck", reason="")
    assert refunded_with(match) == TEXTS["ru"]


def test_own_words_replace_a_ready_reason(boss: Client) -> None:
    match = running_match()
    void(boss, match, ready="Stuck", reason="A flood in the server room.")
    assert refunded_with(match) == "A flood in the server room."


@pytest.mark.parametrize("ready", ["", "Unknown"])
def test_nothing_is_decided_without_a_reason(boss: Client, ready: str) -> None:
    match = running_match()
    assert void(boss, match, ready=ready, reason="") == 422
    match.refresh_from_db()
    assert not match.is_finished


def test_silenced_member_reads_the_reason_in_their_language(boss: Client, mailoutbox: Any) -> None:
    report = open_report()
    set_language(report.author, "tr")
    form = {"action": "silence", "_selected_action": report.pk, "confirmed": "yes", "days": "1"}
    boss.post("/admin/chat/report/", {**form, "ready": "Stuck", "reason": ""})
    assert Silence.objects.get().reason == TEXTS["tr"]
    (email,) = mailoutbox
    assert email.to == [report.author.email]
    assert TEXTS["tr"] in email.body


def test_text_in_many_languages_is_no_longer_than_a_reason_may_be() -> None:
    for language in TEXTS:
        text = (language * LONGEST)[:LONGEST]
        ReadyReason.objects.filter(name="Stuck", language=language).update(text=text)
    crowd = []
    for number, language in enumerate(("ru", "tr", "en", "ru")):
        crowd.append(member(f"crowd{number}5"))
        set_language(crowd[-1], language)
    text = reasons.text_for("VOID", "Stuck", [user.pk for user in crowd])
    assert len(text) <= reasons.LONGEST
    assert text.startswith("ruru")
    assert reasons.BETWEEN in text


def test_member_whose_language_has_no_text_reads_that_of_the_site() -> None:
    ReadyReason.objects.filter(language="tr").delete()
    anna = member("anna55")
    set_language(anna, "tr")
    assert reasons.text_for("VOID", "Stuck", [anna.pk]) == TEXTS[settings.LANGUAGE_CODE]


def test_reasons_of_the_migration_have_a_text_in_every_language() -> None:
    first = import_module("accounts.migrations.0037_ready_reasons").REASONS
    assert first.keys() == set(ReadyReason.Occasion.values)
    for texts in (texts for named in first.values() for texts in named.values()):
        assert texts.keys() == dict(settings.LANGUAGES).keys()
        assert max(map(len, texts.values())) <= LONGEST


def test_line_of_the_log_cannot_be_edited_or_deleted(boss: Client) -> None:
    void(boss, running_match(), ready="Stuck", reason="")
    line = LogEntry.objects.get()
    before = line.change_message
    for page in ("change", "delete"):
        address = f"/admin/admin/logentry/{line.pk}/{page}/"
        data = {"post": "yes", "change_message": "Nothing", "_save": "Save"}
        assert boss.post(address, data).status_code == 403
    delete = {"action": "delete_selected", "_selected_action": line.pk, "post": "yes"}
    boss.post("/admin/admin/logentry/", delete)
    line.refresh_from_db()
    assert line.change_message == before
