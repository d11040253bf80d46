"""Count finished matches once for each member, or all of them again.

Counting adds dice and achievements, writes the row that lists and statistics read, and updates the
record against the opponent.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.models import Seat
from stats.models import CountedSeat, PlayedMatch
from stats.services import played
from stats.services.achievements import Achieved
from stats.services.dice import RolledDice
from stats.services.logs import ReadLog, logs_of
from stats.services.opponents import OpponentRecords
from stats.services.played import PlayedRows
from stats.services.rating import lock_ladder

logger = logging.getLogger(__name__)

# The name of this work in the worker's loop.
SEAT_COUNTS = "seat_counts"
BATCH = 50  # seats counted in one call
CHUNK = 200  # seats read at once by `rebuild`
RETRIES = deadlines.Retries(logger, "seat not counted", "counted_seat")

# Takes the number of seats counted, and the number of all.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Recounted:
    """The numbers of rows that differed."""

    dice: int
    achievements: int
    matches: int
    opponents: int


def enter(match_ids: Collection[int]) -> None:
    """Queue the members' seats in those of the matches that have finished. Idempotent."""
    seats = Seat.objects.filter(match__in=match_ids, user__isnull=False)
    found = seats.filter(match__finished_at__isnull=False).values_list("pk", "match__finished_at")
    rows = [CountedSeat(seat_id=pk, finished_at=at) for pk, at in found if at is not None]
    CountedSeat.objects.bulk_create(rows, ignore_conflicts=True)
    deadlines.note(SEAT_COUNTS, min((row.finished_at for row in rows), default=None))


def write_again(match_ids: Collection[int]) -> None:
    """Queue the matches' rows to be written again, since an opponent has become a member."""
    CountedSeat.objects.filter(seat__match__in=match_ids).update(has_row=False)


def waiting() -> QuerySet[CountedSeat]:
    """Return the seats to be counted, the first to finish first."""
    return CountedSeat.objects.filter(has_row=False).order_by("finished_at", "id")


def settle_due(now: datetime) -> datetime | None:
    """Count up to `BATCH` waiting seats; return when to continue, None if nothing is left."""
    ready = waiting().exclude(pk__in=RETRIES.resting(now)).values_list("pk", flat=True)[:BATCH]
    ids = list(ready)
    RETRIES.settle(ids, _count, now)
    return RETRIES.next_at(now if len(ids) == BATCH else None, now)


def rebuild(progress: Progress = lambda done, total: None) -> Recounted:
    """Count all counted seats again, in the stored order, from matches and logs.

    Play goes on: the matches are read without a lock. The transaction that writes the results first
    adds the seats counted meanwhile, and then queues the seats again whose opponent became a member
    meanwhile.
    """
    recount = _Recount()
    total = CountedSeat.objects.filter(place__isnull=False).count()
    while recount.add_chunk():
        progress(recount.done, max(total, recount.done))
    with write_transaction():
        lock_ladder()
        while recount.add_chunk():
            pass
        return recount.replace()


class _Recount:
    """The dice, achievements, records and differing rows of the first `done` counted seats."""

    def __init__(self) -> None:
        self.done = self.last_place = 0
        self._dice, self._achieved = RolledDice(), Achieved()
        self._played, self._opponents = PlayedRows(), OpponentRecords()
        self._against_guests: list[int] = []  # ids of seats

    def add_chunk(self) -> bool:
        """Add the next seats; return False if there are none."""
        chunk = _chunk_after(self.last_place, CountedSeat.objects.all())
        logs = logs_of({row.seat.match_id for row in chunk})
        for row in chunk:
            assert row.place is not None
            self.last_place = row.place
            self.done += 1
            _add(self._dice, self._achieved, row, logs[row.seat.match_id])
        made = [played.row_of(row.seat, logs[row.seat.match_id]) for row in chunk]
        self._played.compare(made)
        for each in made:
            self._opponents.add(each)
            if each.against == PlayedMatch.Against.GUEST:
                self._against_guests.append(each.seat_id)
        return bool(chunk)

    def replace(self) -> Recounted:
        """Store the differences. The caller has locked the ladder and added the last seats."""
        adopted = self._adopted_meanwhile()
        found = Recounted(
            self._dice.replace(),
            self._achieved.replace(),
            self._played.replace(),
            self._opponents.replace(),
        )
        # `_write_match` adds a seat to the record only while its row has no opponent.
        PlayedMatch.objects.filter(seat__in=adopted).update(opponent=None)
        CountedSeat.objects.filter(seat__in=adopted).update(has_row=False)
        return found

    def _adopted_meanwhile(self) -> list[int]:
        """Return the seats whose opponent was a guest when read, and is a member by now.

        The worker has written the rows of these seats again meanwhile, so the seats no longer wait.
        This rebuild replaces the counts that the worker made for the new opponent.
        """
        adopted: list[int] = []
        for start in range(0, len(self._against_guests), CHUNK):
            ids = self._against_guests[start : start + CHUNK]
            rows = PlayedMatch.objects.filter(seat__in=ids, opponent__isnull=False)
            adopted += rows.values_list("seat", flat=True)
        return adopted


def _count(row_id: int) -> None:
    with write_transaction():
        # The lock keeps places in order: one worker counts at a time, none while `rebuild` writes.
        lock_ladder()
        # An adoption of the opponent's seat waits for this lock, and then queues the row again.
        rows = waiting().filter(pk=row_id).select_for_update(no_key=True, of=("self",))
        row = _with_matches(rows).first()
        if row is None:
            return
        log = logs_of([row.seat.match_id])[row.seat.match_id]
        _write_match(row, log)
        if row.place is not None:
            _count_deeds_again(row)
        else:
            _count_dice_and_deeds(row, log)
            last = CountedSeat.objects.aggregate(last=Max("place"))["last"] or 0
            row.place = last + 1
        CountedSeat.objects.filter(pk=row.pk).update(place=row.place, has_row=True)


def _write_match(row: CountedSeat, log: ReadLog) -> None:
    """Write the row of the match; add the match to the record against the opponent once.

    A stored row with an opponent shows that the match is in the record already.
    """
    made, records = played.row_of(row.seat, log), OpponentRecords()
    if not PlayedMatch.objects.filter(seat=row.seat, opponent__isnull=False).exists():
        records.add(made)
    played.write([made])
    records.add_to_rows()


def _count_dice_and_deeds(row: CountedSeat, log: ReadLog) -> None:
    dice, achieved = RolledDice(), Achieved()
    achieved.load(row.seat.user_id)
    _add(dice, achieved, row, log)
    dice.add_to_rows()
    achieved.write_new()


def _count_deeds_again(row: CountedSeat) -> None:
    """Count a member's deeds again, after the opponent of this seat has become a member.

    Deeds are sums over all matches, and achievements follow from them. With the new opponent the
    member may reach another achievement, or reach one in an earlier match. If several seats of the
    member wait for this, the deeds are counted once, with the last of these seats.
    """
    user_id = row.seat.user_id
    rows = CountedSeat.objects.filter(seat__user=user_id, place__isnull=False)
    if rows.filter(has_row=False).exclude(pk=row.pk).exists():
        return
    achieved, last_place = Achieved(), 0
    while chunk := _chunk_after(last_place, rows):
        logs = logs_of({each.seat.match_id for each in chunk}, has_rolls=False)
        for each in chunk:
            achieved.add(each.seat, logs[each.seat.match_id])
        last_place = chunk[-1].place or 0
    achieved.replace(user_id)


def _chunk_after(last_place: int, rows: QuerySet[CountedSeat]) -> list[CountedSeat]:
    """Return the next counted seats in the order of their places, with their matches."""
    return list(_with_matches(rows.filter(place__gt=last_place).order_by("place"))[:CHUNK])


def _add(dice: RolledDice, achieved: Achieved, row: CountedSeat, log: ReadLog) -> None:
    dice.add(row.seat, log)
    achieved.add(row.seat, log)


def _with_matches(rows: QuerySet[CountedSeat]) -> QuerySet[CountedSeat]:
    return rows.select_related("seat__match").prefetch_related(
        "seat__match__seats", "seat__match__games"
    )
