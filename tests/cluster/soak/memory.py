"""Measure the memory of processes over time."""

import statistics
import time
from collections import defaultdict
from collections.abc import Iterable

from tests.bench.deaf_sockets import resident_mb
from tests.support.own_process import OwnProcess

# The age from which a process is measured: then its caches are warm.
WARM_S = 120.0
LEAST_READINGS = 8


class Memory:
    """Resident MiB of each process, by its id, at seconds since it was first seen."""

    def __init__(self) -> None:
        self._begun: dict[int, float] = {}
        self._readings: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)

    def measure(self, processes: Iterable[OwnProcess]) -> None:
        for process in processes:
            now = time.monotonic()
            age = now - self._begun.setdefault(process.pid, now)
            if age >= WARM_S:
                self._readings[process.pid].append((age, resident_mb(process.pid)))

    def slopes(self) -> list[dict[str, float]]:
        """Return for each process that lived long enough: last MiB, minutes, MiB an hour."""
        found = []
        for readings in self._readings.values():
            if len(readings) >= LEAST_READINGS:
                ages, sizes = zip(*readings, strict=True)
                slope = statistics.linear_regression(ages, sizes).slope
                minutes = round((ages[-1] - ages[0]) / 60)
                found.append(
                    {"mib": round(sizes[-1]), "minutes": minutes, "mib_per_hour": 3600 * slope}
                )
        return found
