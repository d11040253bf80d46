"""Exact search over whole turns: the sequences of single moves that use the dice best.

A play must use as many dice as possible; if either die can be played but not both, the larger one.
If blocks are judged at the end of a turn only, a play may stop before all playable dice are used:
of the plays that end legally, those with the most dice are legal; if that is one die, the larger.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from games.engine.board.position import Position

S = TypeVar("S", bound=Hashable)

# The last move to a state: (trail of the state before, None at the start; state before; bit of the
# source; die). A plain tuple, since one is made for every state reached.
Trail: TypeAlias = tuple[Any, S, int, int]
Level: TypeAlias = Mapping[S, Trail[S] | None]
Group: TypeAlias = tuple[int, dict[S, Trail[S]]]


@dataclass(frozen=True, slots=True)
class Turn(Generic[S]):
    """One turn to be searched.

    `dice`: the larger first, or four equal numbers for a doublet. `moves(state, die)`: the single
    moves. `board(state)`: the packed board. `may_end(board)`: whether a turn may end with this
    board; None if it may end with any.
    """

    start: S
    dice: tuple[int, ...]
    moves: Callable[[S, int], list[tuple[int, S]]]
    board: Callable[[S], int]
    unpack: Callable[[int], Position]
    may_end: Callable[[int], bool] | None = None

    @property
    def is_doublet(self) -> bool:
        return len(self.dice) > 2


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[S]):
    """The states in which the best plays end; each of them uses `dice_used` dice."""

    dice_used: int
    finals: dict[S, Trail[S] | None]


def search(turn: Turn[S]) -> SearchResult[S]:
    """Return the states in which the legal plays end: the start itself if no move is legal."""
    groups = _doublet_groups(turn) if turn.is_doublet else _plain_groups(turn)
    for dice_used, reached in groups:
        finals = reached if turn.may_end is None else _legal_ends(turn, reached)
        if finals:
            return SearchResult(dice_used, dict(finals))
    return SearchResult(0, {turn.start: None})


def _plain_groups(turn: Turn[S]) -> Iterator[Group[S]]:
    """Yield the states after both dice, then after the larger alone, then the smaller alone."""
    start: Level[S] = {turn.start: None}
    large, small = turn.dice
    after_large = _spread(turn, start, large, {})
    after_small = _spread(turn, start, small, {})
    both = _spread(turn, after_large, small, {})
    yield 2, _spread(turn, after_small, large, both)
    yield 1, after_large
    yield 1, after_small


def _doublet_groups(turn: Turn[S]) -> Iterable[Group[S]]:
    """Return the states after the most dice that can be played, then after one less, and so on."""
    level: Level[S] = {turn.start: None}
    groups: list[Group[S]] = []
    for dice_used, die in enumerate(turn.dice, start=1):
        reached = _spread(turn, level, die, {})
        if not reached:
            break
        groups.append((dice_used, reached))
        level = reached
    return reversed(groups)


def _spread(
    turn: Turn[S],
    level: Level[S],
    die: int,
    reached: dict[S, Trail[S]],
) -> dict[S, Trail[S]]:
    """Add all states after one more die to `reached`; the first trail to a state is kept."""
    moves = turn.moves
    for state, trail in level.items():
        for bit, after in moves(state, die):
            if after not in reached:
                reached[after] = (trail, state, bit, die)
    return reached


def _legal_ends(turn: Turn[S], reached: dict[S, Trail[S]]) -> dict[S, Trail[S]]:
    assert turn.may_end is not None
    return {state: trail for state, trail in reached.items() if turn.may_end(turn.board(state))}
