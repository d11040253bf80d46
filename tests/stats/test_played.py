"""Rows of played matches are written when a seat is counted, and corrected by a rebuild."""

from uuid import uuid4

import pytest
from django.utils import timezone

from games.engine.sides import Side
from games.models.actor import Actor
from games.models.kind import Category
from games.services import guests
from stats.models import CountedSeat, MemberDeeds, OpponentRecord, PlayedMatch
from stats.services import counting
from tests.accounts.factories import UserFactory
from tests.games.factories import FriendlySitting, StakeMatchFactory, StakeSitting
from tests.games.played_out import play_out
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def count():
    counting.settle_due(timezone.now())


@pytest.fixture
def match():
    anna, boris = player("anna5", credits=1000), player("boris5", credits=1000)
    return play_out(StakeMatchFactory(white=anna, black=boris))


def test_each_category_of_matches_has_a_name():
    assert set(PlayedMatch.Category.values) == set(Category)


def test_both_seats_get_a_row(match):
    count()
    rows = {row.seat.side: row for row in PlayedMatch.objects.select_related("seat")}
    won, lost = rows[match.winner], rows[Side(match.winner).other.value]
    assert (won.result, won.category, won.against) == ("won", "credits", "member")
    assert (won.net_credits, won.fee_credits) == (90, 10)
    assert (lost.result, lost.net_credits, lost.fee_credits) == ("lost", -100, 0)
    assert (won.own_score, won.other_score) == (lost.other_score, lost.own_score)
    assert (won.games_won, won.games_lost) == (1, 0)
    assert won.opponent_id == lost.user_id
    rolls = match.actions.filter(verb="roll")
    assert won.all_rolls == lost.all_rolls == rolls.count() == won.rolls + lost.rolls
    thrown = [(row.data["d1"], row.data["d2"]) for row in rolls.filter(side=match.winner)]
    assert won.doublets == sum(one == other for one, other in thrown)
    assert won.pips == sum((one + other) * (2 if one == other else 1) for one, other in thrown)


@pytest.mark.parametrize("is_cut_short", [False, True])
def test_statistics_and_achievements_count_the_same_games_as_won(is_cut_short):
    anna, boris = player("anna5"), player("boris5")
    if is_cut_short:
        sitting = StakeSitting(anna, boris).sit().start_game().both_move()
        sitting.do("resign_match", side=Side.WHITE)
    else:
        play_out(StakeMatchFactory(white=anna, black=boris))
    count()
    for row in PlayedMatch.objects.all():
        is_won = row.result == "won" and not is_cut_short
        deeds = MemberDeeds.objects.get(user=row.user_id)
        assert row.games_won == deeds.data["games_won"] == is_won
        assert row.games_won + row.games_lost == (not is_cut_short)
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)


def test_a_counted_seat_without_a_row_gets_one_and_is_not_counted_again(match):
    count()
    PlayedMatch.objects.all().delete()
    OpponentRecord.objects.all().delete()
    CountedSeat.objects.update(has_row=False)
    places = list(CountedSeat.objects.order_by("pk").values_list("place", flat=True))
    count()
    assert PlayedMatch.objects.count() == 2
    assert list(CountedSeat.objects.order_by("pk").values_list("place", flat=True)) == places
    assert counting.rebuild() == counting.Recounted(0, 0, 0, 0)


def test_a_rebuild_mends_missing_wrong_and_stray_rows(match):
    count()
    before = list(PlayedMatch.objects.order_by("seat").values())
    first = PlayedMatch.objects.first()
    PlayedMatch.objects.filter(pk=first.pk).update(rolls=1, result="drawn")
    PlayedMatch.objects.exclude(pk=first.pk).delete()
    assert counting.rebuild().matches == 2
    after = list(PlayedMatch.objects.order_by("seat").values())
    for rows in (before, after):
        for row in rows:
            del row["id"]
    assert after == before
    CountedSeat.objects.filter(seat__side="white").update(place=None)
    assert counting.rebuild().matches == 1
    assert PlayedMatch.objects.count() == 1


def test_a_guest_who_becomes_a_member_is_named_in_the_opponents_row(match):
    clara, guest = player("clara5"), uuid4()
    sitting = FriendlySitting(Actor(user_id=clara.pk), Actor(guest=guest)).sit().start_game()
    sitting.do("resign_match", side=Side.BLACK)
    count()
    row = PlayedMatch.objects.get(user=clara)
    assert (row.category, row.against, row.opponent) == ("friendly", "guest", None)
    newcomer = UserFactory(guest=guest, member=True)
    guests.adopt(guest, newcomer.pk)
    count()
    row.refresh_from_db()
    assert (row.against, row.opponent) == ("member", newcomer)
    assert PlayedMatch.objects.filter(user=newcomer, opponent=clara).exists()
    assert counting.rebuild().matches == 0
