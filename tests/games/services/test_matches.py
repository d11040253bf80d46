"""Whole matches through the services."""

import pytest

from games import match_rows
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.protocol import snapshots
from tests.games.factories import Sitting, assert_log_folds, rule_sets
from tests.support.lengths import IS_LONG

pytestmark = pytest.mark.django_db


# One match for each variant and length, either with parity and a clock or with neither; both of
# them with `python3 run.py test --long`.
PLAYED = [rules for number, rules in enumerate(rule_sets()) if IS_LONG or number % 4 in (1, 2)]


@pytest.mark.parametrize("rules", PLAYED, ids=str)
def test_log_of_a_finished_match_folds_to_its_snapshot(rules: Rules) -> None:
    sitting = Sitting(rules).sit().start_game().play_until(Phase.FINISHED)
    match = sitting.match
    match.refresh_from_db()
    assert match.outcome
    assert match.finished_at
    assert match.state.proof.secret is not None
    assert match.games.filter(finished_at__isnull=True).count() == 0
    assert match.wake_at is None
    assert_log_folds(match)


def test_secret_is_sealed_in_the_database_until_the_end() -> None:
    sitting = Sitting(Rules.of("short")).sit().start_game()
    assert sitting.state.proof.secret is None
    sitting.play_until(Phase.FINISHED)
    secret = bytes.fromhex(sitting.state.proof.secret or "")
    assert secret not in bytes(Match.objects.get(pk=sitting.match.pk).sealed_secret)


def test_two_games_with_equal_results_have_a_row_each() -> None:
    sitting = Sitting(Rules.of("short", length=2)).sit().start_game()
    for _ in range(2):
        while 1 not in sitting.may()["resign"]:
            sitting.act_simply()
        sitting.do("resign", factor=1)
        sitting.do("accept", side=Side.BLACK)
    first, second = sitting.match.games.order_by("number")
    for game in (first, second):
        assert (game.winner, game.kind, game.points, game.cause) == ("black", "single", 1, "resign")
        assert game.finished_at is not None


def test_unfinished_game_of_a_resigned_match_has_the_cause_of_the_match() -> None:
    sitting = Sitting(Rules.of("short", length=2)).sit().start_game()
    sitting.do("resign_match")
    game = sitting.match.games.get()
    assert (game.winner, game.points, game.cause) == ("black", 0, "resign_match")


def test_resigning_the_match_between_games_does_not_change_the_last_game() -> None:
    sitting = (
        Sitting(Rules.of("long", length=25)).sit().start_game().play_until(Phase.BETWEEN_GAMES)
    )
    before = sitting.match.games.values().get()
    sitting.do("resign_match")
    assert sitting.match.games.values().get() == before


def test_state_frame_excludes_actions_newer_than_its_snapshot(monkeypatch) -> None:
    sitting = Sitting(Rules.of("short")).sit()
    stale = match_rows.read_match(sitting.public_id)
    sitting.start_game()
    monkeypatch.setattr(match_rows, "read_match", lambda _public_id: stale)
    frame = snapshots.state_frame(sitting.public_id, Side.WHITE, 0, sitting.now)
    assert [action["kind"] for action in frame["actions"]] == ["commit"]
    assert frame["seq"] == 1
