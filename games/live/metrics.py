"""Figures of the tables that this process serves."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Counter, Gauge, Histogram

from accounts.shared.refusals import Refused
from games.live.open_tables import OPEN_TABLES

COMMANDS = Histogram(
    "gammon_command_seconds",
    "Time from a player's command to its commit",
    ["kind"],
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15),
)
REFUSED = Counter("gammon_commands_refused", "Commands refused, by code", ["code"])
GAPS = Counter(
    "gammon_gaps_repaired", "States sent because a message of the layer was lost", ["found_by"]
)
TABLES = Gauge("gammon_open_tables", "Players' connections and audiences in this process")
TABLES.set_function(lambda: len(OPEN_TABLES))


@contextmanager
def timed(verb: str) -> Iterator[None]:
    """Count a command: the time of one that is accepted, the code of one that is refused."""
    began = time.perf_counter()
    try:
        yield
    except Refused as refusal:
        REFUSED.labels(refusal.code).inc()
        raise
    COMMANDS.labels(verb).observe(time.perf_counter() - began)
