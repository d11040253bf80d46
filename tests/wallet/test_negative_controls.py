"""The chaos run detects each guarantee of the services that is broken on purpose.

The run is repeated without constraints and triggers, to show what the services alone guarantee.
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

# Even with 400 operations and 3 kills, nearly every test finds its fault.
OPERATIONS, KILLS = 500, 4


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


def test_without_locks_the_database_refuses_overspending(database):
    report = run_chaos(database, OPERATIONS, KILLS, sabotage="locks")
    assert any("IntegrityError" in text for text in report["broken"])


def test_without_locks_and_constraints_credits_are_overspent(bare_database):
    report = run_chaos(bare_database, OPERATIONS, KILLS, sabotage="locks")
    assert {"accounts below zero", "accounts unlike their open holds"} & report[
        "broken_invariants"
    ].keys()
    assert report["reconcile"]


@pytest.mark.parametrize("kind", ["database", "bare_database"])
def test_with_two_commits_balances_and_entries_disagree(kind, request):
    report = run_chaos(request.getfixturevalue(kind), OPERATIONS, KILLS, sabotage="commits")
    assert report["self_killed"]
    assert "accounts unlike their entries" in report["broken_invariants"]
    assert report["reconcile"]


def test_without_the_key_check_a_repeat_is_refused_instead_of_answered(database):
    report = run_chaos(database, OPERATIONS, KILLS, sabotage="keys")
    assert any("KeyReused" in text for text in report["broken"])


def test_without_the_key_check_and_unique_keys_events_happen_twice(bare_database):
    report = run_chaos(bare_database, OPERATIONS, KILLS, sabotage="keys")
    assert "keys used twice" in report["broken_invariants"]
    assert any("a repeat was answered otherwise" in text for text in report["broken"])
