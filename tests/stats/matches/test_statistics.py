"""The statistics page: its sums, the lists to which its numbers lead, and who sees it."""

import html
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Profile
from stats.matches.filters import since_of
from stats.matches.ledger import credited
from tests.accounts.factories import UserFactory, sign_in
from tests.stats.played_matches import played
from tests.wallet.factories import player
from wallet.causes import OTHER

pytestmark = pytest.mark.django_db

NUMBER = re.compile(r'<a href="(/player/[^"]+/matches/[^"]*)">(\d+)</a>')


@pytest.fixture
def anna():
    anna, boris = player("anna5"), UserFactory(username="boris", member=True)
    for result in ("won", "won", "lost"):
        net = {"won": 90, "lost": -100}[result]
        fee = 10 if result == "won" else 0
        played(anna, result, opponent=boris, net_credits=net, fee_credits=fee)
    played(anna, "drawn", category="tournament", variant="long")
    played(anna, "void", opponent=boris)
    played(anna, "won", category="friendly", against="guest", is_public=False)
    computer = {"category": "training", "against": "computer", "is_public": False}
    for level in ("casual", "casual", "club"):
        played(anna, "lost", level=level, variant="long", **computer)
    played(anna, "won", timezone.now() - timedelta(days=200), level="club", **computer)
    return anna


def shown(person, viewer, page="statistics", **query):
    browser = sign_in(Client(), viewer) if viewer else Client()
    return browser.get(reverse(f"stats:{page}", args=[person.public_id]), query)


def test_every_number_leads_to_a_list_of_that_many_matches(anna):
    browser = sign_in(Client(), anna)
    address = reverse("stats:statistics", args=[anna.public_id])
    for query in ({}, {"variant": "long"}, {"against": "club"}, {"period": "month"}):
        text = browser.get(address, query).content.decode()
        links = NUMBER.findall(text.split('id="credits-title"')[0])
        assert len(links) > 5
        for link, number in links:
            rows = browser.get(html.unescape(link)).context["page"].rows
            void = sum(row.is_void for row in rows)
            assert len(rows) - (void if "result=" not in link else 0) == int(number), link


def test_matches_are_summed_by_category_opponent_and_variant(anna):
    found = shown(anna, anna).context["statistics"]
    assert (found.total.won, found.total.lost, found.total.drawn, found.void) == (4, 4, 1, 1)
    by_kind = {row.query["category"]: row.played for row in found.by_category}
    assert by_kind == {"credits": 3, "tournament": 1, "friendly": 1, "training": 4}
    by_opponent = {row.query["against"]: row.played for row in found.by_opponent}
    assert by_opponent == {"member": 4, "guest": 1, "casual": 2, "club": 2}
    assert {row.query["variant"]: row.played for row in found.by_variant} == {"short": 5, "long": 4}
    sums = found.sums
    assert (sums.won_credits, sums.lost_credits, sums.fee_credits) == (180, 100, 20)
    assert (sums.rolls, sums.doublets) == (270, 45)


def test_strangers_and_visitors_see_only_public_matches_and_no_credits(anna):
    stranger = UserFactory(member=True)
    for viewer in (stranger, None):
        answer = shown(anna, viewer)
        assert answer.context["statistics"].total.played == 4
        assert "credits-title" not in answer.content.decode()
        rows = shown(anna, viewer, "matches").context["page"].rows
        assert {row.category for row in rows} == {"credits", "tournament"}
        assert "+90" not in shown(anna, viewer, "matches").content.decode()


@pytest.mark.parametrize("page", ["statistics", "matches"])
def test_a_hidden_record_is_shown_to_its_owner_only(anna, page):
    Profile.objects.filter(user=anna).update(shows_record=False)
    assert shown(anna, UserFactory(member=True), page).status_code == 403
    assert shown(anna, None, page).status_code == 403
    assert shown(anna, anna, page).status_code == 200


def test_unknown_filter_values_are_ignored(anna):
    query = {"variant": "../", "against": "x' OR 1=1", "period": "century", "result": "?"}
    assert shown(anna, anna, **query).context["statistics"].total.played == 9
    assert len(shown(anna, anna, "matches", **query).context["page"].rows) == 10


def test_a_member_without_matches_is_shown_where_to_play():
    newcomer = player("newbie", credits=0)
    for page in ("statistics", "matches"):
        assert (
            "You have not finished a match yet" in shown(newcomer, newcomer, page).content.decode()
        )
        text = shown(newcomer, newcomer, page, variant="long").content.decode()
        assert "No match fits this filter" in text


def test_a_period_begins_at_midnight_in_the_readers_zone():
    now = datetime(2026, 11, 24, 22, 30, tzinfo=UTC)
    with timezone.override(ZoneInfo("Europe/Istanbul")):  # 25 November, 1:30
        assert since_of("month", now) == datetime(2026, 10, 26, 21, 0, tzinfo=UTC)
    with timezone.override(UTC):
        assert since_of("month", now) == datetime(2026, 10, 26, tzinfo=UTC)
    assert since_of("all", now) is None


def test_credits_outside_matches_are_summed_by_cause_and_period(anna):
    found = credited(anna.pk, None)
    assert [each.group for each in found] == [OTHER]  # the trial credits of the factory
    assert sum(each.incoming - each.outgoing for each in found) == 1000
    assert credited(anna.pk, timezone.now() + timedelta(days=1)) == []
    assert credited(UserFactory().pk, None) == []


@pytest.mark.parametrize("page", ["statistics", "matches"])
def test_more_matches_cost_no_more_queries(anna, page):
    browser, address = sign_in(Client(), anna), reverse(f"stats:{page}", args=[anna.public_id])
    browser.get(address)
    with CaptureQueriesContext(connection) as few:
        browser.get(address)
    for _ in range(12):
        played(anna, opponent=UserFactory(member=True))
    with CaptureQueriesContext(connection) as many:
        browser.get(address)
    assert len(many) == len(few)
