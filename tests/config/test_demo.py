"""`manage.py demo` fills the lists of the site, except a few named here, and only once."""

from io import StringIO
from typing import Any

import pytest
from django.contrib import admin
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from accounts.models import Picture, User
from chat.models import Silence, Ticket
from config.demo.people import PEOPLE, STAFF_LOGIN
from games.models import Match
from shop.models import Payment
from stats.models import Case, CasePerson
from tests.accounts.factories import sign_in_now
from tests.games.factories import assert_log_folds
from tests.pages.gallery import MEMBER, PAGES, Shown
from tests.wallet.factories import assert_books_balance
from tournaments import states
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

# Pages of a member that are not tested, and why.
LEFT_OUT = {
    "socialaccount_connections": "needs the keys of other sites",
    "stats:skill": "the worker makes the reviews, when the site is served",
    "stats:leaders": "nobody has played enough matches for a place",
}
# Models of the staff's lists for which the command makes no row. The worker makes `LedgerCount`
# rows, and there is no `OutgoingEmail` because tests keep emails in memory.
NOT_MADE = {
    "auth.Group", "wallet.Freeze", "wallet.WaitingPayment", "wallet.Limit",
    "wallet.LimitChange", "wallet.Exclusion", "chat.RefusedWord", "games.Strike",
    "games.Interruption", "shop.LedgerCount", "accounts.OutgoingEmail", "config.NightlyRun",
}  # fmt: skip
LISTS_OF_TOURNAMENTS = ("mine", "running", "completed")
OF_A_PLAYER = ("stats:matches", "stats:statistics", "stats:achievements", "stats:rating")
EMPTY = 'class="card empty"'


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path / "media")


def fill() -> str:
    output = StringIO()
    call_command("demo", stdout=output)
    return output.getvalue()


def rows() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in admin.site._registry}


def addresses_of_lists(annika: User) -> list[str]:
    plain = [
        reverse(name)
        for name, each in PAGES.items()
        if name not in LEFT_OUT and Shown(MEMBER) in each
    ]
    tournaments = [reverse("tournaments:list", args=[name]) for name in LISTS_OF_TOURNAMENTS]
    return plain + tournaments + [reverse(name, args=[annika.public_id]) for name in OF_A_PLAYER]


def test_every_list_has_a_row_and_logs_and_books_are_consistent(settings):
    settings.DEMO = True
    fill()
    annika = User.objects.get(username="annika")
    browser = sign_in_now(Client(), annika)
    empty = [each for each in addresses_of_lists(annika) if EMPTY in body(browser, each)]
    assert empty == []
    assert {label for label, count in rows().items() if not count} <= NOT_MADE
    assert set(Tournament.objects.values_list("state", flat=True)) >= {
        states.ANNOUNCED, states.RUNNING, states.FINISHED, states.CANCELED, states.PROPOSED,
    }  # fmt: skip
    assert set(Ticket.objects.values_list("state", flat=True)) == set(Ticket.State)
    assert has_both(Silence.objects.filter(appealed_at__isnull=False), "answered_at")
    assert has_both(Case.objects.all(), "closed_at")
    assert has_both(Picture.objects.all(), "checked_at")
    assert Payment.objects.filter(state=Payment.State.REFUNDED).exists()
    assert CasePerson.objects.filter(refund__isnull=False).exists()
    for match in Match.objects.all():
        assert_log_folds(match)
    assert_books_balance()


def has_both(found: QuerySet[Any], decided_at: str) -> bool:
    """Return whether some rows wait for staff and some are decided."""
    return {True, False} == {row[decided_at] is None for row in found.values(decided_at)}


def body(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_a_second_run_makes_nothing(settings):
    settings.DEMO = True
    first = fill()
    assert all(word in first for word in (STAFF_LOGIN, "Finished matches", "Tournaments"))
    assert User.objects.filter(username__in=[each.login for each in PEOPLE]).count() == len(PEOPLE)
    before = rows()
    assert fill() == ""
    assert rows() == before
