"""Temporary PostgreSQL databases for tests that run processes or need a million rows.

The server is that of TEST_POSTGRES_URL (.ci/run starts it), or of DATABASE_URL.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from tests.support.migrated import template_on

ROOT = Path(__file__).parents[2]
PATIENCE_S = 900  # more than in tests/support/patience.py: for a whole chaos run


def server_url() -> str:
    for name in ("TEST_POSTGRES_URL", "DATABASE_URL"):
        url = os.environ.get(name, "")
        if url.startswith("postgres"):
            return url
    pytest.skip("needs PostgreSQL: set TEST_POSTGRES_URL")


@contextmanager
def new_database(name: str, template: str = "template1") -> Iterator[str]:
    """Yield the URL of a database; drop it afterwards, even with open connections."""
    server = server_url()
    name = f"{name}_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


@contextmanager
def migrated_database(name: str) -> Iterator[str]:
    with new_database(name, template=template_on(server_url())) as url:
        yield url


def name_of(url: str) -> str:
    return urlsplit(url).path[1:]


STRIP = """
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
    WHERE conrelid::regclass::text LIKE 'wallet\\_%'
    AND (contype = 'c' OR conname LIKE '%\\_key\\_key')
  LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.name, found.conname); END LOOP;
  FOR found IN SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relname LIKE 'wallet\\_%'
  LOOP EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', found.name); END LOOP;
END $$
"""


def strip(url: str) -> None:
    """Remove the database's own guards: checks, unique keys, triggers of the ledger."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(STRIP)


def faults(report: dict[str, Any]) -> list[str]:
    """Return a sentence for every fault in a report."""
    found = [*report["broken"], *report["unlike_plan"], *report["broken_invariants"]]
    found += [text for text in report["retried"] if "deadlock" in text]
    if report["self_killed"]:
        found.append(f"{report['self_killed']} workers died that the run did not kill")
    if report["open_holds"]:
        found.append(f"{report['open_holds']} holds are open after the sweep")
    if report["reconcile"]:
        found.append(f"reconcile: {report['reconcile']}")
    return found


def run_chaos(url: str, operations: int, kills: int, sabotage: str = "") -> dict[str, Any]:
    """Return the report of a chaos run over this database; `sabotage` as in chaos_worker.py."""
    arguments = ("-m", "tests.wallet.chaos_run", str(operations), str(kills))
    done = run_python(*arguments, url=url, CHAOS_SABOTAGE=sabotage)
    report: dict[str, Any] = json.loads(done.splitlines()[-1])
    return report


def run_python(*arguments: str, url: str, status: int = 0, **variables: str) -> str:
    """Return the output; include stderr if an exit status other than 0 is expected."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={
            **{name: value for name, value in os.environ.items() if "PYTEST" not in name},
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "only-for-this-test" * 4,
            "DEMO": "1",
            "REDIS_URL": "",
            "LOG_LEVEL": "WARNING",
            "WELCOME_CREDITS": "1000",
            "DATABASE_URL": url,
            **variables,
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stderr + done.stdout if status else done.stdout
