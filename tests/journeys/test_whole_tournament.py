"""Eight members, from the announcement to the payout of a knock-out.

Two never come. One sits at a stake table at the start, one closes the browser between two rounds,
one has a phone; the other three act through the services. Of two who come, the one with the lower
`rank` wins.
"""

import re
from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import expect

from accounts.shared.refusals import Refused
from games.engine.sides import Side
from games.models import Match
from stats.models import RatedMatch
from tests.games.factories import StakeSitting
from tests.journeys.duel import TABLE, in_own_thread, until
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.tournaments.factories import WINDOW, Table, announced, enter
from tests.wallet.factories import player
from tournaments.models import Fixture, TimelineEntry, Tournament
from wallet.selectors import funds_of

Cause, Event = Fixture.Cause, TimelineEntry.Event
FEE, STAKE = 20, 100
ENTROPY = (b"x" * 16).hex()
UNTIL_START = timedelta(minutes=10)
# The blue timer runs to the start, the orange one to the end of the join window. A slow page may
# show either minutes late.
BLUE = re.compile(r"^([6-9]|10):\d\d$")
ORANGE = re.compile(r"^[1-5]:\d\d$")


class Scenario:
    """The tournament, its members (the best rank first), and the pages of those with a browser."""

    def __init__(self, open_context, live, on_site):
        self.open_context, self.live, self.on_site = open_context, live, on_site
        names = ("closer", "phoner", "sitter", "fourth", "fifth", "sixth", "absent1", "absent2")
        self.users = in_own_thread(lambda: [player(name) for name in names])
        self.closer, self.phoner, self.sitter = self.users[:3]
        self.absent = set(self.users[6:])
        self.rank = {user.pk: number for number, user in enumerate(self.users)}
        self.pages = {}
        self.tournament = on_site(
            partial(announced, fee_credits=FEE, min_entrants=4), timezone.now()
        )

    def open_browser(self, user, view, **options):
        context = self.open_context(viewport=view, **options)
        come_as_member(context, self.live, user)
        set_language(context, self.live, "en")
        self.pages[user.pk] = context.new_page()
        return self.pages[user.pk]

    def until(self, is_so):
        """Wait until `is_so()`, which reads the database, is true."""
        return until(next(iter(self.pages.values())), is_so)

    def begin(self):
        """Set the start to now; return the fixtures of the first round that are to be played."""
        Tournament.objects.filter(pk=self.tournament.pk).update(starts_at=timezone.now())
        return self.tables(1)

    def tables(self, number):
        """Wait until a round has its tables; return its fixtures that are to be played."""
        fixtures = Fixture.objects.filter(round__tournament=self.tournament, round__number=number)
        waiting = fixtures.filter(finished_at__isnull=True, match__isnull=True)
        self.until(lambda: fixtures.exists() and not waiting.exists())
        found = fixtures.filter(finished_at__isnull=True).order_by("pk")
        return list(found.select_related("match", "first__user", "second__user"))

    def present(self, fixture):
        both = (fixture.first.user, fixture.second.user)
        return [user for user in both if user not in self.absent]

    def come(self, fixture):
        """Wait until the pages open the table; join it through the services for other players."""
        table = Table(fixture.match, timezone.now())
        for user in self.present(fixture):
            if user.pk in self.pages:
                expect(self.pages[user.pk]).to_have_url(re.compile(fixture.match.public_id))
            else:
                self.on_site(insist, partial(table.join, table.side_of(user)))
        here = [table.side_of(user) for user in self.present(fixture)]
        self.until(lambda: all(self.proof(fixture).hashes[side] for side in here))
        if len(here) < 2:
            return
        for user in self.present(fixture):
            if user.pk not in self.pages:
                side = table.side_of(user)
                self.on_site(insist, partial(table.do, "entropy", side=side, entropy=ENTROPY))
        self.until(lambda: Match.objects.get(pk=fixture.match_id).started_at)

    def proof(self, fixture):
        return Match.objects.get(pk=fixture.match_id).state.proof

    def play(self, fixtures):
        """Play the fixtures to which both players come; then end the join window of the others."""
        for fixture in fixtures:
            self.come(fixture)
        for fixture in fixtures:
            here = self.present(fixture)
            if len(here) == 2:
                loser = max(here, key=lambda user: self.rank[user.pk])
                self.on_site(self.lose, Table(fixture.match, timezone.now()), loser)
        missing = [each.match_id for each in fixtures if len(self.present(each)) < 2]
        late = Match.objects.filter(pk__in=missing)
        late.update(created_at=F("created_at") - WINDOW, wake_at=F("wake_at") - WINDOW)
        last = fixtures[0].round
        self.until(lambda: not last.fixtures.filter(finished_at__isnull=True).exists())

    @staticmethod
    def lose(table, user):
        """Take both seats, play a turn of each side, and resign."""
        table.sit().both_move()
        table.do("resign_match", side=table.side_of(user))


def insist(act):
    """Act again while it is refused as stale: the opponent's page may act at the same moment."""
    for _ in range(100):
        try:
            return act()
        except Refused as refused:
            if refused.code != "stale":
                raise
    raise AssertionError("refused as stale again and again")


@pytest.fixture
def scenario(open_context, live, on_site):
    return Scenario(open_context, live, on_site)


@pytest.mark.slow
def test_a_tournament_is_played_to_its_payout_with_absences_and_a_stake_game(scenario, watch):
    tournament, on_site = scenario.tournament, scenario.on_site
    # One enters by the page, the others through the services; one plays for credits meanwhile.
    phone = scenario.open_browser(scenario.phoner, PHONE, has_touch=True, is_mobile=True)
    phone.goto(f"/tournaments/{tournament.public_id}/")
    phone.get_by_role("button", name="Take part").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Enter “Evening cup”?")
    phone.get_by_role("button", name="Take part").tap()
    expect(phone.locator(".messages .success")).to_be_visible()
    on_site(
        enter,
        tournament,
        [user for user in scenario.users if user != scenario.phoner],
        timezone.now(),
    )
    rival = in_own_thread(player, "rival")
    stake = on_site(begin_stake_game, scenario.sitter, rival)
    sitter = scenario.open_browser(scenario.sitter, DESK)
    sitter.goto(f"/match/{stake.public_id}/")
    closer = scenario.open_browser(scenario.closer, DESK)
    closer.goto(f"/tournaments/{tournament.public_id}/")
    # Before the start every page shows the blue timer, the stake table too.
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now() + UNTIL_START)
    phone.goto("/leaders/")
    for page in (phone, closer, sitter):
        page.reload()
        expect(page.locator(".tournament-waits [data-left]")).to_have_text(BLUE)

    # At the start the tables open by themselves, but not over a live stake table.
    first = scenario.begin()
    for page in (phone, closer):
        expect(page).to_have_url(TABLE)
    joins = sitter.locator(".tournament-joins")
    expect(joins.locator("[data-left]")).to_have_text(ORANGE)
    assert stake.public_id in sitter.url
    joins.get_by_role("link", name="Go to the table").click()
    expect(sitter).not_to_have_url(re.compile(stake.public_id))
    on_site(end_stake_game, stake)
    scenario.play(first)

    # Between the rounds one closes the browser, and comes back when the next round has begun.
    closer.close()
    del scenario.pages[scenario.closer.pk]
    second = scenario.tables(2)
    closer = scenario.open_browser(scenario.closer, DESK)
    closer.goto("/")
    if any(scenario.closer in scenario.present(fixture) for fixture in second):
        expect(closer.locator(".tournament-joins [data-left]")).to_have_text(ORANGE)
        closer.get_by_role("link", name="Go to the table").click()
    scenario.play(second)
    scenario.play(scenario.tables(3))
    scenario.until(lambda: tournament.prizes.filter(paid_at__isnull=False).exists())
    check_results(scenario)
    check_pages(scenario, closer)


def begin_stake_game(one, other):
    return StakeSitting(one, other, stake=STAKE, length=25).sit().start_game()  # with long clocks


def end_stake_game(stake):
    """Resign the stake match for the rival; it has gone on since the sitter left its table."""
    stake.now = timezone.now()
    stake.sit().do("resign_match", side=Side.BLACK)


def check_results(scenario):
    """Check the causes of results, the timeline, the ledger and the ratings."""
    tournament = Tournament.objects.get(pk=scenario.tournament.pk)
    assert tournament.state == Tournament.State.FINISHED
    fixtures = list(Fixture.objects.filter(round__tournament=tournament))
    for fixture in fixtures:
        if fixture.second is None:
            assert fixture.cause == Cause.FREE
            continue
        here = scenario.present(fixture)
        causes = {2: Cause.PLAYED, 1: Cause.ABSENT, 0: Cause.BOTH_ABSENT}
        assert fixture.cause == causes[len(here)]
        best = min(here, key=lambda user: scenario.rank[user.pk], default=None)
        assert (fixture.winner.user if fixture.winner else None) == best
    events = Counter(tournament.timeline.values_list("event", flat=True))
    paired = [fixture for fixture in fixtures if fixture.second]
    assert events[Event.TABLE_OPENED] == events[Event.RESULT] == len(paired)
    assert (events[Event.ENTERED], events[Event.ROUND_STARTED], events[Event.PAID]) == (8, 3, 1)
    total = {user: funds_of(user.pk).total for user in scenario.users}
    assert total[scenario.closer] == 1000 + 7 * FEE
    others = [
        total[user] for user in scenario.users if user not in (scenario.closer, scenario.sitter)
    ]
    assert others == [1000 - FEE] * 6
    assert total[scenario.sitter] == 1000 - FEE + STAKE - STAKE // 10
    call_command("reconcile")
    played = {fixture.match_id for fixture in fixtures if fixture.cause == Cause.PLAYED}
    technical = {fixture.match_id for fixture in paired} - played
    scenario.until(lambda: RatedMatch.objects.filter(match__in=played).count() == len(played))
    assert not RatedMatch.objects.filter(match__in=technical).exists()


def check_pages(scenario, page):
    """Check what the winner reads: the timeline, and the prize in the statement."""
    page.goto(f"/tournaments/{scenario.tournament.public_id}/")
    expect(page.locator(".tournament-state")).to_contain_text("closer")
    page.evaluate(
        "document.querySelectorAll('main details').forEach((each) => { each.open = true; })"
    )
    expect(page.locator(".tournament-timeline").first).to_contain_text(f"{8 * FEE}")
    technical = Fixture.objects.filter(
        round__tournament=scenario.tournament, cause=Cause.ABSENT
    ).count()
    lines = page.locator(".tournament-timeline li", has_text="won by forfeit")
    expect(lines).to_have_count(technical)
    page.goto("/credits/")
    expect(page.locator("main")).to_contain_text(str(8 * FEE))
