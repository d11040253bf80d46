"""A member short of credits tops up through the sandbox provider and returns to the game."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from shop.models import Payment, SandboxCheckout
from shop.payments import checks, samples
from shop.payments.providers import sandbox
from tests.journeys.duel import in_own_thread
from tests.journeys.player import PATIENCE_MS
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.wallet.factories import player
from wallet.selectors import funds_of

LOOKS = {"phone": (PHONE, "ru", True), "desk": (DESK, "tr", True), "plain": (PHONE, "en", False)}


@pytest.fixture(autouse=True)
def _patient_sandbox(monkeypatch):
    """Let the sandbox's webhook reach a slow site too: without it another page would follow."""
    monkeypatch.setattr(sandbox, "TIMEOUT_S", PATIENCE_MS / 1000)


@pytest.fixture
def poor():
    in_own_thread(samples.make)
    return in_own_thread(player, "poor5", 3)


@pytest.fixture
def come(open_context, live, poor):
    def come(size=PHONE, language="en", with_script=True):
        context = open_context(viewport=size, java_script_enabled=with_script)
        come_as_member(context, live, poor)
        set_language(context, live, language)
        return context.new_page()

    return come


@pytest.mark.parametrize("look", LOOKS)
def test_top_up_is_reached_from_the_form_to_create_a_game_and_leads_back(come, live, poor, look):
    size, language, with_script = LOOKS[look]
    page = come(size, language, with_script)
    page.goto("/play/new/")
    page.locator("a[href^='/shop/top-up/']").click()
    if with_script:
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)
    page.locator(".pack button").nth(1).click()
    expect(page).to_have_url(re.compile(r"/shop/sandbox/"))
    if with_script:
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)
    page.locator("button[value=pay]").click()
    expect(page).to_have_url(f"{live}/play/new/")
    expect(page.locator(".messages .success")).to_contain_text("1500")
    expect(page.locator("#content .notice.warning")).to_have_count(0)
    assert funds_of(poor.pk).available == 1503


def test_delayed_payment_arrives_while_the_page_waits(come, live, poor, monkeypatch):
    monkeypatch.setattr(sandbox, "LATER", timedelta(hours=1))
    monkeypatch.setattr(checks, "WAITS", (timedelta(seconds=1),))
    page = come()
    page.goto("/shop/top-up/?next=/play/new/")
    page.locator(".pack button").first.click()
    page.locator("button[value=later]").click()
    expect(page.locator("#payment")).to_contain_text("Waiting for the bank’s answer")
    SandboxCheckout.objects.update(pays_at=timezone.now())
    expect(page.locator("#payment a.button-primary")).to_have_attribute("href", "/play/new/")
    assert funds_of(poor.pk).available == 503
    page.locator("#payment a.button-primary").click()
    expect(page).to_have_url(f"{live}/play/new/")


def test_declined_card_leads_to_another_try_for_the_same_game(come, poor):
    page = come()
    page.goto("/shop/top-up/?next=/play/new/")
    page.locator(".pack button").first.click()
    page.locator("button[value=decline]").click()
    page.locator("#payment a[href='/shop/top-up/?next=/play/new/']").click()
    expect(page.locator(".pack")).to_have_count(4)
    assert funds_of(poor.pk).available == 3
    assert Payment.objects.get().state == Payment.State.FAILED
