"""Databases with the site's tables: migrated once, then copied.

All test processes share a SQLite file in `var` and a template database on the PostgreSQL server.
Their names contain a hash of the migrations, the pinned packages, the list of apps and the Python
version, so that a change of any of them leads to new databases.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "var" / "migrated"


def migrated_file(path: Path) -> str:
    """Create a migrated SQLite database at the path; return its URL."""
    shutil.copyfile(_template_file(), path)
    return f"sqlite:///{path}"


def create_migrated(server: str, name: str) -> str:
    """Create a migrated database on the PostgreSQL server with this URL; return the database's URL.

    The caller drops the database.
    """
    template = template_on(server)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(_sql("CREATE DATABASE {} TEMPLATE {}", name, template))
    return url_of(server, name)


@cache
def template_on(server: str) -> str:
    """Return the name of a migrated database to copy; the first process that asks makes it."""
    name = f"migrated_{_digest()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        if not _exists(connection, name):
            made = f"{name}_{os.getpid()}"
            connection.execute(_sql("DROP DATABASE IF EXISTS {}", made))  # left by a killed process
            connection.execute(_sql("CREATE DATABASE {}", made))
            _migrate(url_of(server, made))
            # Renamed when complete: a process killed before that leaves no half-made template.
            connection.execute(_sql("ALTER DATABASE {} RENAME TO {}", made, name))
    return name


def _exists(connection: psycopg.Connection, name: str) -> bool:
    found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
    return found.fetchone() is not None


def _sql(statement: LiteralString, *names: str) -> sql.Composed:
    return sql.SQL(statement).format(*map(sql.Identifier, names))


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
            path.replace(kept)  # atomic: other test processes look for this file
    return kept


def _digest() -> str:
    """Return a hash of everything on which the migrated database depends."""
    inputs = [*ROOT.glob("*/migrations/*.py"), ROOT / "requirements.txt"]
    total = hashlib.sha256(sys.version.encode() + _apps().encode())
    for path in sorted(inputs):
        total.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _apps() -> str:
    """Return the text of `INSTALLED_APPS`: apps of packages have tables too."""
    text = (ROOT / "config/settings.py").read_text()
    return text.partition("INSTALLED_APPS = [")[2].partition("]")[0]


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
    if postgres := os.environ.get("TEST_POSTGRES_URL"):
        template_on(postgres)
