"""The state of a match: the result of folding its log of actions."""

from dataclasses import dataclass
from enum import StrEnum

from games.engine.board.position import Position
from games.engine.board.win_kind import WinKind
from games.engine.match.clock import Clock
from games.engine.match.cube import CENTERED, Cube
from games.engine.rules import Rules
from games.engine.sides import ZEROS, Pair, Side

Dice = tuple[int, int]
_UNKNOWN: Pair[str | None] = Pair(None, None)


class Phase(StrEnum):
    """The event that the match waits for."""

    SEATING = "seating"  # before the first game: the players' entropy
    OPENING = "opening"
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    CUBE_OFFERED = "cube_offered"
    BEAVERED = "beavered"
    BETWEEN_GAMES = "between_games"
    FINISHED = "finished"


# Phases in which a game is being played.
IN_GAME = frozenset(Phase) - {Phase.SEATING, Phase.BETWEEN_GAMES, Phase.FINISHED}


class GameCause(StrEnum):
    """The way a game ended; the last four end the match too."""

    BEAR_OFF = "bear_off"
    DROP = "drop"
    RESIGN = "resign"
    RESIGN_MATCH = "resign_match"
    FLAG = "flag"
    LEAVE = "leave"
    CLAIM = "claim"


class MatchCause(StrEnum):
    """The way a match ended."""

    POINTS = "points"
    DRAW = "draw"  # one drawn game brought both to the match length
    RESIGN_MATCH = "resign_match"
    FLAG = "flag"
    LEAVE = "leave"
    CLAIM = "claim"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Offer:
    """A pending resignation of `side`, at `factor` times the cube."""

    side: Side
    factor: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game: `points` = the worth of `kind`, times `cube`.

    `kind` and `cube` are those that counted: under Jacoby an early mars is a SINGLE. A drawn game
    has no winner and is worth 1 to each. A game cut short by the end of the match is worth 0.
    """

    winner: Side | None
    kind: WinKind
    points: int
    cause: GameCause
    cube: int


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The end of the match; `winner` None = drawn or void."""

    winner: Side | None
    cause: MatchCause


@dataclass(frozen=True, slots=True)
class DiceProof:
    """The public parts of the dice scheme (dice.py), as hex; None = not known yet, or not used.

    `is_lost` = the match is over and its secret could not be opened.
    """

    commitment: str | None = None
    hashes: Pair[str | None] = _UNKNOWN
    entropy: Pair[str | None] = _UNKNOWN
    secret: str | None = None
    is_lost: bool = False


NO_PROOF = DiceProof()


@dataclass(frozen=True, slots=True)
class MatchState:
    """All facts about a match that the rules need.

    `turn` is the side whose turn it is, also while the other answers an offer; `first` the side
    that moved first in this game. `turns` counts finished turns and `rolls` the rolls of this
    game, opening throws included. `refused` is the highest resignation refused in this turn.
    `last_turn` = parity: the first side has borne off, the other has one turn more.
    `at_ms` is the time of the last action; the next one may not be earlier.
    """

    rules: Rules
    position: Position
    phase: Phase = Phase.SEATING
    at_ms: int = 0
    game: int = 0
    score: Pair[int] = ZEROS
    turn: Side | None = None
    first: Side | None = None
    dice: Dice | None = None
    openings: tuple[Dice, ...] = ()
    cube: Cube = CENTERED
    crawford: bool = False
    crawford_done: bool = False
    turns: Pair[int] = ZEROS
    rolls: int = 0
    rolled_pips: Pair[int] = ZEROS
    doublets: Pair[int] = ZEROS
    offer: Offer | None = None
    refused: int = 0
    last_turn: bool = False
    clock: Clock | None = None
    ready: frozenset[Side] = frozenset()
    result: GameResult | None = None
    outcome: MatchOutcome | None = None
    proof: DiceProof = NO_PROOF


def new_match(rules: Rules) -> MatchState:
    """Return a match before its first action, waiting for the players."""
    clock = None
    if rules.delay_ms is not None and rules.reserve_ms is not None:
        clock = Clock.new(rules.delay_ms, rules.reserve_ms)
    return MatchState(rules=rules, position=Position.start(rules.variant), clock=clock)
