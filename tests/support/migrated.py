"""Databases with the site's tables: migrated once, then copied.

A SQLite file is kept in `var` until a migration or a pinned package changes; a template on
PostgreSQL belongs to one test process.
"""

import atexit
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "var" / "migrated"


def migrated_file(path: Path) -> str:
    """Make a SQLite database at the path; return its URL."""
    shutil.copyfile(_template_file(), path)
    return f"sqlite:///{path}"


def create_migrated(server: str, name: str) -> str:
    """Make a database on a PostgreSQL server; return its URL. The caller drops it."""
    template = sql.Identifier(template_on(server))
    with psycopg.connect(server, autocommit=True) as connection:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(statement.format(sql.Identifier(name), template))
    return url_of(server, name)


@cache
def template_on(server: str) -> str:
    """Return the name of a migrated template database, dropped when this process ends."""
    name = f"migrated_{os.getpid()}"
    _execute(server, f"CREATE DATABASE {name}")
    atexit.register(_execute, server, f"DROP DATABASE {name} WITH (FORCE)")
    _migrate(url_of(server, name))
    return name


def url_of(server: str, name: str) -> str:
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


@cache
def _template_file() -> Path:
    kept = KEPT / f"{_digest()}.sqlite3"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            path = Path(folder) / "site.sqlite3"
            _migrate(f"sqlite:///{path}")
            path.replace(kept)  # in one step: other test processes look for it
    return kept


def _digest() -> str:
    """Return a hash of what decides the tables and the rows that migrations write."""
    inputs = [*ROOT.glob("*/migrations/*.py"), ROOT / "requirements.txt"]
    total = hashlib.sha256(sys.version.encode())
    for path in sorted(inputs):
        total.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _execute(server: str, statement: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def _migrate(url: str) -> None:
    added = {
        "SECRET_KEY": "only-for-this-test" * 4,
        "DEMO": "1",
        "REDIS_URL": "",
        "DATABASE_URL": url,
    }
    kept = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0", "--skip-checks"]
    subprocess.run(command, cwd=ROOT, env={**kept, **added}, check=True, timeout=PATIENCE_S)


if __name__ == "__main__":
    _template_file()
