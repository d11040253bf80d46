"""`manage.py migrate`: Django's command, whose statements may take longer than those of a page."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from config.checks.database import need_utf8


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        need_utf8(connection)
        # An index of a large table takes minutes. `lock_timeout` stays, since players wait behind a
        # migration that waits for a lock.
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
        try:
            super().handle(*args, **options)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET statement_timeout")
