"""How the heuristic opponents play: sensibly, in order of strength, always the same way."""

import pytest

from games.ai.levels import LEVELS, choose
from games.ai.shots import ROLLS
from games.engine.legal import legal_plays
from games.engine.moves import play_to_text
from games.engine.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from tests.bench.ai_heuristic import duel, level_player, random_player

SHORT, LONG = Rules.of("short"), Rules.of("long")


def played(text: str, dice: tuple[int, int], rules: Rules = SHORT, level: str = "strong") -> str:
    position = Position.from_text(text, rules.variant)
    return play_to_text(choose(position, Side.WHITE, dice, rules, LEVELS[level]))


def opening(dice: tuple[int, int]) -> set[str]:
    play = choose(Position.start(Variant.SHORT), Side.WHITE, dice, SHORT, LEVELS["strong"])
    return set(play_to_text(play).split())


@pytest.mark.parametrize(
    ("dice", "moves"),
    [((3, 1), {"8/5", "6/5"}), ((4, 2), {"8/4", "6/4"}), ((6, 1), {"13/7", "8/7"})],
)
def test_the_plain_openings_are_those_that_everybody_plays(
    dice: tuple[int, int], moves: set[str]
) -> None:
    assert opening(dice) == moves


def test_a_winning_hit_is_made() -> None:
    text = "W:24x2,13x2,8x3,7x2,6x3,5x3 B:24x1,22x1,13x5,8x3,6x5"
    assert "*" in played(text, (5, 3))


def test_a_checker_is_borne_off_rather_than_moved_inside() -> None:
    text = "W:6x1,4x2,2x1,off11 B:3x3,off12"
    assert played(text, (4, 2)).count("off") == 2


def test_the_last_few_checkers_are_played_exactly() -> None:
    # With 6-1 from 6 and 2, off with the 6 leaves 1: any roll finishes. Known by heart.
    assert set(played("W:6x1,2x1,off13 B:1x2,off13", (6, 1)).split()) == {"6/off", "2/1"}


def test_the_head_is_taken_down_in_the_long_game() -> None:
    start = Position.start(Variant.LONG)
    for dice in ROLLS:
        play = choose(start, Side.WHITE, dice, LONG, LEVELS["strong"], True)
        assert play[0].source == 24


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_deterministic(level: str) -> None:
    position = Position.start(Variant.SHORT)
    for dice in ROLLS:
        texts = {
            play_to_text(choose(position, Side.WHITE, dice, SHORT, LEVELS[level], salt="a"))
            for _ in range(3)
        }
        assert len(texts) == 1


def test_a_weaker_level_differs_from_match_to_match() -> None:
    position = Position.start(Variant.SHORT)
    beginner = LEVELS["beginner"]
    texts = {
        play_to_text(choose(position, Side.WHITE, (4, 3), SHORT, beginner, salt=str(number)))
        for number in range(30)
    }
    assert len(texts) > 2


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", [SHORT, LONG], ids=["short", "long"])
def test_only_legal_plays_are_chosen_in_every_roll_of_a_game(rules: Rules, level: str) -> None:
    position, side, turns = Position.start(rules.variant), Side.WHITE, 0
    while position.of(side.other)[0] != 15:
        dice = ROLLS[(turns * 5 + turns // 3) % len(ROLLS)]
        plays = legal_plays(position, side, dice, rules, turns < 2)
        chosen = choose(position, side, dice, rules, LEVELS[level], turns < 2)
        results = [result for result, play in plays.items() if play == chosen]
        assert len(results) == 1
        position, side, turns = results[0], side.other, turns + 1
        assert turns < 1000


@pytest.mark.parametrize("rules", [SHORT, LONG], ids=["short", "long"])
def test_strong_beats_random_and_beginner(rules: Rules) -> None:
    strong = level_player("strong")
    against_random = duel(rules, strong, random_player(3), 16)
    assert sum(points > 0 for points in against_random.points) >= 14
    against_beginner = duel(rules, strong, level_player("beginner"), 24)
    assert sum(against_beginner.points) > 0
