"""A tournament that starts while its members are on the site: timers, tables, technical defeat."""

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import expect

from tests.games.factories import StakeMatchFactory
from tests.journeys.duel import TABLE, in_own_thread
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.tournaments.factories import enter, members, plan
from tournaments.models import Fixture
from tournaments.services import announcing

START_S = 12  # seconds until the start: both pages are open by then


def arrange():
    """Announce a tournament that starts soon; one of its two members plays for credits."""
    now = timezone.now()
    users = members(3)
    StakeMatchFactory(white=users[1], black=users[2], now=now)
    terms = plan(fee_credits=20, min_entrants=2)
    tournament = announcing.announce(terms, now + timedelta(seconds=START_S), now)
    enter(tournament, users[:2], now)
    return tournament, users


def test_the_table_opens_by_itself_but_a_player_at_a_stake_table_gets_a_link(open_context, live):
    tournament, users = in_own_thread(arrange)
    pages = []
    for user, view in zip(users, (DESK, PHONE), strict=False):
        context = open_context(viewport=view)
        come_as_member(context, live, user)
        set_language(context, live, "en")
        pages.append(context.new_page())
    idle, busy = pages
    stake_table = f"/match/{users[1].seats.get().match.public_id}/"
    busy.goto(stake_table)
    idle.goto(stake_table)  # only watches
    timer = idle.locator(".tournament-waits [data-left]")
    expect(timer).to_have_text(re.compile(r"^0:\d\d$"))
    # The worker starts the tournament: the idle member's table opens by itself.
    expect(idle).to_have_url(TABLE, timeout=40_000)
    joins = busy.locator(".tournament-joins")
    expect(joins.locator("[data-left]")).to_have_text(re.compile(r"^[45]:\d\d$"), timeout=20_000)
    assert stake_table in busy.url
    joins.get_by_role("link", name="Go to the table").click()
    expect(busy).to_have_url(TABLE)
    match = Fixture.objects.get(round__tournament=tournament).match
    for page in (idle, busy):
        assert match.public_id in page.url
    # Both have come, so the first game begins.
    for page in (idle, busy):
        expect(page.locator(".tournament-joins")).to_have_count(0)
