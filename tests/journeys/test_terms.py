"""Terms in a browser: accepted at sign-up without script, and by members before they go on."""

from datetime import date

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.law.versions import versions_in
from accounts.models import Acceptance
from tests.accounts.factories import member
from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.test_signup import fill_in, send
from tests.journeys.visitors import DESK, NARROW, PHONE, come_as_member, set_language

LOOKS = [(NARROW, "dark"), (PHONE, "light"), (DESK, "dark")]


@pytest.fixture(autouse=True)
def _asks(settings):
    settings.ASK_TO_ACCEPT_TERMS = True
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


def test_newcomer_accepts_the_terms_without_script(open_context, live, watch):
    watch.expect_error("422")  # the answer to the form without the tick
    page = open_context(viewport=PHONE, java_script_enabled=False).new_page()
    page.goto("/account/signup/")
    fill_in(page)
    send(page)
    expect(page.locator("#id_accepts_error")).to_have_text("Please read and accept the terms.")
    fill_in(page)
    page.get_by_label("I accept the terms").check()
    send(page)
    expect(page).to_have_url(f"{live}/account/confirm-email/")


@pytest.mark.parametrize("language", languages_of(4))
def test_member_who_accepted_no_terms_accepts_them_and_goes_on(open_context, live, language):
    anna = in_own_thread(member, "annika")
    context = open_context(viewport=PHONE)
    come_as_member(context, live, anna)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/")
    expect(page).to_have_url(f"{live}/account/terms/?next=%2Fplay%2F")
    assert_accessible(page, language, LOOKS, is_only_language=True)
    page.locator("main form .button-primary").click()
    expect(page).to_have_url(f"{live}/play/")


def member_who_accepted_older_terms():
    anna = member("annika")
    Acceptance.objects.create(
        user=anna, version=date(2020, 1, 1), language="en", accepted_at=timezone.now()
    )
    return anna


@pytest.mark.parametrize("language", languages_of(5))
def test_member_sees_what_changed_in_the_terms_accepts_it_and_goes_on(open_context, live, language):
    anna = in_own_thread(member_who_accepted_older_terms)
    newest = versions_in(language)[0]
    context = open_context(viewport=PHONE)
    come_as_member(context, live, anna)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/")
    expect(page).to_have_url(f"{live}/account/terms/?next=%2Fplay%2F")
    expect(page.locator("[aria-labelledby=version-1] li")).to_have_text(newest.changes)
    assert_accessible(page, language, LOOKS, is_only_language=True)
    page.locator("main form .button-primary").click()
    expect(page).to_have_url(f"{live}/play/")
    assert Acceptance.objects.filter(user=anna, version=newest.day).exists()


@pytest.mark.parametrize("language", languages_of(6))
def test_sign_up_that_asks_to_accept_terms_is_accessible(open_context, live, language):
    context = open_context(viewport=NARROW)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/account/signup/")
    assert_accessible(page, language, LOOKS, is_only_language=True)
