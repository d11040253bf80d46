"""Invariants of the ledger, checked by one SQL statement, which reads one snapshot."""

from typing import Any

import psycopg

INVARIANTS = """
WITH sums AS (
  SELECT account_id, sum(amount_credits) AS credits FROM wallet_entry GROUP BY account_id
), open_holds AS (
  SELECT account_id, sum(amount_credits) AS credits FROM wallet_hold
  WHERE state = 'OPEN' GROUP BY account_id
), accounts AS (
  SELECT a.id, a.kind, a.balance_credits AS balance, a.held_credits AS held,
    coalesce(s.credits, 0) AS entered, coalesce(h.credits, 0) AS reserved
  FROM wallet_account a
  LEFT JOIN sums s ON s.account_id = a.id LEFT JOIN open_holds h ON h.account_id = a.id
)
SELECT
  (SELECT coalesce(sum(CASE kind WHEN 'HOUSE' THEN entered ELSE balance END), 0) FROM accounts)
    AS "the sum over all accounts is not zero",
  (SELECT count(*) FROM accounts
    WHERE kind <> 'HOUSE' AND (balance < 0 OR held < 0 OR held > balance))
    AS "accounts below zero",
  (SELECT count(*) FROM accounts WHERE kind <> 'HOUSE' AND balance <> entered)
    AS "accounts unlike their entries",
  (SELECT count(*) FROM accounts WHERE held <> reserved)
    AS "accounts unlike their open holds",
  (SELECT count(*) FROM (
    SELECT FROM wallet_entry GROUP BY transfer_id HAVING sum(amount_credits) <> 0) t)
    AS "transfers that do not balance",
  (SELECT count(*) FROM (SELECT FROM wallet_transfer GROUP BY key HAVING count(*) > 1) t)
    AS "keys used twice",
  (SELECT count(*) FROM (SELECT FROM wallet_hold GROUP BY key HAVING count(*) > 1) t)
    AS "keys of holds used twice",
  (SELECT count(*) FROM wallet_transfer t
    WHERE NOT EXISTS (SELECT FROM wallet_entry e WHERE e.transfer_id = t.id))
    AS "transfers without entries"
"""
OPEN_HOLDS = "SELECT count(*) FROM wallet_hold WHERE state = 'OPEN'"
# Keys and accounts get the names that they have in chaos_plan.py. A reversal is named by the key of
# the transfer that it reverses, welcome credits and a user's account by the login.
ENTRIES = """
SELECT
  CASE
    WHEN r.key IS NOT NULL THEN 'reverse:' || r.key
    WHEN w.username IS NOT NULL THEN 'welcome:' || w.username
    ELSE t.key
  END,
  coalesce(u.username, a.code), e.amount_credits
FROM wallet_entry e JOIN wallet_transfer t ON t.id = e.transfer_id
JOIN wallet_account a ON a.id = e.account_id LEFT JOIN accounts_user u ON u.id = a.user_id
LEFT JOIN wallet_transfer r ON r.id = t.reverses_id
LEFT JOIN accounts_user w ON t.cause = 'welcome' AND t.key = 'welcome:' || w.id
WHERE t.cause <> 'funds'
"""


def broken_invariants(database: psycopg.Connection[Any]) -> list[str]:
    """Return the names of the broken invariants."""
    cursor = database.execute(INVARIANTS)
    assert cursor.description is not None
    row = cursor.fetchone()
    assert row is not None
    named = zip((column.name for column in cursor.description), row, strict=True)
    return [name for name, value in named if value]


def open_holds(database: psycopg.Connection[Any]) -> int:
    row = database.execute(OPEN_HOLDS).fetchone()
    assert row is not None
    return int(row[0])


def transfers(database: psycopg.Connection[Any]) -> dict[str, dict[str, int]]:
    """Return the amounts of the transfers, by key and by account, named as in chaos_plan.py."""
    found: dict[str, dict[str, int]] = {}
    for key, account, credits in database.execute(ENTRIES):
        found.setdefault(key, {})[account] = credits
    return found
