"""Private notes on players, which only their writer reads."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import personal_data, selectors
from accounts.closing import services as closing
from accounts.models import Note
from accounts.people import notes
from accounts.shared.refusals import Refused
from tests.accounts.factories import member, sign_in, staff
from tests.support.races import call_together

pytestmark = pytest.mark.django_db

NOW = timezone.now()


@pytest.fixture
def anna():
    return member("anna5")


@pytest.fixture
def boris():
    return member("boris5")


def save(browser, player, text):
    return browser.post(reverse("people:note", args=[player.public_id]), {"text": text})


def page_of(browser, player, name="people:player"):
    return browser.get(reverse(name, args=[player.public_id])).content.decode()


def test_a_note_is_shown_on_page_and_card_to_its_writer_only(client, anna, boris):
    browser = sign_in(client, anna)
    answer = save(browser, boris, " Doubles early.\r\nPlays fast. ")
    assert answer.status_code == 303
    assert "Your note is saved." in page_of(browser, boris)
    for name in ("people:player", "people:card"):
        assert "Doubles early.\nPlays fast." in page_of(browser, boris, name)
        for other in (boris, member("cem55" + name[-1]), staff("boss5" + name[-1])):
            assert "Doubles early" not in page_of(sign_in(Client(), other), boris, name)
        assert "Doubles early" not in page_of(Client(), boris, name)


def test_a_note_is_replaced_and_an_empty_one_deletes_it(client, anna, boris):
    browser = sign_in(client, anna)
    for text in ("first", "second"):
        save(browser, boris, text)
    assert selectors.note_on(anna.pk, boris.pk) == "second"
    assert Note.objects.count() == 1
    save(browser, boris, "  ")
    assert "Your note is deleted." in page_of(browser, boris)
    assert not Note.objects.exists()
    assert save(browser, boris, "").status_code == 303


def test_each_writer_has_a_separate_note(anna, boris):
    cem = member("cem555")
    notes.write(anna.pk, cem.pk, "fast", NOW)
    notes.write(boris.pk, cem.pk, "slow", NOW)
    assert selectors.note_on(anna.pk, cem.pk) == "fast"
    assert selectors.note_on(boris.pk, cem.pk) == "slow"


def test_markup_in_a_note_is_escaped(client, anna, boris):
    browser = sign_in(client, anna)
    save(browser, boris, "</textarea><script>alert(1)</script>")
    for name in ("people:player", "people:card"):
        assert "<script>alert(1)" not in page_of(browser, boris, name)
        assert "&lt;/textarea&gt;&lt;script&gt;" in page_of(browser, boris, name)


def test_a_long_note_is_refused_and_stays_in_the_form(client, anna, boris):
    answer = save(sign_in(client, anna), boris, "x" * (Note.LENGTH + 1))
    assert (answer.status_code, answer.headers["Refusal"]) == (422, "too_long")
    assert "A note can have at most 500 characters." in answer.content.decode()
    assert "x" * (Note.LENGTH + 1) in answer.content.decode()
    assert not Note.objects.exists()


def test_notes_are_limited_and_not_about_oneself(anna, boris, monkeypatch):
    monkeypatch.setattr(notes, "MAX_NOTES", 1)
    notes.write(anna.pk, boris.pk, "fast", NOW)
    notes.write(anna.pk, boris.pk, "faster", NOW)
    with pytest.raises(Refused, match="too_many"):
        notes.write(anna.pk, member("cem555").pk, "slow", NOW)
    with pytest.raises(Refused, match="oneself"):
        notes.write(anna.pk, anna.pk, "great", NOW)


def test_export_has_the_members_notes_and_closing_erases_notes_by_and_about_them(anna, boris):
    notes.write(anna.pk, boris.pk, "fast", NOW)
    notes.write(boris.pk, anna.pk, "slow", NOW)
    [note] = personal_data.of(anna)["notes"]
    assert (note["login"], note["text"]) == ("boris5", "fast")
    closing.close(anna.pk, NOW)
    assert not Note.objects.exists()


def test_a_note_on_a_player_who_closes_the_account_meanwhile_is_refused(
    client, anna, boris, monkeypatch
):
    write = notes.write

    def close_first(*args):
        closing.close(boris.pk, NOW)
        write(*args)

    monkeypatch.setattr(notes, "write", close_first)
    answer = save(sign_in(client, anna), boris, "fast")
    assert (answer.status_code, answer.headers["Refusal"]) == (422, "closed_account")
    assert "This account is closed." in answer.content.decode()
    assert not Note.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_fifty_notes_at_once_are_stored_as_one(anna, boris):
    writes = [lambda n=n: notes.write(anna.pk, boris.pk, f"note {n}", NOW) for n in range(50)]
    call_together(*writes)
    assert Note.objects.get().text.startswith("note ")
