"""Make `long_positions.txt`, a fixed set of decisions of long nardy for comparing players.

    python -m tests.bench.long_positions [--net FILE] [--count 300] [--seed 1]

The decisions come from games of a net with itself. To vary the positions, the net plays a random
one of the five best plays in a tenth of the turns. A few turns of each game are taken: only
decisions whose two best results are close at 0-ply, and none in positions of the bear-off table,
which is exact. A line holds the dice and the position, White to move.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.kernel.long import turns as kernel
from games.ai.net import weights_files
from games.ai.net.search import Candidate, Searcher, Stakes
from games.engine.board.position import Position
from games.engine.rules import Rules, Variant

FILE = Path(__file__).with_suffix(".txt")
RULES = Rules.of("long")
KINDS = kernel.kinds_of(RULES)
CLOSE = 0.06  # equity; largest lead of the best play over the next

_RANDOM = 0.1  # share of the turns in which the net plays a random one of the best plays
_BEST_PLAYS = 5
_TAKEN = 1 / 25  # share of the turns that are considered for the set


class Question(NamedTuple):
    """A decision; the board is seen by the side on turn."""

    board: IntArray
    dice: tuple[int, int]

    @property
    def flags(self) -> int:
        """Return the turn's flags; 15 checkers on the head mean the first turn."""
        return kernel.turn_flags(RULES, first_turn=bool(self.board[24] == 15))

    def to_text(self) -> str:
        return f"{self.dice[0]}{self.dice[1]} {Position(*kernel.counts_of(self.board)).to_text()}"

    @classmethod
    def from_text(cls, line: str) -> "Question":
        dice, _, text = line.partition(" ")
        position = Position.from_text(text, Variant.LONG)
        return cls(kernel.board_of(position.white, position.black), (int(dice[0]), int(dice[1])))


def read() -> list[Question]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [Question.from_text(line) for line in lines]


def is_open(question: Question, ranked: list[Candidate]) -> bool:
    """Return whether the best plays are close and the position is not in the bear-off table."""
    if len(ranked) < 2 or ranked[0].equity - ranked[1].equity > CLOSE:
        return False
    return game.home_indexes(game.LONG, question.board)[0] < 0


def drawn(net: Path, seed: int) -> Iterator[Question]:
    """Yield decisions endlessly."""
    rng = random.Random(seed)
    searcher, stakes = (
        Searcher(game.LONG, weights_files.load(net, Variant.LONG)[1]),
        Stakes.of(RULES),
    )
    board = np.empty(26, np.int8)
    kernel.start(board)
    while True:
        question = Question(board.copy(), (rng.randint(1, 6), rng.randint(1, 6)))
        ranked = searcher.ranked(board, question.dice, question.flags, KINDS, 0, stakes)
        if rng.random() < _TAKEN and is_open(question, ranked):
            yield question
        best = ranked[:_BEST_PLAYS] if rng.random() < _RANDOM else ranked[:1]
        after = rng.choice(best).after
        if kernel.finished(after, KINDS):
            kernel.start(board)
        else:
            kernel.flip(after, board)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--net", type=Path, default=weights_files.FOLDER / "long.net")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found: dict[str, None] = {}
    for question in drawn(options.net, options.seed):
        found[question.to_text()] = None
        if len(found) == options.count:
            break
    FILE.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")


if __name__ == "__main__":
    main()
