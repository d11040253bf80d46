"""Players of a tournament match have five minutes to come, which do not count as absence."""

import hashlib
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import selectors
from games.conduct.no_shows import missing_sides, void_cause_of
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, Strike
from games.models.actor import Actor
from games.models.void_cause import VoidCause
from games.protocol.outgoing import presence
from games.services import deadlines, matches, seats, voiding
from stats.models import RatedMatch
from tests.games.factories import DELAY_MS, PairSitting, StakeSitting, assert_log_folds
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db
WINDOW = timedelta(minutes=5)


class TournamentSitting(PairSitting):
    """A match of a tournament between two members."""

    def __init__(self, **rules) -> None:
        self.now = timezone.now()
        self.side = Side.WHITE
        self.users = {Side.WHITE: player("white5"), Side.BLACK: player("black5")}
        self.actors = {side: Actor(user_id=user.pk) for side, user in self.users.items()}
        user_ids = {side: user.pk for side, user in self.users.items()}
        chosen = Rules.of("short", delay_ms=DELAY_MS, **rules)
        with write_transaction():
            self.match = matches.create_tournament(chosen, user_ids, self.now)

    def shown_presence(self):
        match = Match.objects.get(pk=self.match.pk)
        return presence(match, match.seats_by_side, self.now)


@pytest.fixture
def sitting() -> TournamentSitting:
    return TournamentSitting()


def test_a_match_is_played_to_its_end_and_rated(sitting) -> None:
    sitting.sit().start_game().play_until(Phase.FINISHED)
    sitting.match.refresh_from_db()
    assert sitting.match.winner
    assert RatedMatch.objects.filter(match=sitting.match).exists()
    assert_log_folds(sitting.match)


def test_players_have_five_minutes_to_come(sitting) -> None:
    deadlines.settle_due(sitting.now + WINDOW - timedelta(seconds=1))
    sitting.match.refresh_from_db()
    assert not sitting.match.is_finished
    deadlines.settle_due(sitting.now + WINDOW)
    sitting.match.refresh_from_db()
    assert void_cause_of(sitting.match) is VoidCause.NO_START
    assert missing_sides(sitting.match) == set(Side)


def test_only_the_player_who_did_not_come_is_missing(sitting) -> None:
    sitting.sit(Side.BLACK)
    sitting.do("entropy_hash", side=Side.BLACK, hash=hashlib.sha256(b"x" * 16).hexdigest())
    deadlines.settle_due(sitting.now + WINDOW)
    sitting.match.refresh_from_db()
    assert missing_sides(sitting.match) == {Side.WHITE}


def test_technical_defeat_is_not_rated_and_gives_no_strike(sitting) -> None:
    deadlines.settle_due(sitting.now + WINDOW)
    assert not RatedMatch.objects.exists()
    assert not Strike.objects.exists()


def test_a_player_who_gives_up_before_the_first_roll_is_missing(sitting) -> None:
    sitting.sit()
    sitting.do("leave", side=Side.BLACK)
    sitting.match.refresh_from_db()
    assert void_cause_of(sitting.match) is VoidCause.LEFT
    assert missing_sides(sitting.match) == {Side.BLACK}


def test_player_who_comes_late_keeps_the_whole_absence_budget(sitting) -> None:
    sitting.pass_time(4 * 60_000)
    sitting.sit().start_game()
    full = {"is_absent": False, "left_ms": 180_000}
    assert sitting.shown_presence() == {"white": full, "black": full}


def test_player_who_comes_and_leaves_before_the_first_game_is_absent(sitting) -> None:
    sitting.sit()
    for side in Side:
        sitting.do("entropy_hash", side=side, hash=hashlib.sha256(b"x" * 16).hexdigest())
    sitting.do("entropy", side=Side.BLACK, entropy=(b"x" * 16).hex())
    sitting.go(Side.BLACK)
    sitting.pass_time(5_000)
    sitting.do("entropy", side=Side.WHITE, entropy=(b"x" * 16).hex())
    assert sitting.shown_presence()["black"] == {"is_absent": True, "left_ms": 180_000}
    with pytest.raises(Refused, match="not_absent"):
        sitting.do("claim", side=Side.WHITE)


def test_site_can_call_a_match_off(sitting) -> None:
    sitting.sit().start_game()
    with write_transaction():
        voiding.call_off(sitting.public_id, sitting.now)
    sitting.match.refresh_from_db()
    assert sitting.match.outcome == MatchCause.VOID
    assert missing_sides(sitting.match) == frozenset()


def test_players_of_a_tournament_match_may_play_for_credits(sitting) -> None:
    assert not selectors.has_live_stake(sitting.users[Side.WHITE].pk)
    seats.take(sitting.public_id, sitting.actors[Side.WHITE], uuid4(), sitting.now)
    other = StakeSitting(sitting.users[Side.WHITE], player("third5"))
    assert selectors.has_live_stake(sitting.users[Side.WHITE].pk)
    assert not other.match.is_finished
