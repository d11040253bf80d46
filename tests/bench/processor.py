"""Read the processor time of other processes on this machine from /proc."""

import os
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process with its threads, and of its ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / TICKS_PER_S


def database_cpu_s() -> float:
    """Return the CPU seconds of PostgreSQL's processes on this machine."""
    used = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().strip() == "postgres":
                used += cpu_s(int(folder.name))
        except OSError:
            continue
    return used
