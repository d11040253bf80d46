"""The groups of the staff's roles, and the matrix of the tasks that each role may do."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from accounts.members import services as members
from accounts.models import ReadyReason, User
from chat.models import AnswerPreset, Silence, Ticket
from config.staff.groups import UnknownPermission, group_differences, make_groups
from config.staff.roles import DIRECTOR, FINANCE, MODERATOR, ROLES, SUPPORT, TRANSLATOR
from shop.models import Good
from tests.accounts.factories import member
from tests.chat.support.factories import asked
from tests.config.staff.clerks import clerk_of
from tests.config.staff.rows import (
    harmed,
    open_appeal,
    open_case,
    open_report,
    running_match,
    standing_strike,
    suspected,
)
from tests.shop.goods_factories import owned
from tests.shop.payments.factories import paid
from tests.tournaments.factories import TournamentRun, announced
from tests.tournaments.test_admin import TERMS
from tests.wallet.factories import player
from tournaments.models import Fixture, Schedule, Tournament
from wallet.models import Account

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

Row = Model | None


@dataclass(frozen=True)
class Task:
    """A POST to the administration about the row that `make` creates, if it creates one.

    `is_done` gets this row as it is stored afterwards.
    """

    name: str
    roles: tuple[str, ...]
    make: Callable[[], Row]
    is_done: Callable[[Any], bool]
    path: str
    answers: dict[str, str] = field(default_factory=dict)
    action: str = ""

    def send(self, browser: Client, row: Row) -> Any:
        data = {"confirmed": "yes", "reason": "As asked", **self.answers}
        if self.action:
            data |= {"action": self.action, "_selected_action": str(row.pk if row else "")}
        url = self.path.format(pk=row.pk if row else "")
        return browser.post(f"/admin/{url}", data)


def _no_row() -> None:
    """Delete the goods that migrations add, so that a good can only come from the task."""
    Good.objects.all().delete()


def _banned() -> User:
    user = member("rude55")
    members.ban(user.pk)
    return user


def _fixture() -> Fixture:
    return TournamentRun(4).start().tournament.rounds.get().fixtures.order_by("pk")[0]


def _account() -> Account:
    return Account.objects.get(user=player("anna55", 1000))


TOMORROW = timezone.localtime(timezone.now() + timedelta(days=1))
START = {"starts_at_0": f"{TOMORROW:%Y-%m-%d}", "starts_at_1": f"{TOMORROW:%H:%M}"}
SCHEDULE_FORM = {
    **TERMS, "repeats": "DAILY", "weekday": "", "local_time": "20:00",
    "time_zone": "Europe/Istanbul", "announce_before": "24",
}  # fmt: skip
ANSWER = {"once": str(uuid4()), "text": "They are reserved.", "closes": "", "preset": ""}
NEW_GOOD = {"kind": "board", "code": "walnut", "price_credits": "300", "order": "0"}

TASKS = [
    Task(
        "void a match", (MODERATOR,), running_match, lambda match: match.is_finished,
        "games/match/", action="void",
    ),
    Task(
        "refund a payment", (FINANCE,), lambda: paid(member("anna55")),
        lambda payment: payment.awaits_refund, "shop/payment/", action="refund",
    ),
    Task(
        "refund a good", (FINANCE,), lambda: owned(player("anna55")),
        lambda good: good.refunded_at is not None, "shop/ownedgood/", action="refund",
    ),
    Task(
        "silence an author", (MODERATOR,), open_report,
        lambda report: Silence.objects.exists(), "chat/report/", {"days": "1"}, action="silence",
    ),
    Task(
        "ban a member", (MODERATOR,), lambda: member("rude55"),
        lambda user: not user.is_active, "accounts/user/", action="ban",
    ),
    Task(
        "let an author chat again", (MODERATOR,), open_appeal,
        lambda silence: silence.until <= timezone.now(), "chat/silence/", action="end",
    ),
    Task(
        "unban a member", (MODERATOR,), _banned, lambda user: user.is_active,
        "accounts/user/", action="unban",
    ),
    Task(
        "lift a strike", (MODERATOR,), standing_strike,
        lambda strike: strike.lifted_at is not None, "games/strike/", action="lift",
    ),
    Task(
        "answer an appeal", (MODERATOR,), open_appeal,
        lambda silence: silence.answered_at is not None, "chat/silence/", action="uphold",
    ),
    Task(
        "open a case", (MODERATOR,), lambda: player("rude55"),
        lambda user: user.cases.exists(), "stats/case/add/",
        {"suspects": "rude55", "victims": "", "why": "A report"},
    ),
    Task(
        "close a case", (MODERATOR,), open_case, lambda case: case.outcome == "BROKEN",
        "stats/case/", {"outcome": "BROKEN"}, action="close",
    ),
    Task(
        "ban from a case", (MODERATOR,), suspected, lambda person: person.banned_at is not None,
        "stats/caseperson/", action="ban",
    ),
    Task(
        "refund a harmed member", (FINANCE,), harmed, lambda person: person.refund is not None,
        "stats/caseperson/", {"credits": "50"}, action="refund",
    ),
    Task(
        "announce a tournament", (DIRECTOR,), _no_row,
        lambda row: Tournament.objects.exists(), "tournaments/tournament/add/", {**TERMS, **START},
    ),
    Task(
        "schedule tournaments", (DIRECTOR,), _no_row,
        lambda row: Schedule.objects.exists(), "tournaments/schedule/add/", SCHEDULE_FORM,
    ),
    Task(
        "void a tournament", (DIRECTOR,), announced,
        lambda row: row.state == "CANCELED", "tournaments/tournament/", action="void",
    ),
    Task(
        "decide a fixture", (DIRECTOR,), _fixture,
        lambda fixture: fixture.winner_id == fixture.first_id, "tournaments/fixture/",
        {"winner": "first"}, action="adjudicate",
    ),
    Task(
        "correct an account", (FINANCE,), _account,
        lambda account: account.balance_credits == 1050, "wallet/account/{pk}/correct/",
        {"key": str(uuid4()), "credits": "50"},
    ),
    Task(
        "add a good", (FINANCE,), _no_row, lambda row: Good.objects.exists(),
        "shop/good/add/", NEW_GOOD,
    ),
    Task(
        "answer support", (SUPPORT,), lambda: asked(member("anna55")),
        lambda ticket: ticket.state == Ticket.State.ANSWERED, "chat/ticket/{pk}/answer/", ANSWER,
    ),
    Task(
        "close a request", (SUPPORT,), lambda: asked(member("anna55")),
        lambda ticket: ticket.state == Ticket.State.CLOSED, "chat/ticket/", action="close",
    ),
    Task(
        "write a ready answer", (TRANSLATOR,), _no_row,
        lambda row: AnswerPreset.objects.filter(name="Thanks").exists(), "chat/answerpreset/add/",
        {"name": "Thanks", "language": "en", "text": "Thank you."},
    ),
    Task(
        "write a ready reason", (TRANSLATOR,), _no_row,
        lambda row: ReadyReason.objects.filter(name="Stuck").exists(),
        "accounts/readyreason/add/",
        {"occasion": "VOID", "name": "Stuck", "language": "en", "text": "The dice were stuck."},
    ),
]  # fmt: skip


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_each_task_is_done_by_its_roles_and_refused_to_the_others(task: Task, role: str) -> None:
    _, browser = clerk_of(role)
    row = task.make()
    answer = task.send(browser, row)
    if row is not None:
        row = type(row)._default_manager.get(pk=row.pk)
    assert task.is_done(row) == (role in task.roles), answer.content.decode()[:3000]
    assert (answer.status_code == 403) == (role not in task.roles)


@pytest.mark.parametrize("role", ROLES)
def test_no_role_gives_rights_to_itself_or_others(role: str) -> None:
    user, browser = clerk_of(role)
    other = member("friend5")
    own, rich = Group.objects.get(name=role), Group.objects.create(name="rich")
    held = set(own.permissions.all())
    asked_for = {"is_superuser": "on", "is_staff": "on", "groups": [rich.pk], "_save": "Save"}
    for target in (user, other):
        browser.post(f"/admin/accounts/user/{target.pk}/change/", asked_for)
    wanted = {"name": role, "permissions": [Permission.objects.earliest("pk").pk]}
    assert browser.post(f"/admin/auth/group/{own.pk}/change/", wanted).status_code == 403
    for each, is_staff in ((user, True), (other, False)):
        each.refresh_from_db()
        assert (each.is_staff, each.is_superuser) == (is_staff, False)
    assert [list(each.groups.all()) for each in (user, other)] == [[own], []]
    assert set(own.permissions.all()) == held
    assert not {name for name in ROLES[role] if name.startswith("auth.")}


@pytest.mark.parametrize("role", ROLES)
def test_every_list_of_a_role_opens(role: str) -> None:
    _, browser = clerk_of(role)
    index = browser.get("/admin/")
    lists = [model["admin_url"] for app in index.context["app_list"] for model in app["models"]]
    assert lists
    assert {browser.get(address).status_code for address in lists} == {200}


def test_command_creates_groups_corrects_them_and_can_be_repeated() -> None:
    def said(*arguments: str) -> str:
        out = StringIO()
        call_command("makeroles", *arguments, stdout=out)
        return out.getvalue()

    own = Group.objects.create(name="own")
    assert "finance (new)" in said("--dry-run")
    assert not Group.objects.exclude(pk=own.pk).exists()
    assert "  + wallet.correct" in said()
    assert said() == f"0 of {len(ROLES)} roles differed.\n"
    finance = Group.objects.get(name=FINANCE)
    finance.permissions.remove(Permission.objects.get(codename="correct"))
    finance.permissions.add(Permission.objects.get(codename="change_group"))
    assert said() == "finance\n  + wallet.correct\n  - auth.change_group\n" + (
        f"1 of {len(ROLES)} roles differed.\n"
    )
    assert group_differences() == []
    assert not own.permissions.exists()


def test_unknown_permission_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROLES, SUPPORT, frozenset({"chat.view_nothing"}))
    with pytest.raises(UnknownPermission):
        make_groups()
    assert not Group.objects.exists()
