"""The dice of counted seats, added to the rows of members and days."""

from datetime import UTC
from typing import Any

from games.models import Seat
from stats.dice.dice_map import DiceMap
from stats.models import DiceDay, DiceTally
from stats.services import stored
from stats.services.logs import ReadLog

# Fields of each model: its key, then its two maps.
_TALLY = (("user_id", "variant", "is_against_computer"), ("own", "opponents"))
_DAY = (("day",), ("members", "computers"))
_Names = tuple[tuple[str, ...], tuple[str, str]]


class RolledDice:
    """The dice of some seats, by member and by day."""

    def __init__(self) -> None:
        self._tallies, self._days = _Sums(DiceTally, _TALLY), _Sums(DiceDay, _DAY)

    def add(self, seat: Seat, log: ReadLog) -> None:
        """Add the rolls of the seat, and of its opponent, from the match's log."""
        match = seat.match
        assert match.finished_at is not None
        own, opponents = log.map_of(seat.side), log.map_of(seat.engine_side.other.value)
        has_bot = any(each.bot for each in match.seats.all())
        variant = match.match_rules.variant.value
        self._tallies.add((seat.user_id, variant, has_bot), own, opponents)
        day = match.finished_at.astimezone(UTC).date()
        self._days.add((day,), own, opponents if has_bot else DiceMap())

    def add_to_rows(self) -> None:
        """Add to the stored rows. The caller has locked the ladder."""
        self._tallies.add_to_rows()
        self._days.add_to_rows()

    def replace(self) -> int:
        """Replace all stored rows; return how many differed. The caller has locked the ladder."""
        return self._tallies.replace() + self._days.replace()


class _Sums:
    """Pairs of dice maps, summed by the key of the row that stores them."""

    def __init__(self, model: Any, names: _Names) -> None:
        self._model = model
        self._keys, self._fields = names
        self._found: dict[tuple[Any, ...], tuple[DiceMap, DiceMap]] = {}

    def add(self, key: tuple[Any, ...], *maps: DiceMap) -> None:
        old = self._found.get(key, (DiceMap(), DiceMap()))
        both = zip(old, maps, strict=True)
        first, second = (DiceMap.sum([one.counts, other.counts]) for one, other in both)
        self._found[key] = (first, second)

    def add_to_rows(self) -> None:
        for key, maps in self._found.items():
            empty = {name: list(DiceMap().counts) for name in self._fields}
            at = dict(zip(self._keys, key, strict=True))
            row, _ = self._model.objects.get_or_create(**at, defaults=empty)
            for name, more in zip(self._fields, maps, strict=True):
                setattr(row, name, list(DiceMap.sum([getattr(row, name), more.counts]).counts))
            row.save(update_fields=self._fields)

    def replace(self) -> int:
        """Write the rows that differ, delete rows of uncounted keys; return the number of both."""
        wanted = {
            key: {name: list(each.counts) for name, each in zip(self._fields, maps, strict=True)}
            for key, maps in self._found.items()
        }
        return stored.replace(self._model, self._keys, wanted)
