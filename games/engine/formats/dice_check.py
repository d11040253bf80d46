"""The dice check: every roll of a finished match derived again from its secret."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.engine.dice import match_key, roll
from games.engine.errors import InvalidAction
from games.engine.formats.json_export import Export, checked_state
from games.engine.match.actions import Action, Opening, Roll, Start
from games.engine.match.state import Dice


@dataclass(frozen=True, slots=True)
class RollCheck:
    """Roll `number` of game `game` (both from 1), as logged and as derived."""

    game: int
    number: int
    logged: Dice
    derived: Dice

    @property
    def is_right(self) -> bool:
        return self.logged == self.derived


def check_dice(export: Export) -> tuple[RollCheck, ...]:
    """Return every roll of the match, opening throws included.

    The match is folded first. This also proves that the secret has the committed hash, and that
    each entropy has the last hash that its side sent. Raises as `checked_state` does. Raises
    `InvalidAction` with `no_commitment`, `secret_missing` or `secret_lost` if there is nothing to
    check against, and with `dice_missing` or `result_missing` if the file omits that part.
    """
    proof = checked_state(export).proof
    if proof.commitment is None:
        raise InvalidAction("no_commitment", "the match has no commitment to its dice")
    if proof.is_lost:
        raise InvalidAction(
            "secret_lost",
            "the site could not open the secret of this match when it ended, and logged that:"
            " its dice cannot be checked",
        )
    if proof.secret is None:
        raise InvalidAction("secret_missing", "the secret is revealed when the match is over")
    for name, part in (("dice", export.dice), ("result", export.result)):
        if part is None:  # an omitted part would seem to be checked
            raise InvalidAction(f"{name}_missing", f"{name} is left out of a finished match")
    white, black = [bytes.fromhex(entropy or "") for entropy in proof.entropy]
    key = match_key(bytes.fromhex(proof.secret), export.id, white, black)
    return tuple(
        RollCheck(game, number, logged, roll(key, game, number))
        for game, number, logged in _rolls(export.actions)
    )


def _rolls(log: tuple[Action, ...]) -> Iterator[tuple[int, int, Dice]]:
    """Yield the game, the roll's number in it (both from 1) and the dice of every logged roll."""
    game = number = 0
    for action in log:
        if isinstance(action, Start):
            game, number = action.game, 0
        elif isinstance(action, Opening):
            number += 1
            yield game, number, (action.white, action.black)
        elif isinstance(action, Roll):
            number += 1
            yield game, number, (action.d1, action.d2)
