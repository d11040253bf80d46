"""Schedules: announce the next tournament, and compute when the one after it starts."""

from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from tournaments import states
from tournaments.models import MAX_ROUND_ROBIN, Schedule
from tournaments.services import announcing, timeline
from tournaments.services.announcing import OFTEN_EVERY, ROUND_ROBINS, Plan
from tournaments.services.due import DueWork

# The kind of deadline of schedules, as the worker's loop knows it.
SCHEDULES = "tournament schedules"


def store(schedule: Schedule, now: datetime) -> None:
    """Write a new or changed schedule and compute its next start; a stopped one stays stopped."""
    with write_transaction():
        stored = Schedule.objects.select_for_update(no_key=True).filter(pk=schedule.pk).first()
        is_stopped = stored is not None and stored.next_at is None
        schedule.variant = schedule.match_rules.variant.value
        schedule.save()
        _set_next(schedule, None if is_stopped else next_start(schedule, now))


def resume(schedule_id: int, now: datetime) -> bool:
    """Let a stopped schedule announce again; return False for any other."""
    with write_transaction():
        schedule = Schedule.objects.select_for_update(no_key=True).get(pk=schedule_id)
        if schedule.next_at is not None:
            return False
        _set_next(schedule, next_start(schedule, now))
    return True


def stop(schedule_id: int) -> bool:
    """Stop a schedule; its announced tournaments stay. Return False if it was stopped before."""
    with write_transaction():
        schedule = Schedule.objects.select_for_update(no_key=True).get(pk=schedule_id)
        if schedule.next_at is None:
            return False
        _set_next(schedule, None)
    return True


def announce_next(schedule_id: int, now: datetime) -> None:
    """Announce the due tournament of a schedule and compute the start of the next one.

    Announce nothing if the start has passed, or a tournament was announced for it already.
    """
    with write_transaction():
        rows = Schedule.objects.select_for_update(no_key=True, skip_locked=True)
        schedule = rows.filter(pk=schedule_id, announce_at__lte=now).first()
        if schedule is None or schedule.next_at is None:
            return
        if schedule.next_at > now and not _is_announced(schedule, schedule.next_at):
            announcing.announce(plan_of(schedule), schedule.next_at, now, schedule=schedule)
        _set_next(schedule, next_start(schedule, max(schedule.next_at, now)))


def _is_announced(schedule: Schedule, starts_at: datetime) -> bool:
    """Return whether a tournament of the schedule was announced for this start.

    Such a tournament counts even if its start has been moved since; one whose start has been moved
    to this moment counts too. With OFTEN, any tournament that waits to start counts.
    """
    found = Q(starts_at=starts_at)
    found |= Q(
        timeline__event=timeline.Event.ANNOUNCED, timeline__detail__starts_at=starts_at.isoformat()
    )
    if schedule.repeats == Schedule.Repeats.OFTEN:
        found |= Q(state=states.ANNOUNCED)
    return schedule.tournaments.filter(found).exists()


def plan_of(schedule: Schedule) -> Plan:
    values = {each.name: getattr(schedule, each.name) for each in fields(Plan)}
    if schedule.format in ROUND_ROBINS:  # a schedule may be older than the bound
        for name in ("min_entrants", "max_entrants"):
            values[name] = min(values[name], MAX_ROUND_ROBIN)
    return Plan(**values | {"rules": schedule.match_rules})


def next_start(schedule: Schedule, after: datetime) -> datetime:
    """Return the first start after a moment, at the schedule's local time.

    In the night when clocks change, a local time may be skipped: then the start is later by the
    length of the change. A local time may also occur twice: then the first one counts. A schedule
    that repeats OFTEN has no local time; it starts at every multiple of OFTEN_EVERY.
    """
    if schedule.repeats == Schedule.Repeats.OFTEN:
        return after + OFTEN_EVERY - (after - datetime.min.replace(tzinfo=UTC)) % OFTEN_EVERY
    zone = ZoneInfo(schedule.time_zone)
    day = after.astimezone(zone).date()
    while not _is_day(schedule, day) or _moment(schedule, day, zone) <= after:
        day += timedelta(days=1)
    return _moment(schedule, day, zone)


def _is_day(schedule: Schedule, day: date) -> bool:
    return schedule.weekday is None or day.weekday() == schedule.weekday


def _moment(schedule: Schedule, day: date, zone: ZoneInfo) -> datetime:
    local = datetime.combine(day, schedule.local_time, tzinfo=zone)
    return local.astimezone(ZoneInfo("UTC"))


def _set_next(schedule: Schedule, next_at: datetime | None) -> None:
    schedule.next_at, schedule.announce_at = next_at, None
    if next_at is not None:
        ahead = timedelta(hours=schedule.announce_before)
        if schedule.repeats == Schedule.Repeats.OFTEN:
            # By then the previous tournament has begun, or its start has been moved.
            ahead = OFTEN_EVERY - timedelta(minutes=1)
        schedule.announce_at = next_at - ahead
    schedule.save(update_fields=["next_at", "announce_at"])
    deadlines.note(SCHEDULES, schedule.announce_at)


def _waiting() -> QuerySet[Schedule]:
    return Schedule.objects.filter(announce_at__isnull=False)


WORK = DueWork(SCHEDULES, _waiting, "announce_at", announce_next)
