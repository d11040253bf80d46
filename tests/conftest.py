"""Fixtures for every test, and the rule that no test may be skipped in CI."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.patience import be_patient

# No deadline: the time of an example depends on the load of the machine. Derandomized: every run
# has the same examples.
settings.register_profile("site", deadline=None, derandomize=True)
settings.load_profile("site")

IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")


@pytest.fixture(autouse=True)
def _empty_cache():
    """Clear the cache: limits and cached pages must not leak from test to test.

    Clear it after the test too: the next module's fixtures run before this fixture does. Set the
    menu's count of tournaments, as it usually is set in production: otherwise some pages would need
    one more query.
    """
    from django.core.cache import caches

    from tournaments.selectors import RUNNING_KEY

    def clear():
        for name in ("default", "pages"):
            caches[name].clear()
        caches["pages"].set(RUNNING_KEY, 0, timeout=None)

    clear()
    yield
    clear()


@pytest.fixture(autouse=True)
def _own_clock():
    """Forget the lead of the database's clock, which a stall during its measurement distorts."""
    from accounts.shared.database_clock import CLOCK

    yield
    CLOCK.forget()


@pytest.fixture
def boss(client):
    """Create a superuser and sign them in with `client`."""
    from tests.accounts.factories import sign_in, staff

    boss = staff("bossy")
    sign_in(client, boss)
    return boss


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Close other connections at the end: PostgreSQL does not drop a database in use."""
    yield
    from django.db import connection

    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


# Tables that are not emptied: no test changes them, and refilling them takes a hundred queries.
UNTOUCHED_TABLES = {"django_content_type", "auth_permission", "django_migrations"}
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}


def empty_tables(case):
    """Delete the rows that a test has committed.

    Django would truncate every table, which takes PostgreSQL half a second although nearly all are
    empty. In the replica role PostgreSQL skips foreign keys and the ledger's triggers.
    """
    from django.db import connection, transaction

    names = set(connection.introspection.table_names()) - UNTOUCHED_TABLES
    filled_tables = " UNION ALL ".join(
        f"SELECT '{n}' WHERE EXISTS (SELECT 1 FROM {n})" for n in names
    )
    in_any_order = connection.constraint_checks_disabled()
    with in_any_order, transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(filled_tables)
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {name}")


def copy_migrated_tables():
    """Let a test database begin as a copy of a migrated one, so that `migrate` has no work."""
    from django.db.backends.postgresql.creation import DatabaseCreation as OnPostgres
    from django.db.backends.sqlite3.creation import DatabaseCreation as OnSqlite

    from tests.support.migrated import migrated_file, template_on

    create, suffix = OnSqlite._create_test_db, OnPostgres.sql_table_creation_suffix

    def create_filled(self, *arguments, **options):
        name = create(self, *arguments, **options)
        migrated_file(Path(name))
        return name

    def suffix_with_template(self):
        self.connection.settings_dict["TEST"]["TEMPLATE"] = template_on(os.environ["DATABASE_URL"])
        return suffix(self)

    OnSqlite._create_test_db = create_filled
    OnPostgres.sql_table_creation_suffix = suffix_with_template


def ask_nobody_for_their_age():
    """Let members stake without confirming their age; tests of this check set `MINIMUM_AGE`.

    Servers and workers that a test starts read the setting from the environment.
    """
    from django.conf import settings

    settings.MINIMUM_AGE = 0
    os.environ["MINIMUM_AGE"] = "0"


def ask_nobody_to_accept_the_terms():
    """Let in members who have accepted no terms; tests of this check turn the setting on."""
    from django.conf import settings

    settings.ASK_TO_ACCEPT_TERMS = False
    os.environ["ASK_TO_ACCEPT_TERMS"] = "0"


def make_static_root():
    """Make the folder of collected static files: without it every request causes a warning."""
    from django.conf import settings

    Path(settings.STATIC_ROOT).mkdir(exist_ok=True)


def pytest_configure(config):
    from django.test import TransactionTestCase

    from tests.support.static_scan import scan_static_files_once

    config.addinivalue_line("markers", "broken_books: breaks the ledger on purpose")
    config.addinivalue_line("markers", "database: has to do with the site's database or Redis")
    TransactionTestCase._fixture_teardown = empty_tables
    make_static_root()
    copy_migrated_tables()
    scan_static_files_once()
    be_patient()
    ask_nobody_for_their_age()
    ask_nobody_to_accept_the_terms()


def commits(item):
    """Return whether the test commits what it writes, instead of rolling it back."""
    marker = item.get_closest_marker("django_db")
    is_marked = marker is not None and bool(marker.kwargs.get("transaction"))
    return is_marked or bool({"transactional_db", "live_server"} & set(item.fixturenames))


@pytest.fixture(autouse=True)
def _own_language():
    """Deactivate the language that a request of the test client has left active in the thread."""
    from django.utils import translation

    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _books_balance(request):
    """Reconcile the ledger after every test that commits, unless it is marked `broken_books`."""
    if not commits(request.node):
        yield
        return
    # Set up first, so that the check below runs before the tables are emptied.
    request.getfixturevalue("transactional_db")
    yield
    if not request.node.get_closest_marker("broken_books"):
        from wallet.reconciliation import reconcile

        wrong = reconcile().differences
        assert not wrong, "the ledger does not add up:\n" + "\n".join(map(str, wrong))


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items):
    """Mark tests that open the database, and check their markers.

    In a run with PostgreSQL these tests run on it, except `portable` ones (pages, forms, texts),
    which run on SQLite; those marked `both` run on each. A test that commits cannot be `portable`:
    locks, constraints checked at the commit, other connections and sockets differ between
    databases.
    """
    for item in items:
        if commits(item) and item.get_closest_marker("portable"):
            raise pytest.UsageError(f"{item.nodeid} commits: it is not portable")
        if item.get_closest_marker("both") and item.get_closest_marker("portable"):
            raise pytest.UsageError(f"{item.nodeid} cannot be portable and on both databases")
        if item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(item.fixturenames):
            item.add_marker(pytest.mark.database)
    # Files with slow tests run first, so that at the end the other processes need not wait for one.
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish():
    """Exempt modules and collected tests, which are never freed, from garbage collection."""
    gc.collect()
    gc.freeze()


def _refuse_skip(report):
    """Report a skipped test as failed in CI."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Skipped, which CI does not allow: {why}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _refuse_skip(report)
    return report
