"""`manage.py migrate` lifts the statement timeout: indexing a large table takes minutes."""

from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

# SQLite has no time limit for a statement.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"

pytestmark = pytest.mark.django_db


def limit() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        found: str = cursor.fetchone()[0]
    return found


def test_statements_of_a_migration_have_no_limit_and_later_ones_have_theirs_again() -> None:
    before, during = limit(), []

    def note(**_options: Any) -> None:
        during.append(limit())

    pre_migrate.connect(note)
    try:
        call_command("migrate", "--verbosity=0")
    finally:
        pre_migrate.disconnect(note)
    assert (set(during), limit()) == ({"0"}, before)
    assert before != "0"
