"""Read the part of the logs that counting needs, by two queries for any number of matches."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from games.models import Action
from games.selectors import has_two_turns
from stats.dice.dice_map import DiceMap

Roll = tuple[int, int]


@dataclass(slots=True)
class ReadLog:
    """The rolls of each side, opening throws left out, and every `start` and `play` in order."""

    rolls: dict[str, list[Roll]] = field(default_factory=lambda: defaultdict(list))
    verbs: list[str] = field(default_factory=list)

    @property
    def is_played(self) -> bool:
        """Return whether both sides finished a turn in the same game."""
        return has_two_turns(self.verbs)

    def map_of(self, side: str) -> DiceMap:
        return DiceMap.of_rolls(self.rolls.get(side, ()))


def logs_of(match_ids: Collection[int], *, has_rolls: bool = True) -> dict[int, ReadLog]:
    """Return the logs by match id; `has_rolls=False` skips the rolls, most of the work."""
    found: dict[int, ReadLog] = {match_id: ReadLog() for match_id in match_ids}
    actions = Action.objects.filter(match__in=found)
    rolls = actions.filter(verb="roll") if has_rolls else actions.none()
    for match_id, side, data in rolls.order_by().values_list("match_id", "side", "data"):
        found[match_id].rolls[side].append((data["d1"], data["d2"]))
    begun = actions.filter(verb__in=("start", "play")).order_by("match_id", "seq")
    for match_id, verb in begun.values_list("match_id", "verb"):
        found[match_id].verbs.append(verb)
    return found
