"""Figures of the worker: the delay of due work, and rounds that failed."""

from datetime import datetime

from prometheus_client import Counter, Histogram

LATE = Histogram(
    "gammon_deadline_late_seconds",
    "Time from a deadline to the beginning of its work",
    ["kind"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30),
)
FAILED = Counter("gammon_work_failed", "Rounds of work that ended in an error", ["kind"])


def note(kind: str, due_at: datetime | None, now: datetime) -> None:
    if due_at is not None:
        LATE.labels(kind).observe(max(0.0, (now - due_at).total_seconds()))
