"""Run the nightly commands once a day, in whichever worker comes first.

The rows of the table are the lock: to lease a command, a worker locks all of them for a moment, and
while a command runs no other is leased. A run that a killed worker left open is tried again after
`LEASE`. If no worker ran at `NIGHTLY_AT`, all commands run when the next worker starts.
"""

import logging
from datetime import datetime, time, timedelta
from io import StringIO
from time import monotonic

from django.conf import settings
from django.core.management import call_command
from django.db.models import Q, QuerySet

from accounts.shared.transactions import write_transaction
from config.models import LEASE, NightlyRun

logger = logging.getLogger(__name__)

# The kind of this work in the worker.
NIGHTLY = "nightly"
# Commands in the order in which they run: cases are opened before the origins that they compare are
# deleted; the ledger is checked last, after the others have deleted rows.
COMMANDS = (
    "forgetguests",
    "forgetinvitations",
    "forgetunactivated",
    "sweepavatars",
    "forgetemails",
    "forgetnotices",
    "forgetchats",
    "forgetreports",
    "forgettickets",
    "forgetpayments",
    "forgetexclusions",
    "opencases",
    "forgetcases",
    "forgetorigins",
    "reconcile",
)
# Staff are shown a command that has not begun this long after it was due.
LATE = timedelta(hours=3)
LONGEST_RESULT = 300  # characters: max_length of NightlyRun.said


def settle_due(now: datetime) -> datetime | None:
    """Run one command if one is due; return when to look again, None if NIGHTLY_AT is off."""
    at = settings.NIGHTLY_AT
    if at is None:
        return None
    due = last_time(now, at)
    command = _lease_next(now, due)
    if command is None:
        return due + timedelta(days=1)
    _run(command, now)
    return now


def last_time(now: datetime, at: time) -> datetime:
    """Return the last moment up to `now` that has this time of day (UTC)."""
    today = datetime.combine(now.date(), at, tzinfo=now.tzinfo)
    return today if today <= now else today - timedelta(days=1)


def troubled(now: datetime, rows: QuerySet[NightlyRun] | None = None) -> QuerySet[NightlyRun]:
    """Return the commands, or those of `rows`, that failed or did not run when they were last due.

    A command that this version of the site no longer has is left out.
    """
    rows = (NightlyRun.objects.all() if rows is None else rows).filter(command__in=COMMANDS)
    if settings.NIGHTLY_AT is None:
        return rows.none()
    due = last_time(now - LATE, settings.NIGHTLY_AT)
    is_late = Q(began_at__lt=due) | Q(ended_at=None, began_at__lte=now - LEASE)
    return rows.filter(Q(is_well=False) | is_late)


def _lease_next(now: datetime, due: datetime) -> str | None:
    """Mark the next command that has not run since `due` as begun; return its name.

    Return None if no command is left, or while one runs.
    """
    with write_transaction():
        rows = {row.command: row for row in NightlyRun.objects.select_for_update()}
        # On a new site, and for a new command, the first run is in the next night.
        missing = [name for name in COMMANDS if name not in rows]
        NightlyRun.objects.bulk_create(
            [NightlyRun(command=name, began_at=now, ended_at=now) for name in missing],
            ignore_conflicts=True,
        )
        if any(row.ended_at is None and not _may_run_again(row, now) for row in rows.values()):
            return None
        known = [rows[name] for name in COMMANDS if name in rows]
        # A command left open comes last: if it kills its worker each time, the others still run.
        for row in sorted(known, key=lambda each: each.ended_at is None):
            if row.began_at < due or _may_run_again(row, now):
                # A run that was killed counts as failed until a later one ends well.
                row.is_well = row.is_well and row.ended_at is not None
                row.began_at, row.ended_at = now, None
                row.save(update_fields=["began_at", "ended_at", "is_well"])
                return row.command
    return None


def _may_run_again(row: NightlyRun, now: datetime) -> bool:
    """Return whether a run may be repeated: it was killed, or a wrong clock dated it ahead."""
    is_killed = row.ended_at is None and row.began_at <= now - LEASE
    return is_killed or row.began_at > now + LEASE


def _run(name: str, leased_at: datetime) -> None:
    began = monotonic()
    logger.info("nightly %s begins", name)
    is_well, said = _outcome(name)
    # The wall clock may go back meanwhile, and a run may not end before it began.
    took = timedelta(seconds=monotonic() - began)
    log = logger.info if is_well else logger.error
    log("nightly %s %s after %s: %s", name, "ended" if is_well else "failed", took, said)
    with write_transaction():
        # After the lease another worker may have begun the command again: do not end that run.
        mine = NightlyRun.objects.filter(command=name, began_at=leased_at, ended_at=None)
        mine.update(ended_at=leased_at + took, is_well=is_well, said=said)


def _outcome(name: str) -> tuple[bool, str]:
    """Run the command; return whether it succeeded, and the last line that it wrote."""
    output = StringIO()
    try:
        call_command(name, stdout=output, stderr=output)
    except SystemExit as end:
        return not end.code, _last_line(output)
    except Exception as error:
        logger.exception("nightly %s failed", name)
        return False, f"{type(error).__name__}: {error}"[:LONGEST_RESULT]
    return True, _last_line(output)


def _last_line(output: StringIO) -> str:
    lines = output.getvalue().strip().splitlines()
    return lines[-1][:LONGEST_RESULT] if lines else ""
