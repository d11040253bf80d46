"""A tournament that starts while its members are on the site: timers, tables, technical defeat."""

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import expect

from tests.games.factories import StakeSitting
from tests.journeys.duel import in_own_thread, until
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.tournaments.factories import enter, members, plan
from tournaments.models import Fixture, Tournament
from tournaments.services import announcing

UNTIL_START = timedelta(minutes=20)
# The timers to the start and to the end of the join window, however slow the pages are.
BLUE = re.compile(r"^1\d:\d\d$")
ORANGE = re.compile(r"^[1-4]:\d\d$")


def arrange():
    """Announce a tournament that starts soon; one of its two members plays for credits."""
    now = timezone.now()
    users = members(3)
    stake = StakeSitting(users[1], users[2], length=25).sit().start_game()  # with long clocks
    terms = plan(fee_credits=20, min_entrants=2)
    tournament = announcing.announce(terms, now + UNTIL_START, now)
    enter(tournament, users[:2], now)
    return tournament, users, stake


def opened_table(tournament):
    """Return the match of the only fixture; None before its table is open."""
    fixture = Fixture.objects.filter(round__tournament=tournament).first()
    return fixture and fixture.match


def test_the_table_opens_by_itself_but_a_player_at_a_stake_table_gets_a_link(open_context, live):
    tournament, users, stake = in_own_thread(arrange)
    pages = []
    for user, view in zip(users, (DESK, PHONE), strict=False):
        context = open_context(viewport=view)
        come_as_member(context, live, user)
        set_language(context, live, "en")
        pages.append(context.new_page())
    idle, busy = pages
    stake_table = f"/match/{stake.public_id}/"
    busy.goto(stake_table)
    idle.goto(stake_table)  # only watches
    timer = idle.locator(".tournament-waits [data-left]")
    expect(timer).to_have_text(BLUE)
    expect(busy.locator("[data-status=live]")).to_be_visible()
    # The worker starts the tournament: the idle member's table opens by itself.
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
    table = re.compile(until(idle, lambda: opened_table(tournament)).public_id)
    expect(idle).to_have_url(table)
    joins = busy.locator(".tournament-joins")
    expect(joins.locator("[data-left]")).to_have_text(ORANGE)
    assert stake_table in busy.url
    joins.get_by_role("link", name="Go to the table").click()
    expect(busy).to_have_url(table)
    # Both have come, so the first game begins.
    for page in (idle, busy):
        expect(page.locator(".tournament-joins")).to_have_count(0)
