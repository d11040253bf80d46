"""Migrations add only what the version before can ignore (config/README.md, "Upgrade").

While two versions run side by side, the old one inserts rows without the new columns. So each new
column must be nullable or have a default in the database. A column that has one of these two must
still have one when it is altered.
"""

from collections.abc import Iterable, Iterator

import pytest
from django.db import models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddField,
    AlterField,
    CreateModel,
    SeparateDatabaseAndState,
)
from django.db.migrations.operations.base import Operation
from django.db.models import NOT_PROVIDED

from tests.support.apps import APPS

# Migrations from before the rule; sites have applied them, so they stay as they are.
BEFORE_THE_RULE = {("games", "0002_stake"), ("games", "0003_rematch_and_lag")}


def test_each_added_or_altered_column_is_nullable_or_has_a_default_in_the_database() -> None:
    migrations = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    filled: dict[str, set[str]] = {app: set() for app in APPS}
    faults = {
        (app, name): found
        for (app, name), migration in sorted(migrations.items())
        if app in APPS
        and (found := list(columns_without_default(migration.operations, filled[app])))
    }
    assert set(faults) >= BEFORE_THE_RULE
    assert {key: found for key, found in faults.items() if key not in BEFORE_THE_RULE} == {}


def columns_without_default(operations: Iterable[Operation], filled: set[str]) -> Iterator[str]:
    """Yield, as `model.field`, the columns that an insert by the version before could not fill.

    `filled` holds the columns that an insert may leave out; the function adds those of
    `operations` to the set.
    """
    made = set()
    for operation in _on_the_database(operations):
        if isinstance(operation, CreateModel):
            made.add(operation.name_lower)
            filled.update(
                f"{operation.name_lower}.{name}"
                for name, field in operation.fields
                if is_filled(field)
            )
        elif isinstance(operation, AddField | AlterField):
            column = f"{operation.model_name_lower}.{operation.name_lower}"
            if is_filled(operation.field):
                filled.add(column)
            elif operation.model_name_lower not in made and (
                isinstance(operation, AddField) or column in filled
            ):
                yield column


def is_filled(field: models.Field) -> bool:
    has_default = field.db_default is not NOT_PROVIDED
    return has_default or field.null or field.generated or bool(field.many_to_many)


def _on_the_database(operations: Iterable[Operation]) -> Iterator[Operation]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _on_the_database(operation.database_operations)
        else:
            yield operation


def added(field: models.Field) -> AddField:
    return AddField("match", "new", field)


def altered(field: models.Field) -> AlterField:
    return AlterField("match", "new", field)


@pytest.mark.parametrize(
    "operations",
    [
        [added(models.BooleanField(default=False))],
        [added(models.CharField(max_length=8))],
        [CreateModel("other", []), added(models.BooleanField(default=False))],
        [SeparateDatabaseAndState([added(models.BooleanField(default=False))])],
        [added(models.BooleanField(db_default=False)), altered(models.BooleanField())],
        [added(models.DateTimeField(null=True)), altered(models.DateTimeField())],
    ],
)
def test_a_column_without_default_is_found(operations: list[Operation]) -> None:
    assert list(columns_without_default(operations, set())) == ["match.new"]


@pytest.mark.parametrize(
    "operations",
    [
        [added(models.BooleanField(default=False, db_default=False))],
        [added(models.CharField(max_length=8, db_default=""))],
        [added(models.DateTimeField(null=True))],
        [added(models.ManyToManyField("accounts.User"))],
        [CreateModel("Match", []), added(models.BooleanField(default=False))],
        [SeparateDatabaseAndState([], [added(models.BooleanField(default=False))])],
        [altered(models.BooleanField(default=False))],
        [added(models.BooleanField(db_default=False)), altered(models.BooleanField(null=True))],
    ],
)
def test_a_column_that_an_old_version_can_ignore_is_accepted(operations: list[Operation]) -> None:
    assert list(columns_without_default(operations, set())) == []
