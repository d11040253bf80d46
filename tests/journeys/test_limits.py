"""A member sets a limit, is refused, lifts it for later, takes a break; reminders of long play."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from games.engine.sides import Side
from games.models import Match
from lobby.services import announcing
from tests.accounts.factories import PASSWORD, member
from tests.config.credits import set_credits
from tests.games.factories import StakeSitting, give_history
from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.visitors import DESK, NARROW, PHONE, come_as_member, set_language
from tests.lobby.factories import announcement

LOOKS = [(NARROW, "dark"), (PHONE, "light"), (DESK, "dark")]


def _rich(login: str) -> User:
    user = member(login)
    set_credits(user, 1000)
    give_history(user)
    return user


@pytest.mark.parametrize("language", languages_of(2))
def test_a_limit_refuses_a_game_is_lifted_for_later_and_a_break_closes_gifts(
    open_context, live, language
):
    anna, boris = in_own_thread(_rich, "anna5"), in_own_thread(_rich, "boris5")
    seek = in_own_thread(announcing.announce, boris, announcement(100), timezone.now())
    context = open_context(viewport=PHONE)
    come_as_member(context, live, anna)
    set_language(context, live, language)
    page = context.new_page()
    page.goto(reverse("wallet:limits"))
    page.locator("#id_stake").fill("50")
    page.locator("form .button-primary").click()
    expect(page.locator(".messages .success")).to_be_visible()

    page.goto(reverse("lobby:seek", args=[seek.public_id]))
    refused = page.locator(".agreement-end .notice.warning")
    expect(refused).to_contain_text("50")
    assert_accessible(page, language, LOOKS, is_only_language=True)
    page.locator(".agreement-end .button-primary").click()
    page.locator("#id_stake").fill("")
    page.locator("form .button-primary").click()
    expect(page.locator(".limits-next")).to_be_visible()
    assert_accessible(page, language, LOOKS, is_only_language=True)

    page.locator(f'a[href="{reverse("wallet:take_break", args=["half_year"])}"]').click()
    page.locator("#id_understood").check()
    page.locator("#id_password").fill(PASSWORD)
    assert_accessible(page, language, LOOKS, is_only_language=True)
    page.locator("form .button-danger").click()
    expect(page.locator(".limits-closed")).to_be_visible()
    assert_accessible(page, language, LOOKS, is_only_language=True)

    page.goto(reverse("shop:gifts"))
    expect(page.locator(".gift-card .notice.warning")).to_be_visible()
    expect(page.locator(".gift-card form")).to_have_count(0)
    page.goto(reverse("games:training"))
    expect(page.locator("main form .button-primary").first).to_be_enabled()


def _after_long_play(login: str, other: str) -> User:
    """Return a member who has lost a match of 70 minutes."""
    anna = _rich(login)
    sitting = StakeSitting(anna, _rich(other), stake=100).sit().start_game()
    sitting.do("resign_match", side=Side.WHITE)
    end = timezone.now()
    times = {"created_at": end - timedelta(minutes=70), "finished_at": end}
    Match.objects.filter(pk=sitting.match.pk).update(**times)
    return anna


def test_a_reminder_of_long_play_is_answered_in_place(open_context, live):
    anna = in_own_thread(_after_long_play, "anna5", "boris5")
    context = open_context(viewport=PHONE)
    come_as_member(context, live, anna)
    page = context.new_page()
    page.goto(reverse("lobby:lobby"))
    reminder = page.locator(".live-reminder")
    expect(reminder).to_contain_text("100")
    assert_accessible(page, "en", LOOKS, is_only_language=True)
    reminder.locator("button").click()
    expect(reminder).to_have_count(0)
    expect(page).to_have_url(f"{live}{reverse('lobby:lobby')}")
