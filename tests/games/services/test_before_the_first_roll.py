"""A player who gives up before the first roll gets a strike, and the match is void, not rated."""

import pytest

from games.engine.match.state import MatchCause, Phase
from games.engine.sides import Side
from games.models import Strike
from games.services.deadlines import settle_due
from stats.models import RatedMatch, RatingChange
from stats.services import rating
from tests.games.factories import StakeSitting, assert_log_folds
from tests.wallet.factories import total_of

pytestmark = pytest.mark.django_db

GIVING_UP = pytest.mark.parametrize("command", ["resign_match", "leave"])


def strikes_of(sitting: StakeSitting) -> list[tuple[Side, str]]:
    users = {user.pk: side for side, user in sitting.users.items()}
    return [(users[strike.user_id], strike.kind) for strike in Strike.objects.all()]


@GIVING_UP
def test_giving_up_before_the_first_roll_voids_the_match(white, black, command):
    sitting = StakeSitting(white, black, stake=300, length=25).sit()
    sitting.do(command, side=Side.WHITE)
    sitting.match.refresh_from_db()
    assert sitting.match.outcome == MatchCause.VOID
    assert (total_of(white), total_of(black)) == (1000, 1000)
    assert strikes_of(sitting) == [(Side.WHITE, Strike.Kind.LEFT_EARLY)]
    rating.rate_waiting(sitting.now)
    assert not RatedMatch.objects.exists()
    assert_log_folds(sitting.match)


def test_the_log_names_the_side_that_gave_up_before_the_first_roll(white, black):
    sitting = StakeSitting(white, black).sit()
    sitting.do("resign_match", side=Side.BLACK)
    void = sitting.match.actions.get(verb="void")
    assert (void.side, void.data["cause"], void.data["side"]) == ("black", "left", "black")


def test_opponent_who_sent_the_hash_of_entropy_gets_no_strike(white, black):
    sitting = StakeSitting(white, black).sit()
    sitting.do("entropy_hash", side=Side.WHITE, hash="0" * 64)
    sitting.do("leave", side=Side.BLACK)
    assert strikes_of(sitting) == [(Side.BLACK, Strike.Kind.LEFT_EARLY)]


def test_later_deadlines_do_not_void_the_match_again(white, black):
    sitting = StakeSitting(white, black).sit()
    sitting.do("leave", side=Side.WHITE)
    for _ in range(2):
        settle_due(sitting.now)
    assert sitting.match.actions.filter(verb="void").count() == 1
    assert Strike.objects.count() == 1


@GIVING_UP
def test_player_who_gives_up_after_the_first_roll_loses_the_match(white, black, command):
    sitting = StakeSitting(white, black, stake=100).sit().start_game()
    sitting.do(command, side=Side.WHITE)
    assert (total_of(white), total_of(black)) == (900, 1090)
    assert not Strike.objects.exists()


# --- Matches that count as played -----------------------------------------------------------------


def is_rated(sitting: StakeSitting) -> bool:
    """Rate the waiting matches; return whether this one changed a rating."""
    rating.rate_waiting(sitting.now)
    return RatingChange.objects.filter(rated__match=sitting.match).exists()


def after_turns(sitting: StakeSitting, count: int) -> StakeSitting:
    """Play until both sides together have finished `count` turns of the game."""
    while sum(sitting.state.turns) < count:
        sitting.act_simply()
    return sitting


@pytest.mark.parametrize(("count", "rated"), [(0, False), (1, False), (2, True)])
@pytest.mark.parametrize("variant", ["short", "long"])
def test_resigned_match_is_rated_if_both_sides_have_moved_in_a_game(
    white, black, variant, count, rated
):
    sitting = StakeSitting(white, black, length=25, variant=variant).sit().start_game()
    after_turns(sitting, count).do("resign_match", side=Side.WHITE)
    assert is_rated(sitting) is rated


def test_match_is_rated_if_an_earlier_game_was_played(white, black):
    sitting = StakeSitting(white, black, length=25).sit().start_game()
    sitting.play_until(Phase.BETWEEN_GAMES)
    for side in Side:
        sitting.do("next", side=side)
    sitting.do("resign_match", side=Side.BLACK)
    assert is_rated(sitting)


def test_match_of_games_that_were_all_resigned_at_once_is_not_rated(white, black):
    sitting = StakeSitting(white, black, length=3).sit().start_game()
    while sitting.state.outcome is None:
        side = sitting.state.turn
        sitting.do("resign", side=side, factor=sitting.may(side)["resign"][-1])
        sitting.do("accept", side=side.other)
        if sitting.state.outcome is None:
            for each in Side:
                sitting.do("next", side=each)
    assert sitting.state.outcome.cause is MatchCause.POINTS
    assert not is_rated(sitting)
