"""When a process starts, check that its database can be used; if not, say what to do."""

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from accounts.shared.database_threads import own_connection

CONNECT_TIMEOUT_S = 10


def need_migrated() -> None:
    """Raise CommandError if the database cannot be reached, is not in UTF-8 or lacks migrations.

    Use a connection outside the pool, which would wait for ten seconds and hide the cause of an
    error.
    """
    options = {"connect_timeout": CONNECT_TIMEOUT_S} if connection.vendor == "postgresql" else {}
    own = own_connection(**options)
    try:
        need_utf8(own)
        executor = MigrationExecutor(own)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"DATABASE_URL: {str(error).strip()}") from error
    finally:
        own.close()
    if missing:
        raise CommandError(
            f"The database lacks migrations ({len(missing)})."
            " Run `manage.py migrate`, then start again."
        )


def need_utf8(own: BaseDatabaseWrapper) -> None:
    """Raise CommandError for a PostgreSQL database that cannot store every letter.

    A server that was installed without a locale makes databases in SQL_ASCII. Such a database
    counts the bytes of a text, and refuses JSON that has letters of Russian and Turkish.
    """
    if own.vendor != "postgresql":
        return
    with own.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        [encoding] = cursor.fetchone()
    if encoding != "UTF8":
        raise CommandError(
            f"DATABASE_URL: the database is in {encoding}, and the site needs UTF8. Make it again,"
            " as config/README.md does."
        )
