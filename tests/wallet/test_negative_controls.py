"""The chaos run with one promise of the services broken: the run must notice each.

Once more with all that the database itself refuses taken away, so that it is seen what the
services do, and not only that constraints and triggers are there to catch it.
"""

import pytest

from tests.wallet.chaos_database import (
    faults,
    migrated_database,
    name_of,
    new_database,
    run_chaos,
    strip,
)

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

OPERATIONS, KILLS = 800, 6


@pytest.fixture(scope="module")
def template():
    with migrated_database("controls") as url:
        yield name_of(url)


@pytest.fixture
def database(template):
    with new_database("control", template) as url:
        yield url


@pytest.fixture
def bare_database(database):
    strip(database)
    return database


def test_the_services_alone_keep_the_ledger_right(bare_database):
    assert faults(run_chaos(bare_database, OPERATIONS, KILLS)) == []


def test_without_locks_the_database_must_refuse_what_the_services_let_through(database):
    report = run_chaos(database, OPERATIONS, KILLS, sabotage="locks")
    assert any("IntegrityError" in text for text in report["broken"])


def test_without_locks_and_constraints_more_is_spent_than_there_is(bare_database):
    report = run_chaos(bare_database, OPERATIONS, KILLS, sabotage="locks")
    assert {"accounts below zero", "accounts unlike their open holds"} & report["seen"].keys()
    assert report["reconcile"]


@pytest.mark.parametrize("kind", ["database", "bare_database"])
def test_with_two_commits_the_balances_leave_the_entries(kind, request):
    report = run_chaos(request.getfixturevalue(kind), OPERATIONS, KILLS, sabotage="commits")
    assert report["self_killed"]
    assert "accounts unlike their entries" in report["seen"]
    assert report["reconcile"]


def test_without_the_key_check_a_repeat_is_refused_instead_of_answered(database):
    report = run_chaos(database, OPERATIONS, KILLS, sabotage="keys")
    assert any("KeyReused" in text for text in report["broken"])


def test_without_the_key_check_and_unique_keys_things_happen_twice(bare_database):
    report = run_chaos(bare_database, OPERATIONS, KILLS, sabotage="keys")
    assert "keys used twice" in report["seen"]
    assert any("a repeat was answered otherwise" in text for text in report["broken"])
