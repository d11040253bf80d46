"""Conversion of a match text to an exported match: replay the text, collect the actions."""

import re
from typing import Any

from games.engine.board.legal import match_play
from games.engine.board.moves import play_from_text, play_to_text
from games.engine.errors import IllegalAction, InvalidAction
from games.engine.formats.dialect import Dialect
from games.engine.formats.json_export import to_export
from games.engine.formats.tags import export_arguments_of, rules_from_tags
from games.engine.formats.two_columns import Cell, GameText, MatchText, UnreadableText
from games.engine.match.actions import (
    Accept,
    Action,
    Beaver,
    Claim,
    Double,
    Drop,
    Flag,
    Leave,
    Opening,
    Play,
    Refuse,
    Resign,
    ResignMatch,
    Roll,
    Start,
    Take,
    Void,
)
from games.engine.match.apply import apply
from games.engine.match.permissions import graph_of, resign_factors
from games.engine.match.state import MatchState, Phase, new_match
from games.engine.rules import Variant
from games.engine.sides import Side

_ROLL = re.compile(r"([1-6])([1-6]):(.*)")
_NUMBERED = re.compile(r"(doubles|beavers|redoubles|resigns) *=> *([0-9]{1,6})", re.IGNORECASE)
_WINS = re.compile(r"wins ([0-9]{1,6}) points?( and the match)?", re.IGNORECASE)
_NO_MOVE = ("", "cannot move", "???", "????")
_DRAWN = "draws 1 point"
_ANSWERS: dict[str, type[Take] | type[Drop] | type[Accept] | type[Refuse]] = {
    "takes": Take,
    "drops": Drop,
    "passes": Drop,
    "accepts": Accept,
    "refuses": Refuse,
}
_CUTS: dict[str, type[Flag] | type[Leave] | type[Claim] | type[ResignMatch]] = {
    action_type.kind: action_type for action_type in (Flag, Leave, Claim, ResignMatch)
}


def read_match(text: MatchText, dialect: Dialect) -> dict[str, Any]:
    """Return the text as an export, without times and dice proof.

    Raises `InvalidAction` for an unreadable text or an illegal action; the message names the line,
    unless the tags are at fault.
    """
    rules = rules_from_tags(text.tags, text.length, dialect)
    reader = _Reader(new_match(rules), dialect)
    for game in text.games:
        reader.read_game(game)
    if "Termination" in text.tags:
        reader.cut_short(text.tags["Termination"])
    arguments = export_arguments_of(text.tags, text.names)
    return to_export(rules=rules, actions=reader.actions, **arguments)


class _Reader:
    """Replays a match text: `state` is the state after `actions`."""

    def __init__(self, state: MatchState, dialect: Dialect) -> None:
        self.state = state
        self.dialect = dialect
        self.actions: list[Action] = []
        self.line = 0

    def read_game(self, game: GameText) -> None:
        self.line = game.line
        if self.state.last_turn:
            raise self.error("parity", "the turn after the bear-off is not in the file")
        if game.score != self.state.score:
            raise self.error("score", "the score is {}:{}".format(*self.state.score))
        self.act(self.checked(lambda: Start(at_ms=0, game=game.number)))
        for white, black in game.openings:
            self.act(Opening(at_ms=0, white=white, black=black))
        for cell in game.cells:
            self.line = cell.line
            self.read_cell(cell)

    def read_cell(self, cell: Cell) -> None:
        roll, numbered = _ROLL.fullmatch(cell.text), _NUMBERED.fullmatch(cell.text)
        wins, word = _WINS.fullmatch(cell.text), cell.text.lower()
        if roll:
            self.read_roll(cell.side, (int(roll[1]), int(roll[2])), roll[3].strip())
        elif numbered:
            self.read_numbered(cell.side, numbered[1].lower(), int(numbered[2]))
        elif wins:
            self.read_result(cell.side, int(wins[1]))
        elif word in _ANSWERS:
            self.act(_ANSWERS[word](at_ms=0, side=cell.side))
        elif word == _DRAWN and self.dialect.is_complete:
            self.check_result(None, 1)
        else:
            raise self.error("cell", f"cannot read {cell.text[:40]!r}")

    def read_roll(self, side: Side, dice: tuple[int, int], moves: str) -> None:
        if self.state.phase is Phase.OPENING:
            self.open_game(side, dice)
        elif self.state.phase is not Phase.TO_PLAY:
            self.act(Roll(at_ms=0, side=side, d1=dice[0], d2=dice[1]))
        elif sorted(dice) != sorted(self.state.dice or ()):
            raise self.error("roll", "another roll is on the board")
        if self.state.turn is not side:
            raise self.error("turn", f"it is not the turn of {side.value}")
        graph = graph_of(self.state)
        if moves.lower() not in _NO_MOVE:
            play, _ = self.checked(match_play, graph, self.checked(play_from_text, moves))
            self.act(Play(at_ms=0, side=side, text=play_to_text(play)))
        elif graph.is_pass:
            self.act(Play(at_ms=0, side=side, text="-", auto=True))

    def open_game(self, side: Side, dice: tuple[int, int]) -> None:
        """Derive short backgammon's opening throw from the first roll of the game."""
        if self.dialect.variant is not Variant.SHORT or dice[0] == dice[1]:
            raise self.error("opening", "the opening throw is missing")
        larger, smaller = max(dice), min(dice)
        white, black = (larger, smaller) if side is Side.WHITE else (smaller, larger)
        self.act(Opening(at_ms=0, white=white, black=black))

    def read_numbered(self, side: Side, verb: str, number: int) -> None:
        if verb == "resigns":
            self.act(self.checked(lambda: Resign(at_ms=0, side=side, factor=number)))
            return
        is_beaver = self.state.phase is Phase.CUBE_OFFERED
        if number != self.state.cube.value * (4 if is_beaver else 2):
            raise self.error("cube", f"the cube stands at {self.state.cube.value}")
        self.act(Beaver(at_ms=0, side=side) if is_beaver else Double(at_ms=0, side=side))

    def read_result(self, winner: Side, points: int) -> None:
        """Check the result; if the game is not over, the loser has resigned."""
        if self.state.phase not in (Phase.BETWEEN_GAMES, Phase.FINISHED):
            factor, rest = divmod(points, self.state.cube.value)
            if rest or not 1 <= factor <= 3:
                raise self.error("result", f"{points} points with the cube at this value")
            self.act(Resign(at_ms=0, side=winner.other, factor=factor))
            self.act(Accept(at_ms=0, side=winner))
        self.check_result(winner, points)

    def check_result(self, winner: Side | None, points: int) -> None:
        result = self.state.result
        if result is None or (result.winner, result.points) != (winner, points):
            raise self.error("result", "the game did not end so")

    def cut_short(self, text: str) -> None:
        """Apply the tag `Termination` of a match that was not played out."""
        kind, _, rest = text.partition(" ")
        self.line = 1
        if kind == "void":
            cause, _, by = rest.partition(" ")
            if by and by not in tuple(Side):
                raise self.error("termination", f"no side {by[:40]!r}")
            side = Side(by) if by else None
            self.act(self.checked(lambda: Void(at_ms=0, cause=cause, side=side)))
        elif kind in _CUTS and rest in tuple(Side):
            if kind == "flag":
                self.restore_offer(Side(rest))
            self.act(_CUTS[kind](at_ms=self.flag_at_ms() if kind == "flag" else 0, side=Side(rest)))
        else:
            raise self.error("termination", f"cannot read {text[:40]!r}")

    def restore_offer(self, flagged: Side) -> None:
        """Offer a resignation if the side can have run out of time only while it had to answer.

        An incomplete text leaves out a resignation that was not accepted. Its factor does not
        change the result, so the lowest is taken.
        """
        turn = self.state.turn
        if self.state.clock is None or self.state.clock.running is not flagged.other:
            return
        if turn is flagged.other and (factors := resign_factors(self.state, turn)):
            self.act(Resign(at_ms=0, side=turn, factor=factors[0]))

    def flag_at_ms(self) -> int:
        """Return when the running clock runs out, in ms; all earlier actions are at 0."""
        clock = self.state.clock
        return (clock.flag_at_ms() or 0) if clock else 0

    def act(self, action: Action) -> None:
        self.state = self.checked(apply, self.state, action)
        self.actions.append(action)

    def checked(self, function: Any, *arguments: Any) -> Any:
        """Call the function; raise its refusal again with the current line of the file."""
        try:
            return function(*arguments)
        except IllegalAction as error:
            raise self.error("illegal", error.reason.value) from error
        except InvalidAction as error:
            raise self.error("unreadable", str(error)) from error

    def error(self, what: str, message: str) -> UnreadableText:
        return UnreadableText(f"{self.dialect.code}_{what}", self.line, message)
