"""The timeout of waits in tests."""

from threading import Barrier

# Seconds; many, since a busy machine may stall. Only a failing test waits this long.
PATIENCE_S = 600


def new_barrier(parties: int) -> Barrier:
    """Return a barrier that breaks after PATIENCE_S, so that no thread waits for a failed one."""
    return Barrier(parties, timeout=PATIENCE_S)


def be_patient() -> None:
    """Raise the database timeouts, because a machine that runs tests may stall.

    On SQLite, also skip the wait for the disk: the data of tests is deleted afterwards.
    """
    from django.conf import settings

    options = settings.DATABASES["default"]["OPTIONS"]
    if "pool" in options:
        options["pool"]["timeout"] = PATIENCE_S
        options["options"] = f"-c lock_timeout={PATIENCE_S}s -c statement_timeout={PATIENCE_S}s"
    else:
        options["timeout"] = PATIENCE_S
        options["init_command"] += "PRAGMA synchronous=OFF;"
