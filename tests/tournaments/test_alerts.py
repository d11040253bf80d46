"""Tournament timers and news on every page; the warning if a new game may overlap a tournament."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.times.texts import text_of
from tests.games.factories import DELAY_MS
from tests.tournaments.factories import Table, TournamentRun, announced, enter, members, settle
from tournaments.models import Fixture, Tournament
from tournaments.pages.alerts import SHOWN_BEFORE, alerts_of
from tournaments.services import entering, staff
from tournaments.services.timeline import Ruling

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def lines_of(user, now):
    return [(line.match_id, line.left_s) for line in alerts_of(user, now).lines]


def test_the_timer_before_the_start_is_shown_in_the_last_half_hour() -> None:
    tournament, [user] = announced(NOW), members(1)
    enter(tournament, [user], NOW)
    early = tournament.starts_at - SHOWN_BEFORE - timedelta(seconds=1)
    assert lines_of(user, early) == []
    assert alerts_of(user, early).is_entered
    assert lines_of(user, tournament.starts_at - timedelta(minutes=12)) == [("", 720)]


def test_a_member_without_entries_has_no_timers(django_assert_num_queries) -> None:
    [user] = members(1)
    with django_assert_num_queries(1):
        alerts = alerts_of(user, NOW)
    assert not alerts.lines
    assert not alerts.is_entered


def test_the_timer_of_an_open_table_counts_to_the_end_of_the_join_window() -> None:
    run = TournamentRun(2).start()
    match = Fixture.objects.get().match
    for user in run.users:
        assert lines_of(user, run.now + timedelta(minutes=1)) == [(match.public_id, 240)]


def test_the_alert_of_a_match_in_play_has_no_timer_and_ends_with_the_match() -> None:
    run = TournamentRun(2).start()
    table = Table(Fixture.objects.get().match, run.now)
    table.sit().start_game()
    assert lines_of(run.users[0], run.now) == [(table.public_id, None)]
    table.do("resign_match")
    assert lines_of(run.users[0], run.now) == []


def test_the_alert_opens_the_table_from_other_pages() -> None:
    run = TournamentRun(2).start()
    match = Fixture.objects.get().match
    browser = Client()
    browser.force_login(run.users[0])
    page = browser.get(reverse("tournaments:alerts")).content.decode()
    assert f'data-begins="{match.public_id}"' in page
    assert "tournament-joins" in page
    table = browser.get(reverse("games:match", args=[match.public_id])).content.decode()
    assert f'data-begins="{match.public_id}"' not in table


def news_of(user) -> list[str]:
    """Return the sentences of the alerts on the member's next page."""
    browser = Client()
    browser.force_login(user)
    page = browser.get("/whats-new/").content.decode()
    found = re.findall(r'live-news">\s*<span data-spoken>(.*?)</span>', page, re.DOTALL)
    return [strip_tags(text) for text in found]


def open_page_of(user, tournament: Tournament) -> None:
    browser = Client()
    browser.force_login(user)
    page = browser.get(reverse("tournaments:tournament", args=[tournament.public_id]))
    assert "live-news" not in page.content.decode()


def test_entrants_read_of_a_cancellation_on_every_page_until_they_open_the_tournament() -> None:
    tournament, users = announced(NOW, min_entrants=4), members(3)
    enter(tournament, users, NOW)
    entering.withdraw(tournament.public_id, users[2], NOW)
    settle(tournament.starts_at)
    expected = "“Evening cup” was canceled. Your entry fee was returned."
    for user in users[:2]:
        assert news_of(user) == [expected]
    assert news_of(users[2]) == []
    open_page_of(users[0], tournament)
    assert [news_of(user) for user in users] == [[], [expected], []]


def test_the_alert_of_a_canceled_tournament_leads_to_the_cause_and_to_other_tournaments() -> None:
    tournament, users = announced(NOW, min_entrants=4), members(2)
    enter(tournament, users, NOW)
    settle(tournament.starts_at)
    browser = Client()
    browser.force_login(users[0])
    part = browser.get(reverse("tournaments:alerts")).content.decode()
    assert f'href="{reverse("tournaments:tournament", args=[tournament.public_id])}"' in part
    assert f'href="{reverse("tournaments:tournaments")}"' in part


def test_entrants_read_that_our_team_stopped_the_tournament() -> None:
    run = TournamentRun(2, fee_credits=0).start()
    assert staff.void(run.tournament.pk, Ruling("Rain", run.users[0].pk), run.now)
    assert news_of(run.users[0]) == ["“Evening cup” was stopped and does not count."]


def test_entrants_read_of_a_moved_start_until_it_comes() -> None:
    tournament, users = announced(NOW, min_entrants=2), members(2)
    enter(tournament, users, NOW)
    later = tournament.starts_at + timedelta(hours=1)
    assert staff.postpone(tournament.pk, later, Ruling("Rain", users[0].pk), NOW)
    expected = f"“Evening cup” was moved: it starts on {text_of(later, 'moment')}."
    assert news_of(users[0]) == [expected]
    open_page_of(users[1], tournament)
    assert news_of(users[1]) == []
    settle(later)
    assert expected not in news_of(users[0])


def test_a_guest_has_no_timers() -> None:
    TournamentRun(2).start()
    assert "data-left" not in Client().get(reverse("tournaments:alerts")).content.decode()


@pytest.mark.parametrize(("minutes", "is_warned"), [(8, True), (600, False)])
def test_creating_a_game_warns_if_a_tournament_begins_soon(minutes: int, is_warned: bool) -> None:
    now = timezone.now()
    tournament, [user] = announced(now), members(1)
    enter(tournament, [user], now)
    type(tournament).objects.filter(pk=tournament.pk).update(
        starts_at=now + timedelta(minutes=minutes)
    )
    user.commitments.update(starts_at=now + timedelta(minutes=minutes))
    browser = Client()
    browser.force_login(user)
    chosen = {"variant": "short", "length": 5, "seconds": DELAY_MS // 1000, "stake": 10}
    page = browser.post(reverse("lobby:announce"), chosen).content.decode()
    assert ("Your tournament begins at" in page) == is_warned
