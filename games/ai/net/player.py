"""A net at the board: the best whole turn by its own judgment, for either game."""

from functools import cache
from pathlib import Path

from games.ai.kernel import choice, game, net
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.search import Candidate, Searcher, Stakes, parity_flags
from games.engine.legal import Dice
from games.engine.rules import Rules, Variant


class NetPlayer:
    """Holds the net of one game and the arrays it works in: one thread at a time."""

    def __init__(self, variant: Variant, path: Path | None = None, plies: int = 0) -> None:
        """Raises `nets.NetError`; without a path the net that comes with the site.

        `plies` is how far ahead it looks when it plays.
        """
        path = path or weights_files.FOLDER / f"{variant.value}.net"
        self.header, self.weights = weights_files.load(path, variant)
        self.plies = plies
        self._variant = weights_files.VARIANTS[variant]
        self._module = game.MODULES[self._variant]
        self._searcher = Searcher(self._variant, self.weights)
        self._room = choice.make_room(self.weights)

    def choose(self, board: IntArray, dice: Dice, rules: Rules, first_turn: bool) -> IntArray:
        """The board after the best turn, still seen by the mover; the caller's to keep."""
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
        """As `choose`, so far ahead and for these stakes; `began` as `parity_flags` has it."""
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
        """All turns, the best first; without `stakes` the points of one game at cube 1."""
        flags = self._module.turn_flags(rules, first_turn) | parity_flags(rules, began)
        kinds = self._module.kinds_of(rules)
        stakes = stakes or Stakes.of(rules)
        return self._searcher.ranked(board, dice, flags, kinds, plies, stakes)

    def chances(self, board: IntArray) -> tuple[float, ...]:
        """Win, with mars, with koks, loss with mars, with koks: of the player on roll."""
        choice.evaluate(self._variant, board, self.weights, self._room)
        return tuple(float(chance) for chance in self._room.chances)

    def equity(self, board: IntArray) -> float:
        """Expected points of the player on roll, without a cube."""
        choice.evaluate(self._variant, board, self.weights, self._room)
        return float(net.equity(self._room.chances))


@cache
def player_of(variant: Variant) -> NetPlayer:
    """Return this process's player with the net that ships with the site."""
    return NetPlayer(variant)
