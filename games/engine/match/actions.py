"""Every action that can be logged in a match: one frozen dataclass for each kind.

`at_ms` is server time in milliseconds since the match was created. An action of a player names
their side; actions bound by the clock may carry `grace_ms`, the lag that the server measured
and forgives (at most 1 s for each action; the server limits the total). The constructors check the
fields and raise `InvalidAction` for a bad one. Text and dict forms: action_codec.py.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from games.engine.board.moves import play_from_text
from games.engine.errors import InvalidAction
from games.engine.match.action_base import (
    MAX_GRACE_MS,
    MAX_MS,
    Action,
    SideAction,
    TimedAction,
    check_die,
    check_number,
)
from games.engine.match.proof_actions import Commit, Entropy, EntropyHash, Reveal, SecretLost
from games.engine.sides import Side

__all__ = [
    "KINDS", "MAX_GRACE_MS", "Accept", "Action", "Beaver", "Claim", "Commit", "Credit", "Double",
    "Drop", "Entropy", "EntropyHash", "Flag", "Leave", "NextGame", "Opening", "Pause", "Play",
    "Refuse", "Resign", "ResignMatch", "Resume", "Reveal", "Roll", "SecretLost", "SideAction",
    "Start", "Take", "Takeover", "TimedAction", "Void",
]  # fmt: skip

_CAUSE = re.compile(r"[a-z][a-z_]{0,31}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Action):
    """Game number `game` begins: checkers set, cube centered, the opening throw next."""

    kind: ClassVar[str] = "start"
    game: int

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        check_number("game", self.game, 1, 10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening(Action):
    """One opening throw: one die for each side."""

    kind: ClassVar[str] = "opening"
    white: int
    black: int

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        check_die(self.white)
        check_die(self.black)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(TimedAction):
    """The side's dice, in the order in which they fell."""

    kind: ClassVar[str] = "roll"
    d1: int
    d2: int

    def __post_init__(self) -> None:
        TimedAction.__post_init__(self)
        check_die(self.d1)
        check_die(self.d2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(TimedAction):
    """All moves of a turn in the mover's numbering; `-` = pass; `auto` = made by the server."""

    kind: ClassVar[str] = "play"
    text: str
    auto: bool = False

    def __post_init__(self) -> None:
        TimedAction.__post_init__(self)
        if not isinstance(self.text, str) or self.text != " ".join(self.text.split()):
            raise InvalidAction("play_text", "the moves are one line, one space between them")
        play_from_text(self.text)
        if not isinstance(self.auto, bool):
            raise InvalidAction("auto", "auto is yes or no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Double(TimedAction):
    """Offer the cube before the roll."""

    kind: ClassVar[str] = "double"


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(TimedAction):
    """Take the offered cube, or a beaver."""

    kind: ClassVar[str] = "take"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(TimedAction):
    """Decline the offered cube, or a beaver: the game is lost."""

    kind: ClassVar[str] = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaver(TimedAction):
    """Redouble at once as the taker and keep the cube."""

    kind: ClassVar[str] = "beaver"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(TimedAction):
    """Offer the game as lost at `factor` times the cube."""

    kind: ClassVar[str] = "resign"
    factor: int

    def __post_init__(self) -> None:
        TimedAction.__post_init__(self)
        check_number("factor", self.factor, 1, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(TimedAction):
    """Accept the offered resignation."""

    kind: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse(TimedAction):
    """Refuse the offered resignation: the game goes on where it was."""

    kind: ClassVar[str] = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignMatch(SideAction):
    """Give up the whole match."""

    kind: ClassVar[str] = "resign_match"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(SideAction):
    """The side's time is over."""

    kind: ClassVar[str] = "flag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(SideAction):
    """Leave the table by the button, in a kind of match that is lost by leaving."""

    kind: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(SideAction):
    """Claim the win because the other side stayed away too long."""

    kind: ClassVar[str] = "claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGame(SideAction):
    """Be ready for the next game."""

    kind: ClassVar[str] = "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover(SideAction):
    """The side's seat changed hands; the board stays as it is."""

    kind: ClassVar[str] = "takeover"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Action):
    """Stop the clock (training); `credit_ms` of the elapsed time is not charged."""

    kind: ClassVar[str] = "pause"
    credit_ms: int = 0

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        check_number("credit_ms", self.credit_ms, 0, MAX_MS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Action):
    """Start the clock again after a pause."""

    kind: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit(Action):
    """Give the running turn `ms` back after an outage of the site."""

    kind: ClassVar[str] = "credit"
    ms: int

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        check_number("ms", self.ms, 0, MAX_MS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Void(Action):
    """Cancel the match without a result; `cause` is a snake_case word.

    `side` is the side that brought it about, None if none did.
    """

    kind: ClassVar[str] = "void"
    cause: str
    side: Side | None = None

    def __post_init__(self) -> None:
        Action.__post_init__(self)
        if not isinstance(self.cause, str) or not _CAUSE.fullmatch(self.cause):
            raise InvalidAction("cause", "a cause is a snake_case word")
        if self.side is not None and not isinstance(self.side, Side):
            raise InvalidAction("side", "a side is white or black")


KINDS: dict[str, type[Action]] = {
    action_type.kind: action_type
    for action_type in (
        Commit, EntropyHash, Entropy, Start, Opening, Roll, Play, Double, Take, Drop, Beaver,
        Resign, Accept, Refuse, ResignMatch, Flag, Leave, Claim, NextGame, Takeover, Pause,
        Resume, Credit, Void, Reveal, SecretLost,
    )
}  # fmt: skip
