"""Matches that count for a member: each gives a newcomer a part of the welcome credits."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from config.personal_data import data_of
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import CountedMatch
from games.models.actor import Actor
from games.services import voiding
from games.services.transaction import MatchTransaction
from games.stakes import history
from tests.accounts.factories import member, sign_in
from tests.games.factories import DELAY_MS, MatchFactory, Sitting, StakeSitting
from tests.wallet.factories import assert_books_balance, total_of
from wallet.models import Transfer, WelcomeGift
from wallet.services.welcome import PART_CREDITS, give_next

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer():
    return member("newcomer")


@pytest.fixture
def friend():
    return member("friend77")


class MemberSitting(Sitting):
    """A member's training match."""

    def __init__(self, user, now):
        self.now, self.side, self.owner = now, Side.WHITE, Actor(user_id=user.pk)
        rules = Rules.of("short", length=25, delay_ms=DELAY_MS)
        self.match = MatchFactory(player=self.owner, rules=rules, now=now)


def play_turns(sitting, turns):
    """Play until both sides have had this many turns in one game, possibly after other games."""
    while min(sitting.state.turns.white, sitting.state.turns.black) < turns:
        sitting.act_simply()


def train(user, turns=history.LEAST_TURNS, now=None):
    """Play a match against the computer, and resign it after `turns` turns of each side."""
    sitting = MemberSitting(user, now or timezone.now()).sit().start_game()
    play_turns(sitting, turns)
    sitting.do("resign_match")
    return sitting.match


def play(user, other, turns=history.LEAST_TURNS, now=None):
    """Play a match for 10 credits, which the user resigns after `turns` turns of each side."""
    sitting = StakeSitting(user, other, stake=10, length=5, now=now).sit().start_game()
    play_turns(sitting, turns)
    sitting.do("resign_match")
    return sitting.match


def counted(user):
    return CountedMatch.objects.filter(user=user).count()


# --- The gift ------------------------------------------------------------------------------------


def test_newcomer_gets_a_first_part_and_one_for_each_counted_match(newcomer):
    assert total_of(newcomer) == PART_CREDITS
    match = train(newcomer)
    assert total_of(newcomer) == 2 * PART_CREDITS
    given = Transfer.objects.get(cause="welcome_step")
    assert given.reference == f"match:{match.public_id}"
    assert_books_balance()


def test_parts_of_the_welcome_gift_add_up_to_the_setting(settings):
    settings.WELCOME_CREDITS = 250
    newcomer, now = member("newcomer"), timezone.now()
    got = [total_of(newcomer)]
    for _ in range(3):
        train(newcomer, now=now)
        got.append(total_of(newcomer))
    assert got == [100, 200, 250, 250]


def test_gift_keeps_its_promised_total_when_the_setting_changes(newcomer, settings):
    settings.WELCOME_CREDITS *= 10
    assert WelcomeGift.objects.get(user=newcomer).total_credits == settings.WELCOME_CREDITS // 10


def test_event_that_arrives_twice_gives_one_part(newcomer):
    first = give_next(newcomer.pk, "match:one", timezone.now())
    assert give_next(newcomer.pk, "match:one", timezone.now()) == first
    assert total_of(newcomer) == 2 * PART_CREDITS


def test_a_member_without_a_gift_gets_no_part(newcomer):
    WelcomeGift.objects.all().delete()  # accounts from before the gift came in parts have no row
    train(newcomer)
    assert counted(newcomer) == 1
    assert total_of(newcomer) == PART_CREDITS


# --- Attempts to get the gift without playing -----------------------------------------------------


def test_matches_that_are_resigned_early_give_nothing(newcomer):
    for turns in (0, 1, history.LEAST_TURNS - 1):
        train(newcomer, turns)
    assert counted(newcomer) == 0
    assert total_of(newcomer) == PART_CREDITS


def test_pausing_and_resuming_does_not_count_as_turns(newcomer):
    sitting = MemberSitting(newcomer, timezone.now()).sit().start_game()
    for _ in range(history.LEAST_TURNS):
        sitting.do("pause")
        sitting.do("resume")
    sitting.do("resign_match")
    assert counted(newcomer) == 0


def test_only_one_match_between_two_members_counts(newcomer, friend):
    for _ in range(2):
        play(newcomer, friend)
    assert counted(newcomer) == counted(friend) == 1
    assert total_of(newcomer) + total_of(friend) == 4 * PART_CREDITS - 2  # less two rakes of 1


def test_only_a_few_matches_a_day_count(newcomer):
    now = timezone.now()
    for _ in range(history.MOST_A_DAY + 1):
        train(newcomer, now=now)
    assert counted(newcomer) == history.MOST_A_DAY
    train(newcomer, now=now + history.DAY + timedelta(minutes=1))
    assert counted(newcomer) == history.MOST_A_DAY + 1


def test_a_void_match_does_not_count(newcomer, friend):
    sitting = StakeSitting(newcomer, friend, stake=10, length=5).sit().start_game()
    play_turns(sitting, history.LEAST_TURNS)
    tx = MatchTransaction.lock(sitting.public_id, sitting.now)
    voiding.void(tx, voiding.OUTAGE_CAUSE)
    tx.save()
    assert sitting.state.phase is Phase.FINISHED
    assert CountedMatch.objects.count() == 0
    assert total_of(newcomer) == PART_CREDITS


def test_no_more_matches_are_counted_for_a_member_with_history(newcomer):
    WelcomeGift.objects.all().delete()
    now = timezone.now()
    for number in range(history.ENOUGH + 1):
        train(newcomer, now=now + number * history.DAY)
    assert counted(newcomer) == history.ENOUGH
    assert history.has_history(newcomer.pk)


# --- The migration -------------------------------------------------------------------------------


def test_the_migration_counts_the_matches_of_earlier_members(newcomer, friend):
    train(newcomer)
    train(newcomer, turns=1)
    play(newcomer, friend)
    play(newcomer, friend)
    rows = CountedMatch.objects.order_by("user", "match").values_list("user", "match", "opponent")
    before = list(rows)
    assert len(before) == 3
    CountedMatch.objects.all().delete()
    credits = total_of(newcomer)
    migration = import_module("games.migrations.0011_count_earlier_matches")
    migration.count(apps, None)
    migration.count(apps, None)
    assert list(rows) == before
    assert total_of(newcomer) == credits


# --- The credits' page and the export -------------------------------------------------------------


def test_page_of_credits_explains_the_rest_of_the_gift(newcomer):
    train(newcomer)
    page = sign_in(Client(), newcomer).get("/credits/").content.decode()
    assert "200 of 1,000 welcome credits" in page
    assert "at least 10 turns" in page


def test_export_of_data_contains_gift_and_counted_matches(newcomer):
    train(newcomer)
    data = data_of(newcomer)
    assert data["credits"]["welcome"] == {"total": 1000, "given": 200}
    assert [match["counts_for_newcomers"] for match in data["matches"]] == [True]
