"""Records against opponents, counted from the rows of played matches."""

from stats.models import OpponentRecord, PlayedMatch

# Rows read or written at once.
CHUNK = 500
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
        """Count the match if it counts head to head; one against a guest or the computer does not.

        Of two matches that finish at one moment the later made is the last, in whichever order
        they are counted.
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
        """Add to what is stored. The caller has locked the ladder."""
        for (user_id, opponent_id), more in self._found.items():
            rows = OpponentRecord.objects.filter(user=user_id, opponent=opponent_id)
            _sum(rows.first(), more).save()

    def replace(self) -> int:
        """Replace what is stored; return how many rows differed. The ladder is locked."""
        wanted, changed, strays = dict(self._found), [], []
        for row in OpponentRecord.objects.iterator(chunk_size=CHUNK):
            new = wanted.pop((row.user_id, row.opponent_id), None)
            if new is None:
                strays.append(row.pk)
            elif _values(row) != _values(new):
                new.pk = row.pk
                changed.append(new)
        for start in range(0, len(strays), CHUNK):
            OpponentRecord.objects.filter(pk__in=strays[start : start + CHUNK]).delete()
        names = [name.removesuffix("_id") for name in _FIELDS]
        OpponentRecord.objects.bulk_update(changed, names, batch_size=CHUNK)
        OpponentRecord.objects.bulk_create(wanted.values(), batch_size=CHUNK)
        return len(strays) + len(changed) + len(wanted)


def _sum(one: OpponentRecord | None, other: OpponentRecord) -> OpponentRecord:
    """Add the second record to the first, if there is one, and return it."""
    if one is None:
        return other
    for name in _COUNTS:
        setattr(one, name, getattr(one, name) + getattr(other, name))
    if (other.last_at, other.last_match_id) > (one.last_at, one.last_match_id):
        one.last_at, one.last_match_id = other.last_at, other.last_match_id
    return one


def _values(record: OpponentRecord) -> list[object]:
    return [getattr(record, name) for name in _FIELDS]
