"""The first page of the admin: each role's numbers, which are the lengths of lists."""

from datetime import time, timedelta
from typing import Any

import pytest
from django.apps import apps as django_apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from accounts.shared.database_clock import CLOCK
from chat.models import PlayerReport, Report, Silence
from config.models import NightlyRun
from config.staff.overview import AT_PLAY, STUCK, WAITING
from config.staff.roles import FINANCE, ROLES, TRANSLATOR
from games.models import Match
from games.services import heartbeat
from shop.models import LedgerCount
from tests.accounts.factories import member, staff
from tests.chat.factories import MessageFactory
from tests.chat.support.factories import asked
from tests.config.staff.clerks import clerk_of
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
INDEX = "/admin/"


def fill() -> Match:
    """Make a ticket, a report of each kind, an appeal and a match with a missed deadline."""
    now = timezone.now()
    anna, boris = member("anna55"), member("boris5")
    asked(anna)
    report = Report.objects.create(
        message=MessageFactory(author=boris), reporter=anna, created_at=now
    )
    PlayerReport.objects.create(about=boris, reporter=anna, cause="OTHER", created_at=now)
    Silence.objects.create(
        report=report, user=boris, by=anna, created_at=now, until=now + timedelta(days=1),
        appeal="Please.", appealed_at=now,
    )  # fmt: skip
    match = StakeSitting(player("white5"), player("black5")).sit().start_game().match
    Match.objects.filter(pk=match.pk).update(wake_at=now - timedelta(hours=1))
    return match


def shown_to(browser: Client) -> dict[str, int]:
    overview = browser.get(INDEX).context["overview"]
    figures = [*overview.waiting, *overview.stuck, *overview.at_play]
    return {str(each.title): each.number for each in figures}


def test_each_number_is_the_length_of_its_list() -> None:
    fill()
    browser, boss = Client(), staff("boss55")
    browser.force_login(boss)
    numbers = {title: number for title, number in shown_to(browser).items() if number}
    assert numbers == {
        "Support requests without an answer": 1,
        "Reports about messages": 1,
        "Reports about players": 1,
        "Appeals": 1,
        "Matches the worker has not moved on": 1,
        "Matches in progress": 1,
    }
    for each in (*WAITING, *AT_PLAY, *STUCK):
        listed = browser.get(f"{INDEX}{each.path}")
        assert listed.status_code == 200, each.path
        assert listed.context["cl"].result_count == each.count(boss, timezone.now()), each.path


def test_number_of_nightly_commands_leads_to_those_in_trouble(
    client: Client, settings: Any
) -> None:
    """A command that missed its nights keeps the green mark of its last run, but is in trouble."""
    settings.NIGHTLY_AT = time(3, 30)
    now = timezone.now()
    ago = {"forgetguests": timedelta(days=3), "reconcile": timedelta(), "forgetemails": timedelta()}
    for name, since in ago.items():
        is_well = name != "reconcile"
        NightlyRun.objects.create(
            command=name, began_at=now - since, ended_at=now - since, is_well=is_well
        )
    # A row of an earlier version of the site, which had this command.
    NightlyRun.objects.create(command="forgetletters", began_at=now - timedelta(days=90))
    client.force_login(staff("boss55"))
    [figure] = [each for each in STUCK if each.permission == "config.view_nightlyrun"]
    listed = client.get(f"{INDEX}{figure.path}").context["cl"]
    assert [row.command for row in listed.result_list] == ["forgetguests", "reconcile"]
    assert figure.count(User.objects.get(username="boss55"), now) == 2


@pytest.mark.parametrize("role", ROLES)
def test_each_role_sees_only_numbers_of_lists_it_may_open(role: str) -> None:
    fill()
    LedgerCount.objects.create(
        at=timezone.now(), welcome=0, gifts=7, bought=0, corrected=0, members=7, pots=0, rake=0,
        tournaments=0, differences=0,
    )  # fmt: skip
    _clerk, browser = clerk_of(role)
    overview = browser.get(INDEX).context["overview"]
    figures = [*overview.waiting, *overview.stuck, *overview.at_play]
    assert bool(figures) == (role != TRANSLATOR)
    assert {browser.get(f"{INDEX}{each.path}").status_code for each in figures} <= {200}
    assert (overview.count is not None) == (role == FINANCE)


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_apps_of_the_index_are_named_in_each_language(client: Client, language: str) -> None:
    client.force_login(staff("boss55"))
    client.cookies["django_language"] = language
    apps = client.get(INDEX).context["app_list"]
    names = {app["app_label"]: str(app["name"]) for app in apps}
    assert names.keys() >= {"accounts", "wallet", "chat", "games", "stats", "lobby", "tournaments"}
    assert [name for label, name in names.items() if name == label.capitalize()] == []
    with override("en"):
        english = {label: str(django_apps.get_app_config(label).verbose_name) for label in names}
    assert {label for label in names if names[label] == english[label]} == set()


def test_index_shows_a_silent_worker_and_a_running_one(client: Client) -> None:
    client.force_login(staff("boss55"))
    assert "The worker is not running" in client.get(INDEX).content.decode()
    heartbeat.beat(CLOCK.now(), heartbeat.WORKER)
    assert "The worker is running" in client.get(INDEX).content.decode()


def test_number_of_queries_does_not_grow_with_the_waiting_rows(client: Client) -> None:
    client.force_login(staff("boss55"))
    client.get(INDEX)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(INDEX)
        return len(queries)

    few = count()
    fill()
    assert count() == few


def test_all_actions_of_a_staff_member_are_on_one_page(client: Client) -> None:
    fill()
    boss, other = staff("boss55"), staff("boss66")
    for by, target in ((boss, "anna55"), (other, "boris5")):
        client.force_login(by)
        chosen = {"action": "ban", "_selected_action": [User.objects.get(username=target).pk]}
        client.post("/admin/accounts/user/", {**chosen, "confirmed": "yes", "reason": by.username})
    link = "/admin/admin/logentry/?q=boss55"
    assert link in client.get(f"/admin/accounts/user/{boss.pk}/change/").content.decode()
    page = client.get(link).content.decode()
    assert "Banned: boss55" in page
    assert "Banned: boss66" not in page
    clerk = member("clerk5")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    client.force_login(clerk)
    assert client.get(link).status_code == 403
