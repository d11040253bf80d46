"""Staff decide nothing that concerns themselves: another member of the staff does."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Picture, User
from chat.models import PlayerReport, Report, Silence
from games.models import Interruption, Strike
from tests.accounts.factories import UserFactory, member
from tests.chat.factories import MessageFactory
from tests.chat.support.factories import asked
from tests.games.factories import StakeMatchFactory
from tests.shop.goods_factories import owned
from tests.shop.payments.factories import paid
from tests.tournaments.factories import Cup, announced
from tests.wallet.factories import player
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def _match(judge: User) -> Model:
    return StakeMatchFactory(white=judge, black=player("rival5"))


def _interruption(judge: User) -> Model:
    now = timezone.now()
    return Interruption.objects.create(match=_match(judge), began_at=now, ended_at=now)


def _strike(judge: User) -> Model:
    match = StakeMatchFactory(white=judge, black=player("rival5"))
    return Strike.objects.create(
        user=judge, match=match, kind=Strike.Kind.choices[0][0], created_at=timezone.now()
    )


def _report(judge: User) -> Report:
    message = MessageFactory(author=judge)
    return Report.objects.create(
        message=message, reporter=member("hurt55"), created_at=timezone.now()
    )


def _silence(judge: User) -> Model:
    now = timezone.now()
    return Silence.objects.create(
        report=_report(judge), user=judge, by=member("other5"), created_at=now,
        until=now + timedelta(days=1), appeal="Please.", appealed_at=now,
    )  # fmt: skip


def _player_report(judge: User) -> Model:
    return PlayerReport.objects.create(
        about=judge, reporter=member("hurt55"), cause="OTHER", created_at=timezone.now()
    )


def _ticket(judge: User) -> Model:
    return asked(judge)


def _picture(judge: User) -> Model:
    return Picture.objects.create(user=judge, file="", uploaded_at=timezone.now())


def _cup(judge: User) -> Tournament:
    cup = Cup(4).start()
    cup.tournament.entrants.order_by("pk").filter(pk=cup.tournament.entrant_ids[0]).update(
        user=judge
    )
    return cup.tournament


def _fixture(judge: User) -> Model:
    return _cup(judge).rounds.get().fixtures.first()


def _rival(judge: User) -> Model:
    entrant = _cup(judge).entrants.exclude(user=judge).first()
    assert entrant is not None
    return entrant


def _proposal(judge: User) -> Model:
    tournament = announced()
    Tournament.objects.filter(pk=tournament.pk).update(state="PROPOSED", created_by=judge)
    return tournament


AFFAIRS: list[tuple[str, str, Callable[[User], Model], dict[str, str]]] = [
    ("games_match", "void", _match, {}),
    ("games_interruption", "confirm_void", _interruption, {}),
    ("games_strike", "lift", _strike, {}),
    ("chat_report", "hide", _report, {}),
    ("chat_report", "dismiss", _report, {}),
    ("chat_report", "silence", _report, {"days": "1"}),
    ("chat_silence", "end", _silence, {}),
    ("chat_silence", "uphold", _silence, {}),
    ("chat_playerreport", "close", _player_report, {}),
    ("chat_ticket", "take", _ticket, {}),
    ("chat_ticket", "assign", _ticket, {}),
    ("chat_ticket", "close", _ticket, {}),
    ("accounts_picture", "keep", _picture, {}),
    ("accounts_picture", "take", _picture, {}),
    ("shop_payment", "refund", paid, {}),
    ("shop_ownedgood", "refund", owned, {}),
    ("tournaments_tournament", "void", _cup, {}),
    ("tournaments_tournament", "approve", _proposal, {}),
    ("tournaments_fixture", "adjudicate", _fixture, {"winner": "first"}),
    ("tournaments_entrant", "remove", _rival, {}),
]


def _changed(row: Model, act: Callable[[], object]) -> bool:
    before = type(row)._default_manager.filter(pk=row.pk).values().get()
    act()
    return type(row)._default_manager.filter(pk=row.pk).values().get() != before


@pytest.mark.parametrize(
    ("model", "action", "make", "answers"), AFFAIRS, ids=[f"{a[0]} {a[1]}" for a in AFFAIRS]
)
def test_staff_do_not_decide_in_their_own_affairs(
    model: str, action: str, make: Callable[[User], Model], answers: dict[str, str]
) -> None:
    judge = player("judge5")
    User.objects.filter(pk=judge.pk).update(is_staff=True, is_superuser=True)
    row = make(judge)
    answer: list[Any] = []

    def decide(by: User) -> None:
        browser = Client()
        browser.force_login(by)
        form = {"action": action, "_selected_action": [row.pk], "reason": "Mine", **answers}
        address = reverse(f"admin:{model}_changelist")
        answer.append(browser.post(address, {**form, "confirmed": "yes"}, follow=True))

    assert not _changed(row, lambda: decide(judge))
    assert "Another member of the staff has to decide" in answer[-1].text
    other = UserFactory(username="judge6", staff=True)
    decided = _changed(row, lambda: decide(other))
    assert decided or "Another member of the staff" not in answer[-1].text
