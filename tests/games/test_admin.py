"""Staff can read matches in the admin, but cannot edit them or see a sealed secret."""

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.engine.rules import Rules
from games.models import Action, Game, Interruption, Match, Seat
from games.services.dice import unseal
from tests.accounts.factories import UserFactory
from tests.games.factories import Sitting, StakeSitting
from tests.games.reviews.reviewing import finished, reviewed
from tests.wallet.factories import player, total_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def staff() -> Client:
    browser = Client()
    browser.force_login(UserFactory(username="staff", staff=True))
    return browser


@pytest.fixture
def sitting() -> Sitting:
    return Sitting(Rules.of("short")).sit().start_game()


def pages_of(sitting: Sitting) -> list[str]:
    match, action = sitting.match, sitting.match.actions.get(seq=1)
    return [
        reverse("admin:games_match_changelist"),
        reverse("admin:games_match_change", args=[match.pk]),
        reverse("admin:games_action_changelist"),
        reverse("admin:games_action_change", args=[action.pk]),
    ]


def test_staff_can_find_a_match_and_its_log(staff: Client, sitting: Sitting) -> None:
    for address in pages_of(sitting):
        answer = staff.get(address)
        assert answer.status_code == 200, address
        assert sitting.public_id in answer.content.decode()


def test_no_admin_page_shows_the_sealed_secret(staff: Client, sitting: Sitting) -> None:
    secret = unseal(sitting.match.sealed_secret).hex()
    sealed = bytes(sitting.match.sealed_secret).decode()
    for address in pages_of(sitting):
        page = staff.get(address).content.decode()
        assert secret not in page
        assert sealed[:20] not in page
        assert "sealed" not in page.lower()


def test_review_list_does_not_load_judgments(staff: Client) -> None:
    sitting = finished(turns=1)
    review = reviewed(sitting)
    with CaptureQueriesContext(connection) as queries:
        listed = staff.get(reverse("admin:games_review_changelist"))
    assert sitting.public_id in listed.content.decode()
    assert not [each["sql"] for each in queries if "judgments" in each["sql"]]
    shown = staff.get(reverse("admin:games_review_change", args=[review.pk]))
    assert "chances" in shown.content.decode()


@pytest.mark.parametrize("what", ["match", "action"])
def test_rows_cannot_be_added_changed_or_deleted(
    staff: Client, sitting: Sitting, what: str
) -> None:
    row = sitting.match if what == "match" else sitting.match.actions.get(seq=1)
    addresses = [
        reverse(f"admin:games_{what}_add"),
        reverse(f"admin:games_{what}_change", args=[row.pk]),
        reverse(f"admin:games_{what}_delete", args=[row.pk]),
    ]
    for address in addresses:
        assert staff.post(address, {"phase": "finished", "post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    staff.post(reverse(f"admin:games_{what}_changelist"), chosen)
    row.refresh_from_db()


def test_visitor_is_redirected_to_sign_in(sitting: Sitting) -> None:
    for address in pages_of(sitting):
        assert Client().get(address).status_code == 302


def test_rows_have_a_readable_name(sitting: Sitting) -> None:
    assert str(sitting.match) == sitting.public_id
    for model in (Match, Seat, Game, Action):
        assert str(model.objects.first())


def test_staff_void_an_interrupted_match_with_a_logged_reason(staff: Client) -> None:
    interrupted = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    now = interrupted.now
    row = Interruption.objects.create(match=interrupted.match, began_at=now, ended_at=now)
    address = reverse("admin:games_interruption_changelist")
    chosen = {"action": "confirm_void", "_selected_action": [row.pk]}
    assert interrupted.public_id in staff.get(address).content.decode()
    asked = staff.post(address, chosen).content.decode()
    assert "Void these interrupted matches?" in asked
    assert interrupted.state.outcome is None
    assert staff.post(address, {**chosen, "confirmed": "yes", "reason": ""}).status_code == 422
    for _ in range(2):
        staff.post(address, {**chosen, "confirmed": "yes", "reason": "Both asked for it"})
    assert interrupted.state.outcome is not None
    assert [total_of(user) for user in interrupted.users.values()] == [1000, 1000]
    logged = [entry.change_message for entry in LogEntry.objects.all()]
    assert logged == ["Voided after an outage: Both asked for it"]
