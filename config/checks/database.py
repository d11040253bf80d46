"""When a process starts, check that its database can be used; if not, say what to do."""

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from accounts.shared.database_threads import own_connection

CONNECT_TIMEOUT_S = 10


def need_migrated() -> None:
    """Raise CommandError if the database cannot be reached or lacks migrations.

    The connection is not of the pool, which waits for ten seconds and hides the cause of an error.
    """
    options = {"connect_timeout": CONNECT_TIMEOUT_S} if connection.vendor == "postgresql" else {}
    own = own_connection(**options)
    try:
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
