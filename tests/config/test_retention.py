"""RETENTION.md has every table, and the days after which commands delete rows."""

import re
from collections import Counter
from importlib import import_module
from typing import NamedTuple

import pytest
from django.apps import apps
from django.core.management import get_commands
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.closing import services as closing
from accounts.sessions import origins
from config.law.figures import kept_days
from tests.accounts.factories import member, sign_in
from tests.house.prose import ROOT
from wallet.limits import exclusions

TABLE = ROOT / "RETENTION.md"
# Ways of deletion besides commands; RETENTION.md explains them.
WAYS = {"-", "closing", "owner", "row"}
COMMAND = re.compile(r"`(\w+)`")
# Days of commands without the option `--days`.
FIXED = {"forgetorigins": origins.KEPT_FOR.days, "forgetexclusions": exclusions.KEPT_FOR.days}
# The constant with a command's days, where its name is not `DAYS`.
BY_COMMAND = {"forgetguests": "SESSION_DAYS", "forgetunactivated": "KEPT_FOR"}


class Row(NamedTuple):
    table: str
    what: str
    kept: str
    by: str


def rows_of(text: str) -> list[Row]:
    lines = re.findall(r"^\| (?!Table \|)(.*) \|$", text, re.MULTILINE)
    return [Row(*line.split(" | ")) for line in lines]


ROWS = rows_of(TABLE.read_text())
NIGHTLY = sorted({name for row in ROWS for name in COMMAND.findall(row.by)})


def test_every_table_has_one_row() -> None:
    stored = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    named = Counter(row.table for row in ROWS)
    assert stored - named.keys() == set(), "tables without a row"
    assert named.keys() - stored == set(), "rows without a table"
    assert [table for table, count in named.items() if count > 1] == []


def test_every_row_says_how_long_its_table_is_kept_and_what_deletes_from_it() -> None:
    for row in ROWS:
        ways = set(row.by.split(", "))
        commands = {f"`{name}`" for name in COMMAND.findall(row.by)}
        assert ways - commands <= WAYS, row
        assert row.what
        assert row.kept
        assert ways != {"-"} or row.kept.startswith(("forever: ", "as ", "never written")), row


@pytest.mark.parametrize("command", NIGHTLY)
def test_days_are_those_of_the_command(command: str) -> None:
    days = str(days_of(command))
    kept = [row.kept for row in ROWS if f"`{command}`" in row.by]
    assert any(re.search(rf"\b{days} days", each) for each in kept), (command, days)


def test_every_command_that_forgets_is_in_the_table() -> None:
    forgetting = {name for name in get_commands() if name.startswith("forget")}
    assert forgetting == set(NIGHTLY)


def test_page_about_data_names_days_of_the_table() -> None:
    kept = " ".join(row.kept for row in ROWS)
    for what, days in kept_days().items():
        assert re.search(rf"\b{days} days", kept), what


@pytest.mark.django_db
def test_closing_an_account_reaches_each_table_whose_row_names_closing(client):
    anna = member("annika")
    sign_in(client, anna)
    client.get("/profile/")  # the session is noted
    with CaptureQueriesContext(connection) as queries:
        closing.close(anna.pk, timezone.now())
    sent = " ".join(query["sql"] for query in queries)
    tables = [row.table for row in ROWS if "closing" in row.by]
    missed = [table for table in tables if f'"{apps.get_model(table)._meta.db_table}"' not in sent]
    assert len(tables) > 20
    assert missed == []


def days_of(command: str) -> int:
    if command in FIXED:
        return FIXED[command]
    module = import_module(f"{get_commands()[command]}.management.commands.{command}")
    days = getattr(module, BY_COMMAND.get(command, "DAYS"))
    return int(getattr(days, "days", days))
