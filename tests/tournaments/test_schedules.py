"""Schedules announce each tournament once, at a local time that survives clock changes."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.accounts.factories import UserFactory
from tests.tournaments.factories import daily_schedule, settle
from tournaments import samples
from tournaments.models import Schedule, Tournament
from tournaments.services import schedules, staff, starting
from tournaments.services.announcing import OFTEN_EVERY
from tournaments.services.timeline import Ruling

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


def schedule(now: datetime = MONDAY, **fields) -> Schedule:
    return daily_schedule(now, **fields)


def test_the_next_start_is_at_the_local_time() -> None:
    made = schedule()
    assert made.next_at == datetime(2026, 11, 23, 16, 0, tzinfo=UTC)
    assert made.announce_at == made.next_at - timedelta(hours=24)


@pytest.mark.parametrize(("zone", "hour"), [("Europe/Moscow", 17), ("Europe/Istanbul", 17)])
def test_each_schedule_has_a_zone_of_its_own(zone: str, hour: int) -> None:
    assert schedule(time_zone=zone).next_at == datetime(2026, 11, 23, hour, 0, tzinfo=UTC)


def test_a_weekly_schedule_waits_for_its_day() -> None:
    made = schedule(repeats="WEEKLY", weekday=Schedule.Weekday.SATURDAY)
    assert made.next_at.astimezone(ZoneInfo("Asia/Tbilisi")).date() == date(2026, 11, 28)


def test_the_local_time_stays_through_a_change_of_the_clock() -> None:
    before = datetime(2026, 10, 24, 12, 0, tzinfo=UTC)  # Berlin changes its clocks on October 25
    made = schedule(before, time_zone="Europe/Berlin")
    following = schedules.next_start(made, made.next_at)
    assert following - made.next_at == timedelta(hours=25)


def test_a_due_schedule_announces_its_tournament_once() -> None:
    made = schedule()
    for _ in range(3):
        settle(MONDAY)
    tournament = Tournament.objects.get()
    assert tournament.schedule == made
    assert (tournament.name, tournament.variant) == ("Tbilisi evening", "long")
    assert tournament.starts_at == datetime(2026, 11, 23, 16, 0, tzinfo=UTC)
    made.refresh_from_db()
    assert made.next_at == datetime(2026, 11, 24, 16, 0, tzinfo=UTC)


def test_a_daily_schedule_announces_one_tournament_a_day() -> None:
    schedule()
    for hour in range(7 * 24):
        schedules.WORK.settle_due(MONDAY + timedelta(hours=hour))
    starts = Tournament.objects.values_list("starts_at", flat=True)
    assert len(starts) == len(set(starts)) == 8  # the last is announced a day ahead


def test_a_start_that_was_missed_is_left_out() -> None:
    made = schedule()
    late = MONDAY + timedelta(days=3)
    settle(late)
    assert [each.starts_at > late for each in Tournament.objects.all()] == [True]
    made.refresh_from_db()
    assert made.next_at > late


def test_storing_a_schedule_again_announces_nothing_twice() -> None:
    made = schedule()
    settle(MONDAY)
    schedules.store(made, MONDAY)
    settle(MONDAY)
    assert Tournament.objects.count() == 1


def test_the_samples_of_a_demonstration_announce_a_week_of_evenings() -> None:
    names = samples.make(MONDAY)
    assert samples.make(MONDAY) == []
    for _ in range(8):
        schedules.WORK.settle_due(MONDAY)
    names.remove("Quick cup")
    for name in names:
        starts = Tournament.objects.filter(name=name).order_by("starts_at")
        is_weekly = Schedule.objects.get(name=name).weekday is not None
        assert len(starts) == (1 if is_weekly else 7)
        zone = ZoneInfo(Schedule.objects.get(name=name).time_zone)
        assert {each.starts_at.astimezone(zone).hour for each in starts} <= {17, 20, 21}


def test_a_stopped_schedule_announces_nothing_until_it_is_resumed() -> None:
    made = schedule()
    assert schedules.stop(made.pk)
    assert not schedules.stop(made.pk)
    settle(MONDAY)
    assert not Tournament.objects.exists()
    assert schedules.resume(made.pk, MONDAY)
    assert not schedules.resume(made.pk, MONDAY)
    settle(MONDAY)
    assert Tournament.objects.count() == 1


def test_an_old_round_robin_schedule_of_64_entrants_announces_at_most_32() -> None:
    made = schedule(format="ROUND_ROBIN", max_entrants=64)
    schedules.announce_next(made.pk, made.announce_at)
    assert Tournament.objects.get().max_entrants == 32


def test_saving_a_stopped_schedule_does_not_start_it() -> None:
    made = schedule()
    loaded = Schedule.objects.get()  # as the form of the admin does
    schedules.stop(made.pk)
    schedules.store(loaded, MONDAY)
    made.refresh_from_db()
    assert (made.next_at, made.announce_at) == (None, None)
    settle(MONDAY)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("is_resumed", [True, False])
def test_a_start_that_was_postponed_is_not_announced_again(is_resumed: bool) -> None:
    made = schedule()
    settle(MONDAY)
    moved = Tournament.objects.get()
    later = moved.starts_at + timedelta(hours=1)
    assert staff.postpone(moved.pk, later, Ruling("Rain", UserFactory().pk), MONDAY)
    if is_resumed:
        schedules.stop(made.pk)
        schedules.resume(made.pk, MONDAY)
    else:
        schedules.store(made, MONDAY)
    settle(MONDAY)
    assert Tournament.objects.get() == moved
    settle(MONDAY + timedelta(days=1))
    assert Tournament.objects.filter(schedule=made, state="ANNOUNCED").count() == 1


def test_a_start_that_moves_automatically_skips_a_time_that_is_taken() -> None:
    made = schedule(repeats="OFTEN", max_entrants=4, computer_entrants=1)
    schedules.announce_next(made.pk, made.announce_at)
    waits = Tournament.objects.get()
    taken = Tournament.objects.values().get()
    del taken["id"]
    Tournament.objects.create(
        **taken | {
            "public_id": "taken1234567", "state": "CANCELED", "finished_at": MONDAY,
            "starts_at": waits.starts_at + OFTEN_EVERY,
        }
    )  # fmt: skip
    before = waits.starts_at
    starting.start_or_cancel(waits.pk, before)
    waits.refresh_from_db()
    assert waits.starts_at == before + 2 * OFTEN_EVERY
