"""The poll that reads all deadlines in one query, and the heartbeats of processes."""

from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.notices import services as notices
from config.background import deadlines
from config.background.worker import kinds_of_work
from games.engine.rules import Rules
from games.models import Match, Review
from games.reviews import queue
from games.services import heartbeat, seats
from games.services.next_deadline import BOTS, MATCHES
from lobby.services import announcing, expiry, pairs, wishing
from shop.services import counting
from stats.models import RatedMatch
from stats.services.counting import SEAT_COUNTS
from stats.services.rating import RATINGS
from stats.services.reviewed import REVIEW_COUNTS
from tests.games.factories import START, Sitting, StakeSitting
from tests.lobby.factories import announcement
from tests.tournaments.factories import TournamentRun
from tests.wallet.factories import player
from tournaments.services import ending, rounds, starting, tables
from tournaments.services import work as tournaments_work
from wallet.services import owed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _beating():
    heartbeat.beat(timezone.now(), heartbeat.WORKER)


@pytest.fixture
def stake():
    return StakeSitting(player("annika"), player("boris"))


def test_poll_of_a_site_without_deadlines_is_empty(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert deadlines.read() == {}


def test_every_kind_of_deadline_has_its_own_loop():
    driver = SimpleNamespace(drive=None)
    every = {MATCHES, BOTS, seats.SEATS, queue.REVIEWS, RATINGS, expiry.SEEKS, pairs.SEARCHES}
    every |= {notices.NOTICES, wishing.WISHES, counting.COUNTS, owed.OWED}
    every |= {SEAT_COUNTS, REVIEW_COUNTS}
    every |= {work.kind for work in tournaments_work.ALL}
    assert every == set(kinds_of_work(driver, driver))
    assert set(deadlines._waiting()) <= every


def test_turns_of_bots_are_separate_from_other_deadlines_of_matches(stake):
    match = stake.match
    assert deadlines.read() == {MATCHES: match.wake_at}
    Match.objects.filter(pk=match.pk).update(awaits_bot=True)
    assert deadlines.read() == {BOTS: match.wake_at}


def test_earliest_of_several_deadlines_is_found(stake):
    early = stake.match.wake_at - timedelta(hours=1)
    other = Sitting(Rules.of("short")).match
    Match.objects.filter(pk=other.pk).update(wake_at=early, awaits_bot=False)
    assert deadlines.read() == {MATCHES: early}


def test_held_seat_is_due_when_its_connection_has_been_silent(stake):
    stake.sit()
    assert deadlines.read()[seats.SEATS] == stake.now + seats.SILENCE


def test_announcement_is_due_when_it_expires():
    seek = announcing.announce(player("annika"), announcement(), START)
    assert deadlines.read() == {expiry.SEEKS: seek.expires_at}


def test_new_game_is_due_at_once_if_anybody_wishes_for_one():
    wishing.wish(player("deniz"), wishing.Wanted(), START)
    announcing.announce(player("annika"), announcement(), START)
    assert deadlines.read()[wishing.WISHES] == START


def test_finished_match_waits_for_its_rating(stake):
    RatedMatch.objects.create(match=stake.match, finished_at=START)
    assert deadlines.read()[RATINGS] == START


def test_review_is_due_at_once_and_a_leased_one_when_its_lease_ends(stake):
    review = Review.objects.create(
        match=stake.match, asker="u1", asked_at=START, turn_at=START, plies=1, judge="j", total=1
    )
    assert deadlines.read()[queue.REVIEWS] == START
    until = START + queue.LEASE_FOR
    Review.objects.filter(pk=review.pk).update(leased_until=until, holder=uuid4())
    assert deadlines.read()[queue.REVIEWS] == until


def test_starts_tables_rounds_and_prizes_of_a_tournament_fall_due_in_turn():
    run = TournamentRun(2)
    kinds = [starting.WORK.kind, tables.WORK.kind, rounds.WORK.kind, ending.WORK.kind]

    def known():
        found = deadlines.read()
        return [found[kind] for kind in kinds if kind in found]

    assert known() == [run.tournament.starts_at]
    starting.WORK.settle_due(run.tournament.starts_at)
    begun = deadlines.read()
    assert begun[tables.WORK.kind] == run.tournament.starts_at
    assert rounds.WORK.kind not in begun
    tables.WORK.settle_due(run.tournament.starts_at)
    [table] = run.tables()
    table.win(table.side)
    assert rounds.WORK.kind in deadlines.read()
    rounds.WORK.settle_due(run.tournament.starts_at)
    assert deadlines.read()[ending.WORK.kind] == run.tournament.starts_at
    ending.WORK.settle_due(run.tournament.starts_at)
    assert known() == []


def test_heartbeat_is_one_statement_while_no_other_process_writes_one(django_assert_num_queries):
    names, now = [heartbeat.WORKER, heartbeat.WEB], timezone.now()
    for name in names:
        heartbeat.beat(now, name)
    later = now + timedelta(seconds=1)
    with django_assert_num_queries(1 + 2):  # two for the savepoint
        assert heartbeat.beat_again(later, names, now)
    assert {heartbeat.find_last_beat(name) for name in names} == {later}


def test_heartbeat_after_an_outage_is_not_continued():
    names, now = [heartbeat.WORKER], timezone.now()
    heartbeat.beat(now, heartbeat.WORKER)
    assert not heartbeat.beat_again(now + timedelta(minutes=1), names, now)
    assert heartbeat.find_last_beat(heartbeat.WORKER) == now


def test_heartbeat_written_by_another_process_is_not_continued():
    names, now = [heartbeat.WORKER], timezone.now()
    heartbeat.beat(now, heartbeat.WORKER)
    heartbeat.beat(now + timedelta(seconds=1), heartbeat.WORKER)
    assert not heartbeat.beat_again(now + timedelta(seconds=2), names, now)
