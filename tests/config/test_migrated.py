"""tests/support/migrated.py: the kept database is the one that today's migrations make."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.support import migrated


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr(migrated, "ROOT", tmp_path)
    folder = tmp_path / "shop" / "migrations"
    folder.mkdir(parents=True)
    (folder / "0001_initial.py").write_text("operations = []")
    (tmp_path / "requirements.txt").write_text("django==1")
    (tmp_path / "config").mkdir()
    (tmp_path / "config/settings.py").write_text('INSTALLED_APPS = ["shop"]')
    return tmp_path


@pytest.mark.parametrize(
    "changed",
    [
        "shop/migrations/0001_initial.py",
        "shop/migrations/0002_more.py",
        "requirements.txt",
        "config/settings.py",
    ],
)
def test_a_change_of_migrations_packages_or_apps_makes_another_file(tree, changed):
    before = migrated._digest()
    assert migrated._digest() == before
    (tree / changed).write_text("changed")
    assert migrated._digest() != before


@pytest.mark.django_db
def test_the_database_of_the_tests_has_every_migration():
    executor = MigrationExecutor(connection)
    assert not executor.migration_plan(executor.loader.graph.leaf_nodes())
    call_command("migrate", check_unapplied=True, plan=True, verbosity=0)


@pytest.mark.django_db
def test_the_database_has_every_constraint_and_index_of_the_models():
    missing = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table, meta = model._meta.db_table, model._meta
            found = connection.introspection.get_constraints(cursor, table)
            wanted = [each.name for each in (*meta.constraints, *meta.indexes)]
            missing += [f"{table}: {name}" for name in wanted if name not in found]
    assert missing == []
