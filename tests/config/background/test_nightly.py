"""Nightly commands run once a night, in one worker, also after an outage."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands
from django.core.management.base import CommandError

from config.background import nightly
from config.environment import Env
from config.models import LEASE, NightlyRun
from tests.accounts.factories import sign_in, staff
from tests.support.own_process import ROOT

pytestmark = pytest.mark.django_db

AT = time(3, 30)
EVENING = datetime(2026, 11, 25, 20, tzinfo=UTC)
NIGHT = datetime(2026, 11, 26, 3, 30, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def ran(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Start the first worker in the evening; return a list of the commands called, all faked."""
    settings.NIGHTLY_AT = AT
    names: list[str] = []

    def call(name: str, stdout: Any, stderr: Any) -> None:
        names.append(name)
        stdout.write(f"starting\n3 rows of {name} forgotten\n")

    monkeypatch.setattr(nightly, "call_command", call)
    assert nightly.settle_due(EVENING) == NIGHT
    return names


def run_all(now: datetime) -> None:
    while nightly.settle_due(now) == now:
        pass


def test_every_nightly_command_exists_and_is_marked_in_the_readme() -> None:
    names = get_commands()
    assert set(nightly.COMMANDS) <= set(names)
    assert {name for name in names if name.startswith("forget")} <= set(nightly.COMMANDS)
    page = (ROOT / "README.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` ☾ \|", page, re.MULTILINE)) == set(nightly.COMMANDS)


def test_each_command_runs_once_a_night_in_order(ran: list[str]) -> None:
    assert ran == []  # the first night has not come yet
    run_all(NIGHT)
    run_all(NIGHT + timedelta(hours=9))
    assert ran == list(nightly.COMMANDS)
    row = NightlyRun.objects.get(command="forgetemails")
    assert (row.is_well, row.said) == (True, "3 rows of forgetemails forgotten")
    assert row.ended_at is not None
    assert row.ended_at >= row.began_at == NIGHT
    run_all(NIGHT + DAY)
    assert ran == list(nightly.COMMANDS) * 2


def test_commands_missed_in_an_outage_run_once_at_the_next_start(ran: list[str]) -> None:
    run_all(NIGHT + 3 * DAY + timedelta(hours=7))
    assert ran == list(nightly.COMMANDS)


def test_no_command_runs_while_another_worker_runs_one(ran: list[str]) -> None:
    NightlyRun.objects.filter(command="reconcile").update(began_at=NIGHT, ended_at=None)
    run_all(NIGHT + timedelta(minutes=5))
    assert ran == []
    run_all(NIGHT + LEASE)  # that worker was killed
    assert ran == list(nightly.COMMANDS)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit(1), "2 differences"),
        (CommandError("no such day"), "CommandError: no such day"),
        (OSError("disk is full"), "OSError: disk is full"),
    ],
    ids=["exit status", "refusal", "fault"],
)
def test_failure_is_logged_stored_and_shown_and_stops_no_other_command(
    error: BaseException, said: str, ran: list[str], monkeypatch: Any, caplog: Any, client: Any
) -> None:
    def call(name: str, stdout: Any, stderr: Any) -> None:
        ran.append(name)
        if name == "forgetemails":
            stderr.write("2 differences\n")
            raise error

    monkeypatch.setattr(nightly, "call_command", call)
    run_all(NIGHT)
    assert ran == list(nightly.COMMANDS)
    [failed] = nightly.troubled(NIGHT)
    assert (failed.command, failed.said) == ("forgetemails", said)
    assert "nightly forgetemails failed after" in caplog.text
    sign_in(client, staff("bossy"))
    assert said in client.get("/admin/config/nightlyrun/").content.decode()


def test_command_that_kills_its_worker_each_time_is_shown_while_it_is_tried_again(
    ran: list[str],
) -> None:
    run_all(NIGHT)
    NightlyRun.objects.filter(command="reconcile").update(began_at=NIGHT + DAY, ended_at=None)
    again = NIGHT + DAY + LEASE
    assert nightly._lease_next(again, NIGHT) == "reconcile"
    now = again + timedelta(minutes=5)
    assert [row.command for row in nightly.troubled(now)] == ["reconcile"]
    nightly._run("reconcile", again)
    assert not nightly.troubled(now).exists()


def test_commands_that_did_not_run_are_shown_after_a_while(ran: list[str]) -> None:
    assert not nightly.troubled(NIGHT + nightly.LATE - timedelta(minutes=1))
    assert nightly.troubled(NIGHT + nightly.LATE).count() == len(nightly.COMMANDS)


def test_no_command_runs_or_is_missed_without_a_nightly_time(ran: list[str], settings: Any) -> None:
    settings.NIGHTLY_AT = None
    assert nightly.settle_due(NIGHT) is None
    assert ran == []
    assert not nightly.troubled(NIGHT + DAY)


def test_the_real_commands_run_without_trouble(settings: Any, tmp_path: Any) -> None:
    settings.NIGHTLY_AT = AT
    settings.MEDIA_ROOT = str(tmp_path)  # the commands delete files there
    nightly.settle_due(EVENING)
    run_all(NIGHT)
    assert not nightly.troubled(NIGHT)
    assert "0 differences" in NightlyRun.objects.get(command="reconcile").said


@pytest.mark.parametrize(("text", "at"), [("03:30", AT), ("off", None), ("23:05", time(23, 5))])
def test_time_of_day_is_read(text: str, at: time | None, monkeypatch: Any) -> None:
    monkeypatch.setenv("NIGHTLY_AT", text)
    assert Env().time_of_day("NIGHTLY_AT", "01:00") == at


@pytest.mark.parametrize("text", ["", "3", "24:00", "night"])
def test_error_names_the_variable_of_an_unreadable_time(text: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("NIGHTLY_AT", text)
    with pytest.raises(ImproperlyConfigured, match="NIGHTLY_AT"):
        Env().time_of_day("NIGHTLY_AT", "01:00")
