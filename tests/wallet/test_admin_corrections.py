"""Staff correct an account or reverse a transfer.

Each of these actions has a preview and a reason, is done only once and is logged.
"""

import re
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.shared.transactions import write_transaction
from tests.accounts.factories import member, sign_in
from tests.wallet.statements import START, account_of, give, reserve
from wallet import broadcast
from wallet.errors import NotInTransaction, WalletError
from wallet.models import Account, Entry, Transfer
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, corrections

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_welcome(settings):
    settings.WELCOME_CREDITS = 0


@pytest.fixture
def owner():
    owner = member("owner")
    give(owner, 100)
    return owner


@pytest.fixture
def clerk(client):
    """Create and sign in a staff member who may only view and correct."""
    clerk = member("clerk")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    rights = ["view_account", "view_transfer", "correct"]
    clerk.user_permissions.set(
        Permission.objects.filter(content_type__app_label="wallet", codename__in=rights)
    )
    sign_in(client, clerk)
    return clerk


def correct_url(user):
    return reverse("admin:wallet_account_correct", args=[account_of(user).pk])


def reverse_url(transfer):
    return reverse("admin:wallet_transfer_reverse", args=[transfer.pk])


def filled(credits, reason="Paid late.", **more):
    return {"credits": credits, "reason": reason, "key": str(uuid4()), **more}


def values_of(page):
    """Return the hidden fields of the preview, which its button sends."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


# --- Correcting an account -------------------------------------------------------------------


@pytest.mark.parametrize("credits", [30, -30])
def test_a_correction_is_previewed_then_confirmed(client, boss, owner, credits):
    preview = client.post(correct_url(owner), filled(credits)).content.decode()
    assert "Preview of the change" in preview
    assert f"<td>{100 + credits}</td>" in preview
    assert funds_of(owner.pk).available == 100
    values = {**values_of(preview), "confirmed": "1"}
    done = client.post(correct_url(owner), values)
    assert done.url == reverse("admin:wallet_account_change", args=[account_of(owner).pk])
    assert funds_of(owner.pk).available == 100 + credits


def test_a_correction_is_balanced_by_the_house_and_names_staff_and_reason(client, boss, owner):
    client.post(correct_url(owner), filled(30, confirmed="1"))
    done = Transfer.objects.get(cause="correction")
    assert (done.reason, done.by) == ("Paid late.", boss)
    with write_transaction():
        balancing = accounts.house(House.CORRECTION)
    assert Entry.objects.get(transfer=done, account=balancing).amount_credits == -30


def test_a_repeated_form_is_done_and_logged_once(client, boss, owner):
    values = filled(-80, confirmed="1")
    answers = [client.post(correct_url(owner), values) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert funds_of(owner.pk).available == 20
    assert LogEntry.objects.count() == 1


def test_every_form_has_a_token_of_its_own(client, boss, owner):
    tokens = {values_of(client.get(correct_url(owner)).content.decode())["key"] for _ in range(2)}
    assert len(tokens) == 2


def test_a_reused_token_with_other_content_is_refused(client, boss, owner):
    values = filled(30, confirmed="1")
    client.post(correct_url(owner), values)
    again = client.post(correct_url(owner), {**values, "credits": 31})
    assert again.status_code == 422
    assert "already sent with other values" in again.content.decode()
    assert funds_of(owner.pk).available == 130


def test_a_correction_is_in_the_admins_history(client, boss, owner):
    client.post(correct_url(owner), filled(-30, "Paid twice.", confirmed="1"))
    history = reverse("admin:wallet_account_history", args=[account_of(owner).pk])
    page = client.get(history).content.decode()
    assert "Corrected by -30: Paid twice." in page
    assert boss.username in page


def test_the_member_is_nudged_and_sees_the_correction(
    client, boss, owner, monkeypatch, django_capture_on_commit_callbacks
):
    nudges = []
    monkeypatch.setattr(broadcast, "nudge", lambda *nudge: nudges.append(nudge))
    with django_capture_on_commit_callbacks(execute=True):
        client.post(correct_url(owner), filled(30, "Prize of spring.", confirmed="1"))
    assert nudges == [(owner.pk, "balance")]
    sign_in(client, owner)
    assert "Prize of spring." in client.get(reverse("wallet:statement")).content.decode()


@pytest.mark.parametrize("step", [{}, {"confirmed": "1"}])
def test_insufficient_funds_are_refused_with_the_shortfall(client, boss, owner, step):
    answer = client.post(correct_url(owner), filled(-130, **step))
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "owner has 100 available: 30 credits are missing." in text
    assert not Transfer.objects.filter(cause="correction").exists()
    assert not LogEntry.objects.exists()


def test_reserved_credits_are_not_taken(client, boss, owner):
    reserve(owner, 60)
    answer = client.post(correct_url(owner), filled(-50, confirmed="1"))
    assert "owner has 40 available: 10 credits are missing." in answer.content.decode()


@pytest.mark.parametrize(
    ("values", "error"),
    [
        (filled(30, reason=" "), "This field is required."),
        (filled(30, reason="x" * 301), "at most 300 characters"),
        (filled(0), "Nothing would change."),
        (filled("1.5"), "Enter a whole number."),
        (filled("1.000"), "Enter a whole number."),
        (filled(10**13), "less than or equal to"),
        (filled(5, key="mine"), "Nothing has changed"),
    ],
)
def test_invalid_input_is_refused(client, boss, owner, values, error):
    answer = client.post(correct_url(owner), {**values, "confirmed": "1"})
    assert answer.status_code == 422
    assert error in answer.content.decode()
    assert funds_of(owner.pk).available == 100


def test_editing_after_the_preview_keeps_the_input(client, boss, owner):
    page = client.post(correct_url(owner), filled(30, "Typed.", edit="1")).content.decode()
    assert 'value="30"' in page
    assert "Typed." in page
    assert "Confirm" not in page


@pytest.mark.parametrize("credits", [30, -30])
@pytest.mark.parametrize("role", ["boss", "clerk"])
def test_staff_cannot_correct_their_own_account(client, request, role, credits):
    """This holds for superusers too: nobody would check credits that staff give themselves."""
    own = request.getfixturevalue(role)
    give(own, 100)
    answer = client.post(correct_url(own), filled(credits, confirmed="1"))
    assert answer.status_code == 422
    assert "This is your own account" in answer.content.decode()
    assert funds_of(own.pk).available == 100
    assert not LogEntry.objects.exists()


def test_staff_cannot_reverse_their_own_transfer(client, boss):
    given = give(boss, 100)
    answer = client.post(reverse_url(given), {"reason": "A mistake.", "confirmed": "1"})
    assert answer.status_code == 422
    assert "This is your own account" in answer.content.decode()
    assert funds_of(boss.pk).available == 100


def test_house_accounts_cannot_be_corrected(client, boss, owner):
    house = Account.objects.filter(kind=Account.Kind.HOUSE).first()
    page = reverse("admin:wallet_account_correct", args=[house.pk])
    assert client.get(page).status_code == 404


# --- Reversing a transfer --------------------------------------------------------------------


def test_a_reversal_is_previewed_then_confirmed(client, boss, owner):
    given = give(owner, 40)
    preview = client.post(reverse_url(given), {"reason": "A mistake."}).content.decode()
    assert "<td>100</td>" in preview
    assert funds_of(owner.pk).available == 140
    done = client.post(reverse_url(given), {"reason": "A mistake.", "confirmed": "1"})
    assert done.url == reverse("admin:wallet_transfer_change", args=[given.pk])
    assert funds_of(owner.pk).available == 100
    assert given.reversal.reason == "A mistake."


def test_a_repeated_reversal_is_done_once(client, boss, owner):
    given = give(owner, 40)
    for _ in range(2):
        client.post(reverse_url(given), {"reason": "A mistake.", "confirmed": "1"})
    assert funds_of(owner.pk).available == 100
    assert LogEntry.objects.filter(object_id=str(given.pk)).count() == 1
    assert "can be reversed only once." in client.get(reverse_url(given)).content.decode()


@pytest.mark.parametrize("step", [{}, {"confirmed": "1"}])
def test_a_reversal_of_spent_credits_is_refused(client, boss, owner, step):
    given = give(owner, 40)
    give(owner, -120)
    answer = client.post(reverse_url(given), {"reason": "A mistake.", **step})
    assert answer.status_code == 422
    assert "owner has 20 available: 20 credits are missing." in answer.content.decode()
    assert funds_of(owner.pk).available == 20


def test_a_reversal_needs_a_reason(client, boss, owner):
    answer = client.post(reverse_url(give(owner, 40)), {"reason": "", "confirmed": "1"})
    assert answer.status_code == 422
    assert funds_of(owner.pk).available == 140


# --- Permissions -----------------------------------------------------------------------------


def test_the_right_to_correct_is_enough(client, clerk, owner):
    client.post(correct_url(owner), filled(30, confirmed="1"))
    client.post(reverse_url(give(owner, 5)), {"reason": "A mistake.", "confirmed": "1"})
    assert funds_of(owner.pk).available == 130
    assert {log.user for log in LogEntry.objects.all()} == {clerk}


@pytest.mark.parametrize("method", ["get", "post"])
def test_staff_without_the_permission_are_refused(client, clerk, owner, method):
    clerk.user_permissions.remove(Permission.objects.get(codename="correct"))
    given = give(owner, 5)
    for page in (correct_url(owner), reverse_url(given)):
        answer = getattr(client, method)(page, filled(30, confirmed="1"))
        assert answer.status_code == 403
    assert funds_of(owner.pk).available == 105


@pytest.mark.parametrize("who", [None, "stranger"])
def test_others_are_redirected_to_the_staff_sign_in(client, owner, who):
    if who:
        sign_in(client, member(who))
    for page in (correct_url(owner), reverse_url(give(owner, 5))):
        assert client.post(page, filled(30, confirmed="1")).status_code == 302
    assert funds_of(owner.pk).available == 105


def test_a_form_without_csrf_token_is_refused(boss, owner):
    strict = sign_in(Client(enforce_csrf_checks=True), boss)
    assert strict.post(correct_url(owner), filled(30, confirmed="1")).status_code == 403


# --- The services ----------------------------------------------------------------------------


def test_a_correction_without_a_reason_is_refused(owner):
    with write_transaction(), pytest.raises(WalletError):
        corrections.correct("k", account_of(owner).pk, 5, "  ", owner.pk, START)


@pytest.mark.django_db(transaction=True)
def test_corrections_need_a_transaction(owner):
    account_id = account_of(owner).pk
    with pytest.raises(NotInTransaction):
        corrections.correct("k", account_id, 5, "Why.", owner.pk, START)
    with pytest.raises(NotInTransaction):
        corrections.reverse(Transfer.objects.first().pk, "Why.", owner.pk, START)
