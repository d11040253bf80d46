"""Doubling decisions near the boundaries, judged by GNU Backgammon at 2-ply.

Positions come from a net's games with itself, each with a random score and cube: half in money
sessions (half of them with Jacoby), half in matches. The three actions are no double, double and
take, double and drop. A decision is near a boundary if the second best action is at most `CLOSE`
behind, in units of the cube's value: GNU Backgammon's bound for a close decision. Beavers are off.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from games.ai.kernel.short import turns as short
from games.ai.net.player import NetPlayer
from games.engine.board.position import Position
from games.engine.match.cube import Cube
from games.engine.match.permissions import may_double
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Pair, Side
from tests.games.oracle import gnubg

CLOSE = 0.16
LENGTHS = (3, 5, 7, 9, 11, 15, 21)
RULES = Rules.of("short")


class Action(StrEnum):
    """The actions of both sides together; too good to double counts as no double."""

    NO_DOUBLE = "no double"
    TAKE = "double, take"
    DROP = "double, drop"


@dataclass(frozen=True)
class Case:
    """A position, White on roll; `length` None = a money session, `owned` = White has the cube."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    length: int | None
    score: tuple[int, int]
    jacoby: bool
    value: int
    owned: bool

    def state(self) -> MatchState:
        rules = Rules.of("short", length=self.length, cube=True, jacoby=self.jacoby)
        return MatchState(
            rules=rules,
            position=Position(self.mine, self.theirs),
            phase=Phase.TO_ROLL,
            game=5,
            score=Pair(*self.score),
            turn=Side.WHITE,
            first=Side.WHITE,
            cube=Cube(self.value, Side.WHITE if self.owned else None),
            crawford_done=self.length is not None and self.length - 1 in self.score,
            turns=Pair(9, 9),
        )


@dataclass(frozen=True)
class Judged:
    """GNU Backgammon's answer: White's equities and five chances.

    The equities are those of no double (`hold`), of a double that is taken, and of a dropped one.
    """

    case: Case
    hold: float
    taken: float
    dropped: float
    chances: tuple[float, ...]

    @property
    def action(self) -> Action:
        if self.hold >= min(self.taken, self.dropped):
            return Action.NO_DOUBLE
        return Action.TAKE if self.taken <= self.dropped else Action.DROP

    @property
    def gap(self) -> float:
        """Return the lead in equity of the best action over the second best."""
        double = abs(min(self.taken, self.dropped) - self.hold)
        if self.action is Action.NO_DOUBLE:
            return double
        return min(double, abs(self.taken - self.dropped))

    def loss(self, action: Action) -> float:
        """Return the equity that both sides together lose by this action."""
        best_answer = min(self.taken, self.dropped)
        if action is Action.NO_DOUBLE:
            return max(0.0, best_answer - self.hold)
        answer = self.taken if action is Action.TAKE else self.dropped
        return max(0.0, self.hold - best_answer) + answer - best_answer


def build(seed: int, each: int, player: NetPlayer) -> list[Judged]:
    """Build `each` positions of each action; deterministic by seed and net."""
    found: dict[Action, list[Judged]] = {action: [] for action in Action}
    stream = cases(random.Random(seed), player)
    while min(map(len, found.values())) < each:
        some = [next(stream) for _ in range(4 * each)]
        # At 2-ply judge only positions whose gap at 0-ply is below twice `CLOSE`.
        promising = [one.case for one in judge(some, 0) if one.gap < 2 * CLOSE]
        for one in judge(promising, 2):
            if one.gap <= CLOSE and len(found[one.action]) < each:
                found[one.action].append(one)
        print({action.value: len(kept) for action, kept in found.items()}, flush=True)
    return [one for kept in found.values() for one in kept]


def judge(asked: list[Case], plies: int) -> list[Judged]:
    """Judge the cases in one run of GNU Backgammon."""
    answers = gnubg.ask([_request(case, plies) for case in asked], timeout_s=3600)
    judged = []
    for case, answer in zip(asked, answers, strict=True):
        if "error" in answer:
            raise gnubg.GnubgError(answer["error"])
        hold, taken, dropped = answer["worth"]
        judged.append(Judged(case, hold, taken, dropped, tuple(answer["chances"])))
    return judged


def _request(case: Case, plies: int) -> dict[str, object]:
    # The side on roll is gnubg's player 1.
    owner = 1 if case.owned else -1
    score = [case.score[1], case.score[0]]
    return {
        "op": "double",
        "mover": gnubg.gnubg_side(list(case.mine)),
        "enemy": gnubg.gnubg_side(list(case.theirs)),
        "cube": [case.value, owner, 1, case.length or 0, score, 0],
        "jacoby": int(case.jacoby),
        "plies": plies,
    }


def cases(rng: random.Random, player: NetPlayer) -> Iterator[Case]:
    """Yield at most one case a game: an undecided position at a score that allows a double."""
    while True:
        open_ones = [
            board for board in _boards(rng, player) if 0.3 < player.chances(board)[0] < 0.97
        ]
        if not open_ones:
            continue
        mine, theirs = short.counts_of(rng.choice(open_ones))
        case = _at_a_score(rng, mine, theirs)
        if may_double(case.state(), Side.WHITE):
            yield case


def _boards(rng: random.Random, player: NetPlayer) -> Iterator[np.ndarray]:
    board = np.empty(26, np.int8)
    short.start(board)
    turns = 0
    while True:
        if turns > 2:
            yield board.copy()
        after = player.choose(board, (rng.randint(1, 6), rng.randint(1, 6)), RULES, False)
        if short.finished(after, short.kinds_of(RULES)):
            return
        short.flip(after, board)
        turns += 1


def _at_a_score(rng: random.Random, mine: tuple[int, ...], theirs: tuple[int, ...]) -> Case:
    value, owned = rng.choice([(1, False), (1, False), (2, True), (2, True), (4, True)])
    if rng.random() < 0.5:
        return Case(mine, theirs, None, (0, 0), rng.random() < 0.5, value, owned)
    length = rng.choice(LENGTHS)
    score = (rng.randrange(length), rng.randrange(length))
    return Case(mine, theirs, length, score, False, value, owned)


def save(path: Path, judged: list[Judged]) -> None:
    path.write_text("\n".join(json.dumps(asdict(one)) for one in judged) + "\n")


def load(path: Path) -> list[Judged]:
    return [_read(json.loads(line)) for line in path.read_text().splitlines()]


def _read(data: dict) -> Judged:
    case = data.pop("case")
    for name in ("mine", "theirs", "score"):
        case[name] = tuple(case[name])
    worths = (data[name] for name in ("hold", "taken", "dropped"))
    return Judged(Case(**case), *worths, tuple(data["chances"]))
