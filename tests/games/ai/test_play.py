"""The levels play legally and deterministically, differ in strength, and see no future dice."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from games.ai.bots import decisions, levels
from games.ai.bots.levels import LEVELS
from games.ai.kernel import game
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer, player_of
from games.ai.net.rolls import ROLLS
from games.ai.net.search import Candidate
from games.ai.process.warm_up import states
from games.engine import dice
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.board.position import Position
from games.engine.match.permissions import is_first_turn
from games.engine.match.state import DiceProof, MatchState, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Pair, Side
from tests.bench import ai_legal, ai_levels

WEAK = [level for level in LEVELS.values() if level.caps]


def opening(variant: Variant, roll: tuple[int, int]) -> MatchState:
    found = next(state for state in states() if state.rules.variant is variant and state.dice)
    return replace(found, dice=roll)


def played(state: MatchState, level: str, salt: str = "") -> str:
    assert state.turn is not None
    found = decisions.decide(state, state.turn, LEVELS[level], salt=salt)
    assert found is not None
    text: str = found.command["d"]
    return text


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", list(Variant))
def test_level_plays_a_legal_turn_deterministically(variant: Variant, level: str) -> None:
    for roll in ROLLS:
        state = opening(variant, roll)
        assert state.turn is not None
        plays = legal_plays(state.position, state.turn, roll, state.rules, is_first_turn(state))
        text = played(state, level)
        assert text in {play_to_text(play) for play in plays.values()}
        assert text == played(state, level)


@pytest.mark.parametrize("level", [level.name for level in WEAK])
def test_weak_level_varies_between_matches(level: str) -> None:
    state = opening(Variant.SHORT, (4, 3))
    assert len({played(state, level, str(number)) for number in range(30)}) > 1
    strong = {played(state, "strong", str(number)) for number in range(30)}
    assert len(strong) == 1


@pytest.mark.parametrize("variant", list(Variant))
def test_no_level_sees_future_dice(variant: Variant) -> None:
    """Commitment and entropy are in the bot's question, but do not change its play."""
    secrets = [bytes([number]) * 32 for number in (1, 2)]
    state = opening(variant, (4, 3))
    for level in LEVELS:
        texts = set()
        for secret in secrets:
            proof = DiceProof(commitment=dice.commitment(secret), entropy=Pair("", secret.hex()))
            texts.add(played(replace(state, proof=proof), level, "a"))
        assert len(texts) == 1


@pytest.mark.parametrize("level", [level.name for level in WEAK])
@pytest.mark.parametrize("variant", list(Variant))
def test_weak_levels_do_not_err_with_all_checkers_home(variant: Variant, level: str) -> None:
    position = Position.from_text("W:6x2,4x3,3x1,1x2,off7 B:5x2,4x3,1x2,off8", variant)
    for roll in ROLLS:
        state = replace(opening(variant, roll), position=position, turns=Pair(9, 9))
        assert played(state, level) == played(state, "strong")


def losses(variant: Variant, level: levels.Level, player: NetPlayer, turns: int) -> list[float]:
    """Return the losses of a level in games against itself, evaluated at 0-ply."""
    rng, board, found = np.random.default_rng(5), np.empty(26, np.int8), []
    number, rules = weights_files.VARIANTS[variant], Rules.of(variant)
    module = game.MODULES[number]
    while len(found) < turns:
        module.start(board)
        for turn in range(1000):
            roll = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
            ranked = player.ranked(board, roll, rules, turn < 2, 0)
            chosen = levels.choose(player, level, board, roll, rules, turn < 2, plies=0)
            worth = {each.after.tobytes(): each.equity for each in ranked}
            if len(ranked) > 1:
                found.append(ranked[0].equity - worth[chosen.after.tobytes()])
            if module.finished(chosen.after, module.kinds_of(rules)):
                break
            module.flip(chosen.after, board)
    return found


@pytest.mark.parametrize("variant", list(Variant))
def test_losses_grow_with_weaker_levels_and_stay_below_the_cap(
    variant: Variant,
) -> None:
    player = player_of(variant)
    mean = []
    for level in WEAK:
        found = losses(variant, level, player, 1500)
        assert max(found) < level.caps[variant]
        mean.append(sum(found) / len(found))
    assert all(weaker > 1.5 * stronger for weaker, stronger in pairwise(mean))
    assert max(losses(variant, LEVELS["strong"], player, 100)) == 0.0


@pytest.mark.parametrize(("second", "hard"), [(0.5, 1.0), (0.1, 1.0), (0.05, 0.5), (-0.5, 0.0)])
def test_choice_is_as_hard_as_the_second_best_play_is_close(
    monkeypatch: pytest.MonkeyPatch, second: float, hard: float
) -> None:
    """A play that was searched less deeply stands second even if its equity is higher."""
    board = np.empty(26, np.int8)
    game.MODULES[game.SHORT].start(board)
    found = [Candidate(board, 0.1, 2, ()), Candidate(board, second, 1, ())]
    monkeypatch.setattr(NetPlayer, "ranked", lambda *_: found)
    player, rules = player_of(Variant.SHORT), Rules.of("short")
    chosen = levels.choose(player, LEVELS["master"], board, (3, 1), rules)
    assert chosen.hard == pytest.approx(hard)


@pytest.mark.parametrize(("number", "expected"), [(0, True), (1, False), (2, False)])
def test_the_judge_of_levels_knows_the_first_turn_of_the_side_that_answers(
    monkeypatch: pytest.MonkeyPatch, number: int, expected: bool
) -> None:
    board = np.empty(26, np.int8)
    game.MODULES[game.LONG].start(board)
    asked: set[bool] = set()

    def ranked(_player: NetPlayer, *about: Any) -> list[Candidate]:
        asked.add(about[3])
        return [Candidate(board, 0.1, 1, ())]

    monkeypatch.setattr(NetPlayer, "ranked", ranked)
    judge = ai_levels.own_judge(ai_levels.LevelGames(Variant.LONG, player_of(Variant.LONG)))
    assert judge(ai_levels.Turn(board, (3, 1), number), [board]) == [pytest.approx(-0.1)]
    assert asked == {expected}


def test_nothing_is_decided_in_a_finished_match() -> None:
    for state in states():
        finished = replace(state, phase=Phase.FINISHED, turn=None)
        assert decisions.decide(finished, Side.WHITE, LEVELS["strong"]) is None


@pytest.mark.parametrize("variant", list(Variant))
def test_every_turn_of_whole_games_is_legal(variant: Variant) -> None:
    found = ai_legal.count(variant, 1500, seed=3)  # the benchmark plays 100,000 turns
    assert found.turns == 1500
    assert found.choices > 1000
    assert found.illegal == 0
