"""A member whose chat is turned off at the table reads until when and why, and appeals."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from chat.models import Message, Report, Silence
from chat.services import messages, moderation
from games.engine.sides import Side
from games.services import chat
from tests.accounts.factories import staff
from tests.games.factories import StakeSitting
from tests.journeys.test_access import assert_accessible
from tests.journeys.usable import assert_in_sight, assert_pressable
from tests.journeys.visitors import DESK, PHONE, SIDEWAYS, come_as_member
from tests.wallet.factories import player


def begin():
    """Start a match in which White was reported for a message."""
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black, length=25).sit().start_game()
    now = timezone.now()
    room = chat.room(sitting.public_id, Side.WHITE)
    said = messages.say(room, white, Message.Kind.TEXT, "rude words", now)
    messages.report(black, said.pk, now)
    return sitting, white, staff("person1")


def silence(boss):
    moderation.silence(
        Report.objects.get(), boss, timedelta(days=3), timezone.now(), "You insulted your opponent."
    )


def lift():
    moderation.end_silence(Silence.objects.get(), timezone.now(), "We looked again.")


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_silenced_member_reads_why_and_appeals(unhurried, open_context, live, on_site, viewport):
    sitting, white, boss = on_site(begin)
    context = open_context(viewport=viewport, timezone_id="Europe/Istanbul")
    come_as_member(context, live, User.objects.get(pk=white.pk))
    page = context.new_page()
    page.goto(f"/match/{sitting.public_id}/")
    expect(page.locator("[data-status=live]")).to_be_visible()
    if viewport is PHONE:
        page.get_by_test_id("open-chat").click()
    field, note = page.get_by_test_id("chat-text"), page.locator("[data-part=chat-silenced]")
    expect(field).to_be_visible()
    on_site(silence, boss)
    expect(note).to_contain_text("You insulted your opponent.")
    expect(field).to_be_hidden()
    for size in (SIDEWAYS, PHONE) if viewport is PHONE else (DESK,):
        page.set_viewport_size(size)
        assert_in_sight(note)
    with context.expect_page() as opened:
        note.get_by_role("link").click()
    appeal = opened.value
    expect(appeal.locator("main")).to_contain_text("rude words")
    assert_accessible(appeal, "en")
    for size in (SIDEWAYS, viewport):
        appeal.set_viewport_size(size)
        assert_pressable(appeal.get_by_label("Your appeal"))
        assert_pressable(appeal.get_by_role("button", name="Send the appeal"))
    appeal.get_by_label("Your appeal").fill("It was a joke between friends.")
    appeal.get_by_role("button", name="Send the appeal").click()
    expect(appeal.locator(".messages")).to_contain_text("Your appeal is sent.")
    expect(appeal.locator("#appeal")).to_contain_text("It was a joke between friends.")
    on_site(lift)
    expect(field).to_be_visible()
    expect(note).to_be_hidden()
    appeal.reload()
    expect(appeal.locator("main")).to_contain_text("We looked again.")
