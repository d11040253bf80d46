"""Fill a large ledger by SQL, and measure the time to read it.

`python -m tests.wallet.million ENTRIES RATIO` fills the empty database of DATABASE_URL, reads it
several times and prints the times as JSON. It measures a reconciliation and, for comparison, a
query that only sums the entries by account. Measuring ends early once the reconciliation takes at
most RATIO times as long as that query.
"""

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import django
from django.db import connection

PLAYERS = 1_000
MIN_RUNS = 7  # least number of measurements
# Greatest number of measurements; on a busy machine only some of them are undisturbed.
MAX_RUNS = 60
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = "SELECT account_id, sum(amount_credits) FROM wallet_entry GROUP BY account_id"
RESERVED = """
SELECT account_id, sum(amount_credits) FROM wallet_hold WHERE state = 'OPEN' GROUP BY account_id
"""
NUMBERS = """
CREATE TEMPORARY TABLE numbers AS WITH RECURSIVE counted(n) AS (
  SELECT CAST(0 AS bigint) UNION ALL SELECT n + 1 FROM counted WHERE n < {last}
) SELECT n FROM counted
"""
# The first transfers fund one player each, the others move credits between two players; every
# fifth of these captured a hold. Account 1 is the house's, the next ones are the players'.
TRANSFER_ROWS = """
INSERT INTO wallet_transfer (id, key, cause, reference, reason, created_at)
SELECT n + 1, 'million:' || n, 'million', '', '', CURRENT_TIMESTAMP FROM numbers
"""
ENTRY_ROWS = f"""
INSERT INTO wallet_entry (transfer_id, account_id, amount_credits)
SELECT n + 1,
  CASE WHEN n < {PLAYERS} THEN 1 ELSE n * 7919 % {PLAYERS} + 2 END,
  CASE WHEN n < {PLAYERS} THEN -1000000 ELSE -(n % 50 + 1) END
FROM numbers
UNION ALL
SELECT n + 1,
  CASE WHEN n < {PLAYERS} THEN n + 2 ELSE (n * 7919 + 1 + n % 998) % {PLAYERS} + 2 END,
  CASE WHEN n < {PLAYERS} THEN 1000000 ELSE n % 50 + 1 END
FROM numbers
"""
HOLD_ROWS = f"""
INSERT INTO wallet_hold (
  key, account_id, amount_credits, cause, reference, state, transfer_id, created_at, resolved_at)
SELECT 'million:' || n, n * 7919 % {PLAYERS} + 2, n % 50 + 1, 'million', '',
  CASE WHEN n % 5 = 0 THEN 'CAPTURED' ELSE 'OPEN' END,
  CASE WHEN n % 5 = 0 THEN n + 1 END,
  CURRENT_TIMESTAMP,
  CASE WHEN n % 5 = 0 THEN CURRENT_TIMESTAMP END
FROM numbers WHERE n >= {PLAYERS} AND (n % 5 = 0 OR n % 1001 = 0)
"""


def fill(entries: int) -> None:
    """Write the ledger with row triggers disabled."""
    from accounts.models import User
    from wallet.models import Account

    is_postgres = connection.vendor == "postgresql"
    if is_postgres:
        run("SET statement_timeout = 0", "SET session_replication_role = replica")
    names = [f"player{number}" for number in range(PLAYERS)]
    users = User.objects.bulk_create(
        User(username=name, email=f"{name}@example.org") for name in names
    )
    Account.objects.create(id=1, kind=Account.Kind.HOUSE, code="bought")
    accounts = Account.objects.bulk_create(
        Account(id=number + 2, kind=Account.Kind.USER, user=user, balance_credits=0)
        for number, user in enumerate(users)
    )
    run(NUMBERS.format(last=entries // 2 - 1), TRANSFER_ROWS, ENTRY_ROWS, HOLD_ROWS)
    balances, reserved = dict(read(PLAIN)), dict(read(RESERVED))
    for account in accounts:
        account.balance_credits = int(balances[account.id])
        account.held_credits = int(reserved.get(account.id, 0))
    Account.objects.bulk_update(accounts, ["balance_credits", "held_credits"])
    if is_postgres:
        run("SET session_replication_role = origin", "VACUUM ANALYZE")
    else:
        run("ANALYZE")


def run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def read(statement: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main(entries: int, enough_ratio: float) -> None:
    django.setup()
    from wallet.reconciliation import reconcile

    fill(entries)
    if connection.vendor == "postgresql":
        # Each query runs on one core, because the number of free cores differs between attempts.
        run("SET max_parallel_workers_per_gather = 0")
    read(PLAIN)  # warm the cache, as on a running site
    plain = reconciled = float("inf")
    for done in range(MAX_RUNS):
        if done >= MIN_RUNS and reconciled <= enough_ratio * plain:
            break
        # The fastest run of each counts, because other work on the machine slows some runs.
        plain = min(plain, timed(lambda: read(PLAIN)))
        reconciled = min(reconciled, timed(reconcile))
    report = reconcile()
    found = {"entries": report.entries, "differences": len(report.differences)}
    print(json.dumps({"plain": plain, "reconcile": reconciled, **found}))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
