"""A net as a player: evaluations and the best whole turn, for either variant."""

from functools import cache, cached_property
from pathlib import Path

from games.ai.kernel import choice, game, net
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.net import weights_files
from games.ai.net.rollouts import Roller
from games.ai.net.search import Candidate, Searcher, Stakes, parity_flags
from games.engine.board.legal import Dice
from games.engine.rules import Rules, Variant


class NetPlayer:
    """The net of one variant with its buffers; not thread-safe."""

    def __init__(self, variant: Variant, path: Path | None = None, plies: int = 0) -> None:
        """Load a net, by default the one of the site; raise as `weights_files.load` does.

        `plies` is the depth at which `choose` plays.
        """
        path = path or weights_files.FOLDER / f"{variant.value}.net"
        self.header, self.weights = weights_files.load(path, variant)
        self.plies = plies
        self._variant = weights_files.VARIANTS[variant]
        self._module = game.MODULES[self._variant]
        self._searcher = Searcher(self._variant, self.weights)
        self._buffers = choice.make_turn_buffers(self.weights)

    def choose(self, board: IntArray, dice: Dice, rules: Rules, first_turn: bool) -> IntArray:
        """Return the board after the best turn, still seen by the mover."""
        return self.choose_at(board, dice, rules, first_turn, self.plies, Stakes.of(rules))

    def choose_at(
        self,
        board: IntArray,
        dice: Dice,
        rules: Rules,
        first_turn: bool,
        plies: int,
        stakes: Stakes,
        began: bool | None = None,
    ) -> IntArray:
        """Return the board after the best turn at this depth; `began` as in `parity_flags`."""
        flags = self._module.turn_flags(rules, first_turn) | parity_flags(rules, began)
        kinds = self._module.kinds_of(rules)
        return self._searcher.choose(board, dice, flags, kinds, plies, stakes)

    def ranked(
        self,
        board: IntArray,
        dice: Dice,
        rules: Rules,
        first_turn: bool,
        plies: int,
        stakes: Stakes | None = None,
        began: bool | None = None,
    ) -> list[Candidate]:
        """Return all results of the roll, as `Searcher.ranked` does; default stakes: cube at 1."""
        flags = self._module.turn_flags(rules, first_turn) | parity_flags(rules, began)
        kinds = self._module.kinds_of(rules)
        stakes = stakes or Stakes.of(rules)
        return self._searcher.ranked(board, dice, flags, kinds, plies, stakes)

    def roll_out(
        self, after: IntArray, dice: IntArray, rules: Rules, stakes: Stakes, began: bool | None
    ) -> float:
        """Return the mean of `Roller.roll_out`.

        `began` as in `parity_flags`, for the side that has just played.
        """
        flags = self._module.turn_flags(rules, False) | parity_flags(rules, began)
        kinds = self._module.kinds_of(rules)
        return float(self._roller.roll_out(after, dice, flags, kinds, stakes).mean())

    @cached_property
    def _roller(self) -> Roller:
        return Roller(self._variant, self.weights)

    def chances(self, board: IntArray) -> tuple[float, ...]:
        """Return the chances of the player on roll, as `chances.Chances`."""
        choice.evaluate(self._variant, board, self.weights, self._buffers)
        return tuple(float(chance) for chance in self._buffers.chances)

    def find_rolls_left(self, board: IntArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the rows of the bear-off table of mover and enemy; None unless both bear off.

        Also None in interpreted code, which has no table. Element n of a row is the chance to need
        exactly n rolls.
        """
        if game.phase(self._variant, board) != game.RACE:
            return None
        mine, theirs = game.home_indexes(self._variant, board)
        if mine < 0:
            return None
        chances = self._buffers.bearoff_chances
        return chances[mine], chances[theirs]

    def equity(self, board: IntArray) -> float:
        """Return the cubeless equity of the player on roll."""
        choice.evaluate(self._variant, board, self.weights, self._buffers)
        return float(net.equity(self._buffers.chances))


@cache
def player_of(variant: Variant) -> NetPlayer:
    """Return this process's player with the net that ships with the site."""
    return NetPlayer(variant)
