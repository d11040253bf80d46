"""Before the first roll: giving up brings a strike, and entropy may come from another device."""

import hashlib
from datetime import timedelta

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.state import MatchCause, Phase
from games.engine.sides import Side
from games.models import Strike
from games.models.kind import EXHIBITION, STAKE
from games.services.commands import MOST_HASHES
from games.services.deadlines import settle_due
from stats.models import RatedMatch, RatingChange
from stats.services import rating
from tests.games.browsing import data_in
from tests.games.factories import (
    ExhibitionSitting,
    PairSitting,
    StakeSitting,
    assert_log_folds,
    command,
)
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


def test_a_player_against_a_bot_has_ten_seconds_for_the_entropy(white):
    sitting = ExhibitionSitting({Side.WHITE: white}).sit(Side.WHITE)
    window = sitting.match.policy.no_start_after
    sent_at = sitting.now = sitting.now + window - timedelta(seconds=1)
    sitting.do("entropy_hash", hash="0" * 64)
    for seconds, phase in ((9, Phase.SEATING), (10, Phase.FINISHED)):
        settle_due(sent_at + timedelta(seconds=seconds))
        assert sitting.state.phase is phase


@GIVING_UP
def test_player_who_gives_up_after_the_first_roll_loses_the_match(white, black, command):
    sitting = StakeSitting(white, black, stake=100).sit().start_game()
    sitting.do(command, side=Side.WHITE)
    assert (total_of(white), total_of(black)) == (900, 1090)
    assert not Strike.objects.exists()


# --- Two devices ----------------------------------------------------------------------------------


def add(sitting: PairSitting, side: Side, text: str, *kinds: str) -> None:
    """Send for a side, from its newest device, the hash of an entropy, the entropy, or both."""
    entropy = text.encode()
    fields = {
        "entropy_hash": {"hash": hashlib.sha256(entropy).hexdigest()},
        "entropy": {"entropy": entropy.hex()},
    }
    for kind in kinds:
        sitting.do(kind, side=side, **fields[kind])


def test_device_that_lost_the_seat_still_sends_its_entropy_and_nothing_else(white, black):
    sitting = StakeSitting(white, black).sit()
    add(sitting, Side.WHITE, "laptop", "entropy_hash")
    laptop = sitting.actors[Side.WHITE]
    sitting.sit(Side.WHITE)  # the phone
    add(sitting, Side.BLACK, "black", "entropy_hash", "entropy")
    with pytest.raises(Refused, match="unreadable"):
        add(sitting, Side.WHITE, "phone", "entropy")
    for t, fields in (("entropy_hash", {"hash": "0" * 64}), ("leave", {})):
        with pytest.raises(Refused, match="passive"):
            sitting.submit(laptop, command(t, sitting.seq, **fields))
    entropy = b"laptop".hex()
    sitting.submit(laptop, command("entropy", sitting.seq, entropy=entropy))
    assert (sitting.state.game, sitting.state.proof.entropy[Side.WHITE]) == (1, entropy)
    assert_log_folds(sitting.match)


def test_device_replaces_the_hash_of_one_that_was_closed(white, black):
    sitting = StakeSitting(white, black).sit()
    add(sitting, Side.WHITE, "laptop", "entropy_hash")
    sitting.go(Side.WHITE)
    sitting.sit(Side.WHITE)
    add(sitting, Side.WHITE, "phone", "entropy_hash")
    add(sitting, Side.BLACK, "black", "entropy_hash", "entropy")
    add(sitting, Side.WHITE, "phone", "entropy")
    assert sitting.state.game == 1
    assert_log_folds(sitting.match)


def test_replaced_hash_changes_neither_the_deadline_nor_the_side_with_the_strike(white, black):
    sitting = StakeSitting(white, black).sit()
    add(sitting, Side.WHITE, "laptop", "entropy_hash")
    sitting.pass_time(29_900)
    add(sitting, Side.WHITE, "phone", "entropy_hash")
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at == sitting.match.created_at + STAKE.no_start_after
    sitting.pass_time(100)
    settle_due(sitting.now)
    assert strikes_of(sitting) == [(Side.BLACK, Strike.Kind.NO_START)]


def test_hash_against_a_bot_cannot_be_replaced_after_the_time_to_start(white):
    sitting = ExhibitionSitting({Side.WHITE: white}).sit(Side.WHITE)
    add(sitting, Side.WHITE, "laptop", "entropy_hash")
    sitting.pass_time(EXHIBITION.no_start_after // timedelta(milliseconds=1) - 100)
    add(sitting, Side.WHITE, "phone", "entropy_hash")
    sitting.pass_time(100)
    with pytest.raises(Refused, match="wrong_phase"):
        add(sitting, Side.WHITE, "tablet", "entropy_hash")
    add(sitting, Side.WHITE, "phone", "entropy")
    assert sitting.state.game == 1


def test_hashes_are_final_once_both_are_there(white, black):
    sitting = StakeSitting(white, black).sit()
    for side in Side:
        add(sitting, side, "first", "entropy_hash")
    sitting.match.refresh_from_db()
    wake_at = sitting.match.wake_at
    for side in Side:
        with pytest.raises(Refused, match="wrong_phase"):
            add(sitting, side, "second", "entropy_hash")
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at == wake_at


def test_a_side_sends_a_few_hashes_at_most(white, black):
    sitting = StakeSitting(white, black).sit()
    for number in range(MOST_HASHES):
        add(sitting, Side.WHITE, f"{number}", "entropy_hash")
    with pytest.raises(Refused, match="wrong_phase"):
        add(sitting, Side.WHITE, "one more", "entropy_hash")
    add(sitting, Side.BLACK, "black", "entropy_hash", "entropy")
    add(sitting, Side.WHITE, f"{MOST_HASHES - 1}", "entropy")
    assert sitting.state.game == 1


def test_page_knows_when_a_match_without_entropy_is_void(white, black, client):
    sitting = StakeSitting(white, black)
    client.force_login(white)
    page = client.get(f"/match/{sitting.public_id}/").content.decode()
    time = timedelta(milliseconds=data_in(page, "match-boot")["no_start_ms"])
    assert time == STAKE.no_start_after


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
