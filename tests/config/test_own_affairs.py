"""Staff may not decide what concerns themselves; another member of the staff has to."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Picture, User
from accounts.shared.staff.log import log_change
from chat.direct import services as direct
from chat.models import Message, PlayerReport, Report, Silence
from chat.support import handling
from config.staff.overview import WAITING
from games.engine.sides import Side
from games.models import Interruption, Strike
from games.services import chat
from shop.models import Debt
from stats.integrity import services
from tests.accounts.factories import UserFactory, member
from tests.chat.factories import MessageFactory
from tests.chat.support.factories import asked
from tests.games.factories import StakeMatchFactory, StakeSitting
from tests.shop.goods_factories import owned
from tests.shop.payments.factories import paid
from tests.tournaments.factories import TournamentRun, announced
from tests.wallet.factories import player
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def _match(boss: User) -> Model:
    return StakeMatchFactory(white=boss, black=player("rival5"))


def _interruption(boss: User) -> Model:
    now = timezone.now()
    return Interruption.objects.create(match=_match(boss), began_at=now, ended_at=now)


def _strike(boss: User) -> Model:
    match = StakeMatchFactory(white=boss, black=player("rival5"))
    return Strike.objects.create(
        user=boss, match=match, kind=Strike.Kind.choices[0][0], created_at=timezone.now()
    )


def _report(boss: User) -> Report:
    message = MessageFactory(author=boss)
    return Report.objects.create(
        message=message, reporter=member("hurt55"), created_at=timezone.now()
    )


def _silence(boss: User) -> Model:
    now = timezone.now()
    return Silence.objects.create(
        report=_report(boss), user=boss, by=member("other5"), created_at=now,
        until=now + timedelta(days=1), appeal="Please.", appealed_at=now,
    )  # fmt: skip


def _player_report(boss: User) -> Model:
    return PlayerReport.objects.create(
        about=boss, reporter=member("hurt55"), cause="OTHER", created_at=timezone.now()
    )


def _case(boss: User) -> Model:
    return services.open_case([boss.pk], [], "A report", None, timezone.now())


def _ticket(boss: User) -> Model:
    return asked(boss)


def _assigned_ticket(boss: User) -> Model:
    ticket = asked(boss)
    assert handling.assign(ticket, member("other5"))
    return ticket


def _picture(boss: User) -> Model:
    return Picture.objects.create(user=boss, file="", uploaded_at=timezone.now())


def _tournament(boss: User) -> Tournament:
    run = TournamentRun(4).start()
    run.tournament.entrants.order_by("pk").filter(pk=run.tournament.entrant_ids[0]).update(
        user=boss
    )
    return run.tournament


def _fixture(boss: User) -> Model:
    return _tournament(boss).rounds.get().fixtures.first()


def _rival(boss: User) -> Model:
    entrant = _tournament(boss).entrants.exclude(user=boss).first()
    assert entrant is not None
    return entrant


def _debt(boss: User) -> Model:
    return Debt.objects.create(user=boss, credits=100)


def _proposal(boss: User) -> Model:
    tournament = announced()
    Tournament.objects.filter(pk=tournament.pk).update(state="PROPOSED", created_by=boss)
    return tournament


# For each case: a model by its name in the admin, an action of its list, a function that makes a
# row about the given member of the staff, and the answers to the action's form.
AFFAIRS: list[tuple[str, str, Callable[[User], Model], dict[str, str]]] = [
    ("games_match", "void", _match, {}),
    ("games_interruption", "confirm_void", _interruption, {}),
    ("games_strike", "lift", _strike, {}),
    ("chat_silence", "end", _silence, {}),
    ("chat_silence", "uphold", _silence, {}),
    ("chat_ticket", "take", _ticket, {}),
    ("chat_ticket", "assign", _assigned_ticket, {}),
    ("chat_ticket", "close", _ticket, {}),
    ("accounts_picture", "keep", _picture, {}),
    ("accounts_picture", "take", _picture, {}),
    ("shop_payment", "refund", paid, {}),
    ("shop_ownedgood", "refund", owned, {}),
    ("shop_debt", "waive", _debt, {}),
    ("tournaments_tournament", "void", _tournament, {}),
    ("tournaments_tournament", "approve", _proposal, {}),
    ("tournaments_fixture", "adjudicate", _fixture, {"winner": "first"}),
    ("tournaments_entrant", "remove", _rival, {}),
]

# The same for reports and fair play cases. Staff do not even see those that concern themselves.
UNSEEN: list[tuple[str, str, Callable[[User], Model], dict[str, str]]] = [
    ("chat_report", "hide", _report, {}),
    ("chat_report", "dismiss", _report, {}),
    ("chat_report", "silence", _report, {"days": "1"}),
    ("chat_report", "ban", _report, {}),
    ("chat_playerreport", "close", _player_report, {}),
    ("chat_playerreport", "ban", _player_report, {}),
    ("stats_case", "close", _case, {"outcome": "CLEARED"}),
]


@pytest.mark.parametrize(
    ("model", "action", "make", "answers"), AFFAIRS, ids=[f"{a[0]} {a[1]}" for a in AFFAIRS]
)
def test_staff_do_not_decide_in_their_own_affairs(
    model: str, action: str, make: Callable[[User], Model], answers: dict[str, str]
) -> None:
    boss, other = player("boss55"), UserFactory(username="boss66", staff=True)
    User.objects.filter(pk=boss.pk).update(is_staff=True, is_superuser=True)
    row = make(boss)
    is_changed, page = _decide(boss, model, action, row, answers)
    assert not is_changed
    assert "Another member of the staff has to decide" in page
    is_changed, page = _decide(other, model, action, row, answers)
    assert is_changed, page


def _decide(
    by: User, model: str, action: str, row: Model, answers: dict[str, str]
) -> tuple[bool, str]:
    """Confirm the action; return whether it changed the row, and the page that is shown then."""
    browser = Client()
    browser.force_login(by)
    rows = type(row)._default_manager.filter(pk=row.pk).values()
    before = rows.get()
    form = {"action": action, "_selected_action": [row.pk], "reason": "Mine", **answers}
    address = reverse(f"admin:{model}_changelist")
    page = browser.post(address, {**form, "confirmed": "yes"}, follow=True).text
    return rows.get() != before, page


@pytest.mark.parametrize(
    ("model", "action", "make", "answers"), UNSEEN, ids=[f"{a[0]} {a[1]}" for a in UNSEEN]
)
def test_staff_neither_see_nor_decide_what_was_reported_about_themselves(
    model: str, action: str, make: Callable[[User], Model], answers: dict[str, str]
) -> None:
    boss, other = (UserFactory(username=name, staff=True) for name in ("boss55", "boss66"))
    row = make(boss)
    log_change(row, other.pk, "Looked at it", timezone.now())
    page = reverse(f"admin:{model}_change", args=[row.pk])

    def seen_by(reader: User) -> list[Any]:
        browser = Client()
        browser.force_login(reader)
        counts = sum(each.count(reader, timezone.now()) for each in WAITING)
        rows = browser.get(reverse(f"admin:{model}_changelist")).context["cl"].result_count
        lines = browser.get(reverse("admin:admin_logentry_changelist")).context["cl"].result_count
        return [counts, rows, lines, browser.get(page).status_code]

    assert seen_by(other) == [1, 1, 1, 200]
    assert seen_by(boss) == [0, 0, 0, 302]
    assert not _decide(boss, model, action, row, answers)[0]
    assert _decide(other, model, action, row, answers)[0]


def test_staff_at_a_table_read_no_chat_of_its_spectators_until_the_match_is_over() -> None:
    boss, other = player("boss55"), UserFactory(username="boss66", staff=True)
    User.objects.filter(pk=boss.pk).update(is_staff=True, is_superuser=True)
    sitting = StakeSitting(boss, player("rival5")).sit().start_game()
    rooms = [chat.room(sitting.public_id, side) for side in (Side.WHITE, None)]
    own, advice = (MessageFactory(room=room, body=body) for room, body in zip(
        rooms, ("To the players", "Double now"), strict=True
    ))  # fmt: skip
    for message in (own, advice):
        Report.objects.create(message=message, reporter=other, created_at=timezone.now())

    def seen_by(reader: User) -> list[Any]:
        browser = Client()
        browser.force_login(reader)
        pages = [reverse("admin:chat_message_changelist"), reverse("admin:chat_report_changelist")]
        pages.append(reverse("admin:case_file", args=[sitting.match.pk]))
        texts = [browser.get(page).text for page in pages]
        assert all("To the players" in text for text in texts)
        counts = sum(each.count(reader, timezone.now()) for each in WAITING)
        return [counts, *("Double now" in text for text in texts)]

    assert seen_by(other) == [2, True, True, True]
    assert seen_by(boss) == [1, False, False, False]
    sitting.do("resign_match", side=Side.WHITE)
    assert seen_by(boss) == [2, True, True, True]


@pytest.mark.parametrize("make", [_report, _player_report])
def test_staff_do_not_see_lines_about_a_deleted_report_on_them(
    make: Callable[[User], Model],
) -> None:
    boss, other = (UserFactory(username=name, staff=True) for name in ("boss55", "boss66"))
    row = make(boss)
    log_change(row, other.pk, "Looked at it", timezone.now())
    row.delete()
    for reader, number in ((other, 1), (boss, 0)):
        browser = Client()
        browser.force_login(reader)
        shown = browser.get(reverse("admin:admin_logentry_changelist")).context["cl"]
        assert shown.result_count == number


def test_case_file_has_no_reports_about_its_reader() -> None:
    boss, other = (UserFactory(username=name, staff=True) for name in ("boss55", "boss66"))
    match = StakeMatchFactory(white=player("white5"), black=player("black5"))
    room, now = chat.room(match.public_id, Side.WHITE), timezone.now()
    for user in (boss, other):
        message = MessageFactory(author=user, room=room)
        Report.objects.create(message=message, reporter=match.seats.first().user, created_at=now)
        PlayerReport.objects.create(
            about=user, reporter=match.seats.first().user, cause="OTHER", created_at=now,
            room=f"match:{match.public_id}",
        )  # fmt: skip
    browser = Client()
    browser.force_login(boss)
    case = browser.get(reverse("admin:case_file", args=[match.pk])).context["case"]
    assert [each.author for each in case.reports] == [other]
    assert [each.about for each in case.player_reports] == [other]


def test_staff_do_not_learn_that_a_private_message_of_theirs_was_reported() -> None:
    boss, other = (UserFactory(username=name, staff=True) for name in ("boss55", "boss66"))
    anna = member("anna55")
    direct.send(boss, anna, "A rude word", timezone.now())
    Report.objects.create(message=Message.objects.get(), reporter=anna, created_at=timezone.now())
    for reader, number in ((other, 1), (boss, 0)):
        browser = Client()
        browser.force_login(reader)
        shown = browser.get(reverse("admin:chat_message_changelist")).context["cl"]
        assert shown.result_count == number
