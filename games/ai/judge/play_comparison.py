"""Comparison of the plays of a roll: the best ones and the play made are searched equally deep."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from games.ai.judge import play_reasons
from games.ai.judge.equity import EquityModel, chances_after
from games.ai.judge.reason_codes import Reason
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.boards import board_at, board_of, position_of
from games.ai.net.chances import Chances, bounded, flipped
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.weights_files import VARIANTS
from games.engine.board.legal import legal_plays, match_play
from games.engine.board.moves import play_from_text, play_to_text
from games.engine.board.position import Position
from games.engine.match.permissions import graph_of, is_first_turn
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side

# Equity. If 2 plies are requested, plays are searched again when the best play is ahead of its
# rival by less than this at 1 ply. The rival is the play made; if that is the best, or no play was
# made, the second best.
CLOSE_PLAY = 0.08
# Equity; plays closer than this count as equal.
_SAME = 1e-6
# Least number of plays compared, unless fewer are legal.
LISTED = 5


@dataclass(frozen=True, slots=True)
class Rated:
    """A play: the position after it, its cubeful equity, and the mover's chances."""

    text: str
    position: Position
    equity: float
    chances: Chances
    is_played: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rated plays, best first; `played` is None if no play was made."""

    rated: list[Rated]
    plies: int
    is_forced: bool
    model: EquityModel
    before: Position

    @property
    def played(self) -> Rated | None:
        return next((each for each in self.rated if each.is_played), None)

    @property
    def loss(self) -> float:
        """The equity lost by the play made."""
        return self.rated[0].equity - self.played.equity if self.played else 0.0

    def reason(self) -> Reason | None:
        """Return why the best play beats the play made or, if none was made, the second best.

        None if the best play was made, is the only one, or no reason was found.
        """
        rival = self.played or (self.rated[1] if len(self.rated) > 1 else None)
        if rival is None:
            return None
        best, rules = self.rated[0], self.model.state.rules
        return play_reasons.why(
            self.before, best.position, rival.position, self.model.side, rules,
            best.chances, rival.chances, best.equity - rival.equity, self.model.stakes(),
        )  # fmt: skip

    def best(self, count: int) -> list[dict[str, Any]]:
        """Return the best `count` plays as JSON-safe dicts.

        If the play made is not among them, it replaces the last.
        """
        chosen = self.rated[:count]
        if self.played and self.played not in chosen:
            chosen = [*chosen[:-1], self.played]
        top = self.rated[0].equity
        return [
            {
                "play": each.text,
                "equity": each.equity,
                "loss": top - each.equity,
                "chances": list(each.chances),
            }
            for each in chosen
        ]


def compare(
    state: MatchState, side: Side, player: NetPlayer, plies: int, played: str | None
) -> Comparison:
    """Compare the plays of the dice on the board; `played` is the text of the play made.

    Raises `IllegalAction` if the play made is not legal.
    """
    return Comparer(state, side, player, played).compare(plies)


class Comparer:
    def __init__(
        self, state: MatchState, side: Side, player: NetPlayer, played: str | None
    ) -> None:
        assert state.dice is not None
        self._state, self._side, self._player, self._dice = state, side, player, state.dice
        self._module = game.MODULES[VARIANTS[state.rules.variant]]
        self._model = EquityModel(state, side)
        self._board = board_of(state, side)
        self._first_turn = is_first_turn(state)
        found = legal_plays(state.position, side, state.dice, state.rules, self._first_turn)
        self._texts = {position: play_to_text(play) for position, play in found.items()}
        self._played = None if played is None else self._position_after(played)
        if self._played:
            self._texts[self._played] = played or ""

    def compare(self, plies: int) -> Comparison:
        model, before = self._model, self._state.position
        if len(self._texts) == 1:
            return Comparison(self.rate_at_0_ply(), 0, True, model, before)
        if self._state.last_turn:
            return Comparison(self.rate_at_0_ply(), 0, False, model, before)
        plies = max(1, plies)
        rated = self._rate(1, [])
        if plies > 1 and self._is_close(rated):
            rated = self._rate(2, rated)
            return Comparison(rated, 2, False, model, before)
        return Comparison(rated, 1, False, model, before)

    def _is_close(self, rated: list[Rated]) -> bool:
        rivals = [each for each in rated[1:] if each.is_played] or rated[1:2]
        return bool(rivals) and _SAME < rated[0].equity - rivals[0].equity < CLOSE_PLAY

    def rate_at_0_ply(self) -> list[Rated]:
        """Rate every legal play at 0-ply; a play that ends the game is rated exactly."""
        rated = []
        for position in self._texts:
            board = self._board_after(position)
            rated.append(self._rated(board, chances_after(self._state, board, self._player)))
        return sorted(rated, key=lambda each: -each.equity)

    def _rate(self, plies: int, shallower: list[Rated]) -> list[Rated]:
        """Rate at this depth the plays that the search kept and the play made, best first.

        Append the plays of `shallower`, an earlier rating, that were not rated again.
        """
        ranked = self._player.ranked(
            self._board, self._dice, self._state.rules, self._first_turn, plies,
            self._model.stakes(), self._side is self._state.first,
        )  # fmt: skip
        deep = [self._rated(found.after, found.chances) for found in ranked if found.plies == plies]
        known = {each.position for each in deep}
        # At 1 ply, plays that the search did not keep fill the list up to LISTED.
        listed = [found.after for found in ranked[len(deep) : LISTED if plies == 1 else len(deep)]]
        if self._played and self._played not in known:
            listed.append(self._board_after(self._played))
        for board in listed:
            if self._position(board) not in known:
                deep.append(self._rated(board, self._chances_ahead(board, plies)))
                known.add(deep[-1].position)
        deep.sort(key=lambda each: -each.equity)
        return deep + _shifted([each for each in shallower if each.position not in known], deep)

    def _chances_ahead(self, after: IntArray, plies: int) -> Chances:
        """Return the mover's chances after a play: the mean over the next rolls, played best."""
        state, side = self._state, self._side
        later = replace(state, turn=side.other, dice=None, phase=Phase.TO_ROLL)
        stakes = EquityModel(later, side.other).stakes()
        seen, first_turn = np.empty(26, np.int8), is_first_turn(later)
        self._module.flip(after, seen)
        if self._module.finished(after, self._module.kinds_of(state.rules)):
            return chances_after(state, after, self._player)
        total = [0.0] * 5
        for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            best = self._player.ranked(
                seen, dice, state.rules, first_turn, plies - 1, stakes, side is not state.first
            )[0]
            total = [a + weight / 36 * b for a, b in zip(total, best.chances, strict=True)]
        return flipped(tuple(total))

    def _rated(self, board: IntArray, chances: Chances) -> Rated:
        position, chances = self._position(board), bounded(chances)
        equity = self._model.after(board, chances)
        return Rated(self._texts[position], position, equity, chances, position == self._played)

    def _position_after(self, text: str) -> Position:
        return match_play(graph_of(self._state), play_from_text(text))[1]

    def _position(self, board: IntArray) -> Position:
        return position_of(board, self._side, self._state.rules.variant)

    def _board_after(self, position: Position) -> IntArray:
        return board_at(position, self._side, self._state.rules.variant)


def _shifted(shallower: list[Rated], deep: list[Rated]) -> list[Rated]:
    """Place the shallower plays below the deeper ones; they keep their distances to each other.

    The first of them gets the equity of the worst deeper play. Equities of two depths are not
    compared, since all of them shift together between depths.
    """
    if not shallower:
        return []
    top = shallower[0].equity
    return [replace(each, equity=deep[-1].equity - (top - each.equity)) for each in shallower]
