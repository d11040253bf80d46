"""Records against opponents, counted from the rows of played matches."""

from stats.models import OpponentRecord, PlayedMatch
from stats.services import stored

# Field of OpponentRecord, by result.
_COUNTERS = {
    PlayedMatch.Result.WON: "won",
    PlayedMatch.Result.LOST: "lost",
    PlayedMatch.Result.DRAWN: "drawn",
}
_COUNTS = ("won", "lost", "drawn")
_FIELDS = (*_COUNTS, "last_match_id", "last_at")


class OpponentRecords:
    """The records that some played matches add up to, by member and opponent."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], OpponentRecord] = {}

    def add(self, row: PlayedMatch) -> None:
        """Count the match if it is against a member, not void, and counts head to head.

        Of two matches that finish at the same moment, the one that was created later is the last
        match, regardless of the order in which they are counted.
        """
        counter = _COUNTERS.get(PlayedMatch.Result(row.result))
        if counter is None or row.opponent_id is None or not row.match.policy.counts_head_to_head:
            return
        record = OpponentRecord(
            user_id=row.user_id,
            opponent_id=row.opponent_id,
            last_match_id=row.match_id,
            last_at=row.finished_at,
        )
        setattr(record, counter, 1)
        key = (row.user_id, row.opponent_id)
        self._found[key] = _sum(self._found.get(key), record)

    def add_to_rows(self) -> None:
        """Add to the stored rows. The caller has locked the ladder."""
        for (user_id, opponent_id), more in self._found.items():
            rows = OpponentRecord.objects.filter(user=user_id, opponent=opponent_id)
            _sum(rows.first(), more).save()

    def replace(self) -> int:
        """Replace all stored rows; return how many differed. The caller has locked the ladder."""
        wanted = {
            key: {name: getattr(record, name) for name in _FIELDS}
            for key, record in self._found.items()
        }
        return stored.replace(OpponentRecord, ("user_id", "opponent_id"), wanted)


def _sum(one: OpponentRecord | None, other: OpponentRecord) -> OpponentRecord:
    """Return the first record with the second added, or the second if there is no first."""
    if one is None:
        return other
    for name in _COUNTS:
        setattr(one, name, getattr(one, name) + getattr(other, name))
    if (other.last_at, other.last_match_id) > (one.last_at, one.last_match_id):
        one.last_at, one.last_match_id = other.last_at, other.last_match_id
    return one
