"""Sample schedules of a demonstration.

They are evening tournaments in three cities, a Swiss tournament on Sundays, and a quick cup.
"""

from dataclasses import dataclass
from datetime import datetime, time

from accounts.shared.transactions import write_transaction
from games.engine.rules import Rules
from tournaments.models import Schedule
from tournaments.services import schedules

Repeats, Weekday = Schedule.Repeats, Schedule.Weekday


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    format: str
    variant: str
    length: int
    zone: str
    at: time
    fee_credits: int = 0
    weekday: int | None = None
    computers: int = 0
    repeats: str = Repeats.DAILY
    max_entrants: int = 32
    reserve_shrinks: bool = False


SAMPLES = (
    Sample("Московский вечер", "KNOCKOUT", "long", 3, "Europe/Moscow", time(20, 0), computers=3),
    Sample("İstanbul akşamı", "KNOCKOUT", "short", 3, "Europe/Istanbul", time(21, 0), 20),
    Sample("Tbilisi evening", "ROUND_ROBIN", "long", 1, "Asia/Tbilisi", time(20, 30), computers=3),
    Sample(
        "Sunday Swiss",
        "SWISS",
        "short",
        5,
        "Europe/Moscow",
        time(17, 0),
        50,
        Weekday.SUNDAY,
        repeats=Repeats.WEEKLY,
        reserve_shrinks=True,
    ),
    Sample(
        "Quick cup",
        "KNOCKOUT",
        "short",
        1,
        "Europe/Moscow",
        time(0, 0),
        computers=3,
        repeats=Repeats.OFTEN,
        max_entrants=8,
    ),
)


def make(now: datetime) -> list[str]:
    """Store the sample schedules whose names are not taken; return the names of the new ones."""
    known = set(Schedule.objects.values_list("name", flat=True))
    made = [sample for sample in SAMPLES if sample.name not in known]
    with write_transaction():
        for sample in made:
            schedules.store(_schedule(sample), now)
    return [sample.name for sample in made]


def _schedule(sample: Sample) -> Schedule:
    rules = Rules.of(
        sample.variant,
        length=sample.length,
        delay_ms=20_000,
        reserve_shrinks=sample.reserve_shrinks,
    )
    return Schedule(
        name=sample.name,
        format=sample.format,
        rules=rules.to_dict(),
        fee_credits=sample.fee_credits,
        min_entrants=4,
        max_entrants=sample.max_entrants,
        computer_entrants=sample.computers,
        extend_minutes=15,
        repeats=sample.repeats,
        weekday=sample.weekday,
        local_time=sample.at,
        time_zone=sample.zone,
        announce_before=168,  # hours
    )
