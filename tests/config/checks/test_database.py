"""At its start a process refuses a database that it cannot use, and says what to do."""

from contextlib import nullcontext
from unittest.mock import MagicMock

import pytest
from django.core.management.base import CommandError
from django.db import connection

from config.checks.database import need_migrated, need_utf8
from tests.config.test_settings import PRODUCTION, python


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_migrated_database_is_accepted() -> None:
    need_migrated()


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_missing_migration_is_reported_with_the_command_to_run() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, app FROM django_migrations ORDER BY id DESC LIMIT 1")
        newest, app = cursor.fetchone()
        rename = "UPDATE django_migrations SET app = %s WHERE id = %s"
        cursor.execute(rename, ["missing", newest])
    try:
        with pytest.raises(CommandError, match=r"lacks migrations \(\d+\).*manage.py migrate"):
            need_migrated()
    finally:
        with connection.cursor() as cursor:
            cursor.execute(rename, [app, newest])


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_an_unreachable_database_is_reported_with_its_cause(monkeypatch, tmp_path) -> None:
    is_file = connection.vendor == "sqlite"
    missing = {"NAME": str(tmp_path / "none" / "x.sqlite3")} if is_file else {"PORT": "1"}
    with monkeypatch.context() as patched:
        for name, value in missing.items():
            patched.setitem(connection.settings_dict, name, value)
        cause = r"DATABASE_URL: (unable to open|connection failed)"
        with pytest.raises(CommandError, match=cause):
            need_migrated()


@pytest.mark.parametrize(("encoding", "is_refused"), [("SQL_ASCII", True), ("UTF8", False)])
def test_only_a_database_in_utf_8_is_accepted(encoding: str, is_refused: bool) -> None:
    """A database in SQL_ASCII counts a Russian letter as two, and refuses JSON that has one."""
    own = MagicMock(vendor="postgresql")
    own.cursor.return_value.__enter__.return_value.fetchone.return_value = (encoding,)
    with pytest.raises(CommandError, match=encoding) if is_refused else nullcontext():
        need_utf8(own)


def test_serve_and_worker_name_the_command_for_an_empty_database(tmp_path) -> None:
    env = PRODUCTION | {"DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    for command in (("serve", "--port", "0"), ("worker",)):
        answer = python("manage.py", *command, env=env)
        assert answer.returncode == 1
        assert "Run `manage.py migrate`, then start again." in answer.stderr
