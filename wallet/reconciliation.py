"""Check every transfer, balance and hold of the ledger against the others.

One SQL statement reads one snapshot, so concurrent writers cause no false alarm. The statement is
the same for PostgreSQL and SQLite, and all sums are exact.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db import connection, transaction

from wallet import causes
from wallet.models import Account, Transfer

# From this number of transfers on, the ledger is read in slices, which PostgreSQL runs in parallel.
SLICED_FROM = 50_000
SLICES = 4  # parts of the transfers, by id

# `_sliced` replaces {transfer_id} and {e.transfer_id} by the bounds of a slice.
# Of a slice: the number of transfers that have entries, and of those whose entries do not sum to 0.
WRITTEN = """
    SELECT count(*) AS written, count(CASE WHEN total <> 0 THEN 1 END) AS unbalanced,
        CAST(0 AS bigint) AS differing
    FROM (
        SELECT sum(amount_credits) AS total FROM wallet_entry
        WHERE {transfer_id} GROUP BY transfer_id
    ) s
"""
# Of a slice: accounts and transfers whose captured holds differ from their entry.
DIFFERING = """
    SELECT h.account_id, h.transfer_id, h.total, coalesce(-e.amount_credits, 0) FROM (
        SELECT transfer_id, account_id, sum(amount_credits) AS total FROM wallet_hold
        WHERE transfer_id IS NOT NULL AND {transfer_id} GROUP BY transfer_id, account_id
    ) h
    LEFT JOIN wallet_entry e ON e.transfer_id = h.transfer_id AND e.account_id = h.account_id
        AND {e.transfer_id}
    WHERE h.total <> coalesce(-e.amount_credits, 0)
"""
# The number of these differences, in the columns of WRITTEN.
CAPTURED = f"""
    SELECT CAST(0 AS bigint), CAST(0 AS bigint), count(*) FROM ({DIFFERING}) d
"""
# The sums that the checks use, and a first row with the numbers of rows in the ledger.
SUMS = """
WITH account_sums AS (
    SELECT account_id, sum(amount_credits) AS total, count(*) AS entries
    FROM wallet_entry GROUP BY account_id
), counts AS (
    SELECT sum(written) AS written, sum(unbalanced) AS unbalanced, sum(differing) AS differing,
        (SELECT count(*) FROM wallet_transfer) AS transfers
    FROM ({parts}) parts
)
SELECT '' AS fault, (SELECT count(*) FROM wallet_account) AS account_id,
    (SELECT transfers FROM counts) AS transfer_id,
    (SELECT sum(entries) FROM account_sums) AS expected, CAST(NULL AS bigint) AS found
"""
# Both sums of this fault change as the account is used, so `Difference.identity` omits their gap.
MOVING = "holds more than there is"
# Each check selects account_id, transfer_id, expected and found of its faults. The first three run
# only if `counts` has found a fault: listing the rows costs as much as counting them.
CHECKS = {
    "entries do not sum to zero": """
        SELECT NULL, transfer_id, 0, sum(amount_credits) FROM wallet_entry
        WHERE (SELECT unbalanced FROM counts) <> 0
        GROUP BY transfer_id HAVING sum(amount_credits) <> 0
    """,
    "no entries": """
        SELECT NULL, t.id, NULL, 0 FROM wallet_transfer t
        WHERE (SELECT written <> transfers FROM counts)
        AND NOT EXISTS (SELECT 1 FROM wallet_entry e WHERE e.transfer_id = t.id)
    """,
    "captured holds differ from the entry": f"""
        {DIFFERING} AND (SELECT differing FROM counts) <> 0
    """,
    "not the opposite of what it reverses": """
        SELECT NULL, t.id, NULL, t.reverses_id FROM wallet_transfer t
        WHERE t.reverses_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM wallet_entry e WHERE e.transfer_id IN (t.id, t.reverses_id)
            GROUP BY e.account_id HAVING sum(e.amount_credits) <> 0
        )
    """,
    "balance differs from the entries": """
        SELECT a.id, NULL, coalesce(s.total, 0), a.balance_credits FROM wallet_account a
        LEFT JOIN account_sums s ON s.account_id = a.id
        WHERE a.kind <> 'HOUSE' AND (
            a.balance_credits IS NULL OR a.balance_credits <> coalesce(s.total, 0)
        )
    """,
    "given credits differ from the gifts": """
        SELECT a.id, NULL, coalesce(g.total, 0), a.given_credits FROM wallet_account a
        LEFT JOIN (
            SELECT e.account_id, sum(e.amount_credits) AS total FROM wallet_transfer t
            JOIN wallet_entry e ON e.transfer_id = t.id
            WHERE t.cause IN ({gifts}) GROUP BY e.account_id
        ) g ON g.account_id = a.id
        WHERE a.kind <> 'HOUSE' AND a.given_credits <> coalesce(g.total, 0)
    """,
    "held differs from the open holds": """
        SELECT a.id, NULL, coalesce(h.total, 0), a.held_credits FROM wallet_account a
        LEFT JOIN (
            SELECT account_id, sum(amount_credits) AS total FROM wallet_hold
            WHERE state = 'OPEN' GROUP BY account_id
        ) h ON h.account_id = a.id
        WHERE a.held_credits <> coalesce(h.total, 0)
    """,
    "below zero": """
        SELECT a.id, NULL, NULL, a.balance_credits FROM wallet_account a
        WHERE a.kind <> 'HOUSE' AND (a.balance_credits < 0 OR a.held_credits < 0)
    """,
    MOVING: """
        SELECT a.id, NULL, a.balance_credits, a.held_credits FROM wallet_account a
        WHERE a.kind <> 'HOUSE' AND a.held_credits > a.balance_credits
    """,
    "the house keeps a balance": """
        SELECT a.id, NULL, NULL, a.balance_credits FROM wallet_account a
        WHERE a.kind = 'HOUSE' AND a.balance_credits IS NOT NULL
    """,
    "all entries do not sum to zero": """
        SELECT NULL, NULL, 0, total FROM (SELECT sum(total) AS total FROM account_sums) s
        WHERE total <> 0
    """,
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One fault of an account, a transfer, or both."""

    fault: str
    account_id: int | None
    account: str
    transfer_id: int | None
    transfer: str
    expected: int | None
    found: int | None

    @property
    def identity(self) -> str:
        """Return a text that stays the same while the account is used, unlike the two sums."""
        has_gap = self.fault != MOVING and None not in (self.expected, self.found)
        gap = (self.found or 0) - (self.expected or 0) if has_gap else None
        return f"{self.fault}/{self.account_id}/{self.transfer_id}/{gap}"

    def __str__(self) -> str:
        rows = [("transfer", self.transfer_id, self.transfer)]
        rows.append(("account", self.account_id, self.account))
        where = ", ".join(f"{kind} {id} ({name})" for kind, id, name in rows if id is not None)
        what = f"{where or 'ledger'}: {self.fault}"
        return what if self.expected is None else f"{what}: {self.found}, not {self.expected}"


@dataclass(frozen=True, slots=True)
class Report:
    """The number of rows checked, and every difference found."""

    accounts: int
    transfers: int
    entries: int
    differences: list[Difference]


def reconcile() -> Report:
    """Check the whole ledger; write nothing."""
    newest = Transfer.objects.order_by("-id").values_list("id", flat=True).first() or 0
    with _planned(), connection.cursor() as cursor:
        cursor.execute(_statement(newest))
        rows = [(row[0], *map(_whole, row[1:])) for row in cursor.fetchall()]
    (_, accounts, transfers, entries, _), *wrong = sorted(rows, key=_sort_key)
    return Report(accounts or 0, transfers or 0, entries or 0, _differences(wrong))


def _statement(newest: int) -> str:
    """Return the whole SQL statement. Slices only make it faster: they cover all transfers."""
    slices = SLICES if newest >= SLICED_FROM else 1
    bounds = [None, *(newest * i // slices for i in range(1, slices)), None]
    parts = [_sliced(part, *pair) for part in (WRITTEN, CAPTURED) for pair in pairwise(bounds)]
    checks = [
        _sliced(check, None, None).replace("SELECT", f"SELECT '{fault}',", 1)
        for fault, check in CHECKS.items()
    ]
    gifts = ", ".join(f"'{code}'" for code in causes.codes_of(causes.GIFTS))
    statement = " UNION ALL ".join([SUMS.format(parts=" UNION ALL ".join(parts)), *checks])
    return statement.replace("{gifts}", gifts)


def _sliced(part: str, after: int | None, last: int | None) -> str:
    for column in ("transfer_id", "e.transfer_id"):
        limits = [f"{column} > {after}"] if after is not None else []
        limits += [f"{column} <= {last}"] if last is not None else []
        part = part.replace(f"{{{column}}}", " AND ".join(limits) or "1 = 1")
    return part


@contextmanager
def _planned() -> Iterator[None]:
    """Apply planner settings for full-table reads; roll them and the transaction back.

    They make PostgreSQL join in index order, since hashing a million rows, or JIT compilation,
    takes longer. SQLite gets no transaction, because it would block the writers.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL jit = off")
            cursor.execute("SET LOCAL enable_hashjoin = off")
            cursor.execute("SET LOCAL statement_timeout = 0")
        yield
        transaction.set_rollback(True)


def _sort_key(row: tuple[Any, ...]) -> tuple[int, int, int]:
    """Return a sort key: the totals first, then by fault. Databases return rows in any order."""
    fault, account_id, transfer_id, *_ = row
    return ["", *CHECKS].index(fault), account_id or 0, transfer_id or 0


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def _differences(wrong: list[tuple[Any, ...]]) -> list[Difference]:
    accounts = Account.objects.in_bulk({row[1] for row in wrong} - {None})
    transfers = Transfer.objects.in_bulk({row[2] for row in wrong} - {None})
    return [
        Difference(
            fault,
            account_id,
            str(accounts.get(account_id, "")),
            transfer_id,
            str(transfers.get(transfer_id, "")),
            expected,
            found,
        )
        for fault, account_id, transfer_id, expected, found in wrong
    ]
