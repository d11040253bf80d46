"""Conversion of an exported match to a match text: fold the log, write its actions as cells."""

from collections.abc import Mapping
from typing import Any

from games.engine.board.legal import match_play
from games.engine.board.moves import Move, play_from_text
from games.engine.board.variants import TRAITS
from games.engine.errors import InvalidAction
from games.engine.formats.dialect import Dialect
from games.engine.formats.json_export import from_export
from games.engine.formats.tags import names_of, write_tags
from games.engine.formats.two_columns import Cell, GameText, MatchText
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
    SideAction,
    Start,
    Take,
    Void,
)
from games.engine.match.apply import apply
from games.engine.match.permissions import graph_of
from games.engine.match.state import GameCause, MatchState, Phase, new_match
from games.engine.sides import Side

_CUTS = (Flag, Leave, Claim, ResignMatch)
_PLAYED_OUT = (GameCause.BEAR_OFF, GameCause.DROP, GameCause.RESIGN)


def write_match(export: Mapping[str, Any], dialect: Dialect) -> MatchText:
    """Return the text of an export.

    Raises `IllegalAction` or `InvalidAction` for a bad export, and `InvalidAction` for a match that
    the dialect cannot hold: one of the other variant or, in a `.mat` file, with automatic doubles.
    """
    read = from_export(export)
    rules = read.rules
    if rules.variant is not dialect.variant:
        raise InvalidAction(f"{dialect.code}_variation", f"not a match of {dialect.variation}")
    writer = _Writer(dialect)
    state = new_match(rules)
    for action in read.actions:
        before, state = state, apply(state, action)
        writer.note(before, action, state)
    writer.note_roll(state)
    names = names_of(read.seats)
    tags = write_tags(read, names, dialect)
    if writer.termination:
        tags["Termination"] = writer.termination
    return MatchText(tags, rules.length, names, writer.games)


class _Writer:
    """Collects the games of a match while its log is folded."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.games: list[GameText] = []
        self.termination = ""

    def note(self, before: MatchState, action: Action, after: MatchState) -> None:
        match action:
            case Start():
                self.games.append(GameText(action.game, after.score))
            case Opening():
                self._note_opening(action, before, after)
            case Play():
                if self.dialect.is_complete or not before.last_turn:
                    self._add(action.side, _play_text(before, action))
            case Resign() | Accept() | Refuse():
                self._note_resignation(before, action)
            case Double() | Beaver() | Take() | Drop():
                self._add(action.side, self._cube_text(before, action))
            case Void():
                self.note_roll(before)
                by = f" {action.side.value}" if action.side else ""
                self.termination = f"void {action.cause}{by}"
            case SideAction() if isinstance(action, _CUTS):
                self.note_roll(before)
                self.termination = f"{action.kind} {action.side.value}"
        if after.result is not before.result:
            self._note_result(after)

    def note_roll(self, state: MatchState) -> None:
        """Write down a roll that was not played, if a reader can tell it from a pass."""
        if state.phase is not Phase.TO_PLAY or state.turn is None or state.dice is None:
            return
        if not self.dialect.is_complete:
            # gnubg plays a forced play by itself and reads a roll without moves as a pass.
            if state.last_turn or len(graph_of(state).results()) < 2:
                return
        elif graph_of(state).is_pass:
            return
        self._add(state.turn, _roll_text(state))

    def _note_opening(self, action: Opening, before: MatchState, after: MatchState) -> None:
        if self.dialect.is_complete:
            self.games[-1].openings.append((action.white, action.black))
        elif after.cube.auto > before.cube.auto:
            raise InvalidAction("mat_auto_double", "automatic doubles have no place in a .mat file")

    def _note_resignation(self, before: MatchState, action: Resign | Accept | Refuse) -> None:
        if not self.dialect.is_complete:
            if isinstance(action, Accept):
                self.note_roll(before)
            return
        if isinstance(action, Resign):
            self.note_roll(before)
            self._add(action.side, f"Resigns => {action.factor}")
        else:
            self._add(action.side, "Accepts" if isinstance(action, Accept) else "Refuses")

    def _cube_text(self, before: MatchState, action: Action) -> str:
        if isinstance(action, Take):
            return "Takes"
        if isinstance(action, Drop):
            return "Drops"
        if isinstance(action, Double):
            return f"Doubles => {before.cube.value * 2}"
        verb = "Beavers" if self.dialect.is_complete else "Doubles"
        return f"{verb} => {before.cube.value * 4}"

    def _note_result(self, after: MatchState) -> None:
        result = after.result
        if result is None or result.cause not in _PLAYED_OUT:
            return
        if result.winner is None:
            if self.dialect.is_complete:
                self._add(Side.WHITE, "Draws 1 point")
            return
        ending = " and the match" if after.outcome else ""
        points = f"{result.points} point{'s' * (result.points != 1)}"
        self._add(result.winner, f"Wins {points}{ending}")

    def _add(self, side: Side, text: str) -> None:
        self.games[-1].cells.append(Cell(side, text))


def _roll_text(state: MatchState) -> str:
    assert state.dice is not None
    dice = state.dice
    is_opening = state.turns == (0, 0) and dice == state.openings[-1]
    if is_opening and TRAITS[state.rules.variant].opening_dice_are_first_roll:
        dice = max(dice), min(dice)  # each side threw one die: there is no order to keep
    return f"{dice[0]}{dice[1]}:"


def _play_text(before: MatchState, action: Play) -> str:
    play, _ = match_play(graph_of(before), play_from_text(action.text))
    return " ".join([_roll_text(before), *map(_move_text, play)])


def _move_text(move: Move) -> str:
    # 25 for the bar and 0 for off, as gnubg writes them
    return f"{move.source}/{move.target}{'*' * move.is_hit}"
