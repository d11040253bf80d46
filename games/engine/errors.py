"""Errors of the engine: input that cannot be read, and actions that a rule forbids.

`InvalidAction` and its subclasses mean that the input cannot be understood; `IllegalAction`
means that it was understood and that a rule forbids it, and names the rule.
"""

from enum import StrEnum


class Reason(StrEnum):
    """The rule that a refused action breaks."""

    # the turn and the match
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    GAME_OVER = "game_over"
    OUT_OF_TIME = "out_of_time"
    # one checker
    NOT_YOUR_CHECKER = "not_your_checker"
    POINT_EMPTY = "point_empty"
    POINT_CLOSED = "point_closed"
    BAR_FIRST = "bar_first"
    NOT_HOME = "not_home"
    HIGHER_CHECKER = "higher_checker"
    HEAD_TAKEN = "head_taken"
    BLOCK = "block"
    HIT_AND_RUN = "hit_and_run"
    WRONG_DIE = "wrong_die"
    # the whole play
    MUST_USE_BOTH = "must_use_both"
    MUST_USE_LARGER = "must_use_larger"
    MORE_DICE_POSSIBLE = "more_dice_possible"
    INCOMPLETE_PLAY = "incomplete_play"
    NO_LEGAL_MOVE = "no_legal_move"
    # the cube
    CUBE_OFF = "cube_off"
    CUBE_NOT_YOURS = "cube_not_yours"
    CUBE_DEAD = "cube_dead"
    CUBE_FIRST_TURN = "cube_first_turn"
    CUBE_CRAWFORD = "cube_crawford"
    CUBE_MAX = "cube_max"
    BEAVER_OFF = "beaver_off"
    # resignation
    RESIGN_TOO_LOW = "resign_too_low"
    RESIGN_PENDING = "resign_pending"
    NO_OFFER = "no_offer"


class EngineError(Exception):
    """Base of the errors about input and rules; a wrong call of a function raises `ValueError`."""


class InvalidAction(EngineError):
    """Unreadable input; `code` is a short snake_case word for programs."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code = code


class InvalidPosition(InvalidAction):
    """An impossible position: a wrong count of checkers, a point held by both sides and so on."""


class InvalidRules(InvalidAction):
    """Rules of a match that cannot be read, contradict each other or are out of range."""


class IllegalAction(EngineError):
    """A readable action that a rule forbids.

    `points` are the points at fault in the mover's own numbering (25 = bar), empty when the rule
    is not about points.
    """

    def __init__(self, reason: Reason, points: tuple[int, ...] = (), message: str = "") -> None:
        super().__init__(message or reason.value)
        self.reason = reason
        self.points = points
