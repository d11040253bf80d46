"""A worker of the chaos run, which repeats each of its operations until it is acknowledged.

The run kills workers at any moment and restarts them. `CHAOS_SABOTAGE` (read here and nowhere else)
breaks one of the services' guarantees, to prove that the checks of the run detect the fault.
"""

import functools
import os
import signal
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import OperationalError, connection

from accounts.models import User
from accounts.shared.transactions import write_transaction
from tests.wallet.chaos_plan import Operation, Plan, player
from wallet import broadcast
from wallet.errors import HoldResolved, InsufficientFunds
from wallet.models import Account, Entry, Hold, Transfer
from wallet.money import House
from wallet.services import accounts, corrections, holds, transfers, welcome
from wallet.services.transfers import Cause

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WAITING, DONE, REFUSED, BROKEN = range(4)
PATIENCE_S = 2  # seconds to wait for a rival, which may have been killed
WINDOW_S = 0.004  # seconds that a sabotaged service waits between its steps
# If commits are sabotaged, a worker kills itself at each transfer whose id is a multiple of this.
DIES_EACH = 20


class TargetMissing(Exception):
    """The stake to end, or the payment to reverse, was refused or is not made yet."""


class Worker:
    """`outcomes` has a byte for each operation of each worker, in memory that outlives workers."""

    def __init__(self, plan: Plan, number: int, outcomes: list[memoryview], notes: int) -> None:
        self.operations = plan.by_worker[number]
        self.outcomes = outcomes
        self.own = outcomes[number]
        self.notes = notes  # descriptor of a file to which all workers append
        users = User.objects.in_bulk(field_name="username")
        self.user_ids = {name: user.pk for name, user in users.items()}
        found = Account.objects.filter(user__isnull=False).values_list("user__username", "id")
        self.account_ids = dict(found)
        self.staff_id = self.user_ids["staff"]

    def work(self) -> None:
        left = [i for i, outcome in enumerate(self.own) if outcome == WAITING]
        for i in left:
            self._meet(i, self.operations[i].meets)
            self.own[i] = self._try(self.operations[i])

    def _meet(self, i: int, rival: int | None) -> None:
        """Wait until the rival has reached its operation at the same index."""
        end = time.monotonic() + PATIENCE_S
        while rival is not None and self.outcomes[rival][i - 1] == WAITING:
            if i == 0 or time.monotonic() > end:
                return
            time.sleep(0.0005)

    def _try(self, operation: Operation) -> int:
        while True:
            try:
                first = self._do(operation)
                if operation.repeats and self._do(operation) != first:
                    return self._note_broken(operation, "a repeat was answered otherwise")
            except (InsufficientFunds, HoldResolved, TargetMissing):
                return REFUSED
            except OperationalError as error:  # a deadlock or a lock timeout
                self._note(f"retried {operation.kind}: {error}")
            except Exception as error:
                return self._note_broken(operation, repr(error))
            else:
                return DONE

    def _note_broken(self, operation: Operation, fault: str) -> int:
        self._note(f"broken {operation.kind} {operation.key}: {fault}")
        return BROKEN

    def _note(self, text: str) -> None:
        os.write(self.notes, (" ".join(text.split())[:400] + "\n").encode())

    def _do(self, operation: Operation) -> list[int]:
        """Do the operation; return the ids of the created or released rows, equal on a repeat."""
        do: Callable[[Operation], Iterable[Transfer | Hold]] = getattr(self, f"_{operation.kind}")
        with write_transaction():
            return [made.pk for made in do(operation)]

    def _pay(self, operation: Operation) -> Iterable[Transfer]:
        (key, amounts) = next(iter(operation.transfers.items()))
        yield transfers.post(key, Cause("move"), self._by_id(amounts), NOW)

    def _stake(self, operation: Operation) -> Iterable[Hold]:
        # By ascending account, as in every transaction that locks several accounts.
        wanted = sorted((self.account_ids[name], key) for name, key in operation.holds.items())
        for account_id, key in wanted:
            cause = Cause("stake", operation.key)
            yield holds.open(key, account_id, operation.credits, cause, NOW)

    def _finish(self, operation: Operation) -> Iterable[Transfer]:
        pot, rake = accounts.pot(operation.pot), accounts.house(House.RAKE)
        ids = [hold.pk for hold in self._holds_of(operation)]
        (settle, _), (payout, amounts) = operation.transfers.items()
        yield holds.capture(ids, pot.pk, settle, Cause("settle", operation.key), NOW)
        by_id = self._by_id(amounts, {operation.pot: pot.pk, "rake": rake.pk})
        yield transfers.post(payout, Cause("payout", operation.key), by_id, NOW)

    def _cancel(self, operation: Operation) -> Iterable[Hold]:
        for hold in sorted(self._holds_of(operation), key=lambda hold: hold.account_id):
            yield holds.release(hold.pk, NOW)

    def _welcome(self, operation: Operation) -> Iterable[Transfer]:
        given = welcome.give(self.user_ids[player(operation.players[0])], NOW)
        assert given is not None
        yield given

    def _correct(self, operation: Operation) -> Iterable[Transfer]:
        account_id = self.account_ids[player(operation.players[0])]
        yield corrections.correct(
            operation.key, account_id, operation.credits, "Chaos.", self.staff_id, NOW
        )

    def _reverse(self, operation: Operation) -> Iterable[Transfer]:
        move = Transfer.objects.filter(key=operation.key).first()
        if move is None:
            raise TargetMissing
        yield corrections.reverse(move.pk, "Chaos.", self.staff_id, NOW)

    def _holds_of(self, operation: Operation) -> list[Hold]:
        found = list(Hold.objects.filter(key__in=operation.holds.values()))
        if not found:
            raise TargetMissing
        assert len(found) == 2, "only one hold of a stake"
        return found

    def _by_id(self, amounts: dict[str, int], more: dict[str, int] | None = None) -> dict[int, int]:
        ids = {**self.account_ids, **(more or {})}
        return {ids[name]: credits for name, credits in amounts.items()}


def run(plan: Plan, number: int, outcomes: list[memoryview], notes: int) -> None:
    """Run one worker process; never return."""
    status = 1
    broadcast.nudge = lambda *news: None  # no page is open here, and sending takes time
    try:
        sabotage(os.environ.get("CHAOS_SABOTAGE", ""))
        Worker(plan, number, outcomes, notes).work()
        status = 0
    finally:
        os._exit(status)


# --- Sabotage --------------------------------------------------------------------------------


def sabotage(name: str) -> None:
    {"": lambda: None, "locks": _no_locks, "commits": _two_commits, "keys": _no_keys}[name]()


def _no_locks() -> None:
    """Let services read accounts without locks, and decide a moment later."""

    def lock(account_ids: Iterable[int]) -> dict[int, Account]:
        found = Account.objects.in_bulk(set(account_ids))
        time.sleep(WINDOW_S)
        return found

    for module in (transfers, holds, welcome, corrections):
        module.lock = lock  # type: ignore[attr-defined]


def _two_commits() -> None:
    """Commit the entries before the balances are written.

    A kill from outside rarely falls between the two commits, and after the second one the books are
    right again, so some workers kill themselves between the commits. The restarted worker goes on,
    because its repeat finds the transfer.
    """
    bulk_create = Entry.objects.bulk_create

    @functools.wraps(bulk_create)
    def create_and_commit(*args: Any, **kwargs: Any) -> Any:
        made = bulk_create(*args, **kwargs)
        connection.connection.commit()  # behind Django's back
        if made[0].transfer_id % DIES_EACH == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(WINDOW_S)
        return made

    Entry.objects.bulk_create = create_and_commit  # type: ignore[method-assign]


def _no_keys() -> None:
    """Do not check whether the key was used before."""

    def find_nothing(*args: Any, **kwargs: Any) -> None:
        return None

    transfers.find_same = find_nothing  # type: ignore[assignment]
    holds._find_same = find_nothing  # type: ignore[assignment]
