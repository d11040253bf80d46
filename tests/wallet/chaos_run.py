"""The chaos run: fork workers, kill them at random moments, check the ledger meanwhile.

`python -m tests.wallet.chaos_run OPERATIONS KILLS`, over the migrated and empty database of
DATABASE_URL, prints a report as JSON, which the tests check.
"""

import json
import mmap
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from io import StringIO
from typing import Any

import django
import psycopg
from django.conf import settings

CHECKS = 60  # checks of the invariants, spread evenly over the operations
SEED = 20260101
KILLS_END = 0.97  # share of the operations after which no worker is killed


class Run:
    """One run. The outcomes are in shared memory that outlives the workers."""

    def __init__(self, operations: int, kills: int) -> None:
        from tests.wallet import chaos_checks, chaos_plan, chaos_worker

        self.checks, self.worker = chaos_checks, chaos_worker
        self.plan = chaos_plan.Plan(SEED, operations)
        self.rng = random.Random(SEED)
        self.outcomes = [memoryview(mmap.mmap(-1, len(part))) for part in self.plan.by_worker]
        self.notes = tempfile.TemporaryFile()  # noqa: SIM115
        self.database = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
        self.pids: dict[int, int] = {}
        step = operations * KILLS_END / max(1, kills)
        self.kill_at = [step * (number + 0.5) for number in range(kills)]
        self.operations_per_check = operations / CHECKS
        self.kills = self.self_killed = self.checks_done = 0
        self.broken_invariants: Counter[str] = Counter()

    def go(self) -> None:
        for number in range(len(self.outcomes)):
            self._start(number)
        while self.pids:
            self._reap()
            if self.kills < len(self.kill_at) and self._done() >= self.kill_at[self.kills]:
                self._kill_one()
            if self._done() >= self.checks_done * self.operations_per_check:
                self._check()
            time.sleep(0.005)
        self._check()

    def _start(self, number: int) -> None:
        pid = os.fork()
        if pid == 0:
            self.worker.run(self.plan, number, self.outcomes, self.notes.fileno())
        self.pids[number] = pid

    def _reap(self) -> None:
        for number, pid in list(self.pids.items()):
            found, status = os.waitpid(pid, os.WNOHANG)
            if not found:
                continue
            if was_killed(number, status):
                self.self_killed += 1
                self._start(number)
                continue
            del self.pids[number]

    def _kill_one(self) -> None:
        """Kill a worker by SIGKILL at a random moment; restart it at the interrupted operation."""
        number = self.rng.choice(list(self.pids))
        time.sleep(self.rng.uniform(0, 0.02))
        os.kill(self.pids[number], signal.SIGKILL)
        _, status = os.waitpid(self.pids[number], 0)
        self.kills += was_killed(number, status)
        self._start(number)

    def _done(self) -> int:
        return sum(len(part) - bytes(part).count(self.worker.WAITING) for part in self.outcomes)

    def _check(self) -> None:
        self.checks_done += 1
        self.broken_invariants.update(self.checks.broken_invariants(self.database))

    def sweep(self) -> None:
        """Release all open holds, as an app does with abandoned ones."""
        from django.db import IntegrityError

        from accounts.shared.transactions import write_transaction
        from wallet.models import Hold
        from wallet.services import holds

        for hold_id in Hold.objects.filter(state=Hold.State.OPEN).values_list("id", flat=True):
            try:
                with write_transaction():
                    holds.release(hold_id, self.worker.NOW)
            except IntegrityError as error:  # the ledger is broken already
                os.write(self.notes.fileno(), f"broken sweep {hold_id}: {error!r}\n".encode())
        self._check()

    def report(self) -> dict[str, Any]:
        self.notes.seek(0)
        notes = self.notes.read().decode().splitlines()
        counted = Counter(outcome for part in self.outcomes for outcome in part)
        return {
            "kills": self.kills,
            "self_killed": self.self_killed,
            "checks": self.checks_done,
            "done": counted[self.worker.DONE],
            "refused": counted[self.worker.REFUSED],
            "broken": [note for note in notes if note.startswith("broken")],
            "retried": [note for note in notes if note.startswith("retried")],
            "broken_invariants": dict(self.broken_invariants),
            "open_holds": self.checks.open_holds(self.database),
            "unlike_plan": self._unlike_plan(),
            "reconcile": reconcile(),
        }

    def _unlike_plan(self) -> list[str]:
        """Return the keys of transfers that differ from those of the acknowledged operations.

        A missing or an unexpected transfer differs too. The keys of stakes that were both finished
        and canceled are added.
        """
        outcomes = [outcome for part in self.outcomes for outcome in part]
        outcome_of = zip(self.plan, outcomes, strict=True)
        done = [operation for operation, outcome in outcome_of if outcome == self.worker.DONE]
        wanted = dict(made for operation in done for made in operation.transfers.items())
        found = self.checks.transfers(self.database)
        unlike = [key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key)]
        ends = {kind: {o.key for o in done if o.kind == kind} for kind in ("finish", "cancel")}
        return sorted([*unlike, *(ends["finish"] & ends["cancel"])])


def was_killed(number: int, status: int) -> bool:
    """Return whether a signal ended a worker; fail if the worker failed."""
    is_killed = os.WIFSIGNALED(status)
    assert is_killed or status == 0, f"worker {number} ended with {status}"
    return is_killed


def reconcile() -> str:
    """Return the faults that `manage.py reconcile` reports, "" for none."""
    from django.core.management import CommandError, call_command

    output = StringIO()
    try:
        call_command("reconcile", stdout=output, stderr=output)
    except (CommandError, SystemExit) as error:
        return f"{output.getvalue()}\n{error}"
    return ""


def set_up() -> None:
    """Create players with funds, newcomers without, and a staff member."""
    from accounts.models import User
    from accounts.shared.transactions import write_transaction
    from tests.wallet.chaos_plan import FUNDS, NEWCOMERS, PLAYERS, player
    from tests.wallet.chaos_worker import NOW
    from wallet.money import House
    from wallet.services import accounts, transfers

    User.objects.create(username="staff")
    for number in range(PLAYERS + NEWCOMERS):
        user = User.objects.create(username=player(number))
        if number < PLAYERS:
            with write_transaction():
                purchases, account = accounts.house(House.BOUGHT), accounts.of_user(user.pk)
                amounts = {purchases.pk: -FUNDS, account.pk: FUNDS}
                transfers.post(f"funds:{number}", transfers.Cause("funds"), amounts, NOW)


def main(operations: int, kills: int) -> None:
    # Forked processes that are killed must not share a connection pool and its threads.
    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    django.setup()
    from django.db import connections

    set_up()
    connections.close_all()
    run = Run(operations, kills)
    began = time.monotonic()
    run.go()
    seconds = time.monotonic() - began
    run.sweep()
    print(json.dumps({**run.report(), "seconds": round(seconds, 1)}))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
