"""The ledger's admin pages are read-only.

Corrections and reversals have pages of their own (test_admin_corrections.py).
"""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from accounts.models import User
from accounts.shared.transactions import write_transaction
from tests.accounts.factories import member, sign_in
from tests.wallet.statements import account_of, give, reserve
from wallet.models import Account, Entry, Hold, Transfer
from wallet.services import transfers

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

MODELS = [Account, Transfer, Entry, Hold]


@pytest.fixture
def ledger():
    """Create at least one row of each model; return the owner of the account."""
    owner = member("owner")
    give(owner, 100)
    reserve(owner, 10)
    return owner


def snapshot():
    return [list(model.objects.order_by("pk").values()) for model in MODELS]


def address(model, page, *args):
    return reverse(f"admin:wallet_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", MODELS)
def test_staff_can_view_the_pages(client, boss, ledger, model):
    assert client.get(address(model, "changelist")).status_code == 200
    for row in model.objects.all():
        assert client.get(address(model, "change", row.pk)).status_code == 200
        assert client.get(address(model, "history", row.pk)).status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_the_pages_can_be_searched(client, boss, ledger, model):
    assert client.get(address(model, "changelist"), {"q": "owner"}).status_code == 200


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("page", ["add", "change", "delete"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_not_even_a_superuser_can_add_change_or_delete(client, boss, ledger, model, page, method):
    row = model.objects.order_by("pk").last()
    before = snapshot()
    data = {"amount_credits": 999, "balance_credits": 999, "state": "RELEASED", "post": "yes"}
    answer = getattr(client, method)(
        address(model, page, *([] if page == "add" else [row.pk])), data
    )
    assert answer.status_code == (200 if (page, method) == ("change", "get") else 403)
    assert snapshot() == before


@pytest.mark.parametrize("model", MODELS)
def test_no_bulk_action_is_offered(client, boss, ledger, model):
    before = snapshot()
    keys = list(model.objects.values_list("pk", flat=True))
    page = client.get(address(model, "changelist"))
    assert page.context["action_form"] is None
    for action in ("delete_selected", ""):
        data = {"action": action, "_selected_action": keys, "post": "yes", "_save": "Save"}
        client.post(address(model, "changelist"), data)
    assert snapshot() == before


def test_no_field_is_editable(client, boss, ledger):
    for model in MODELS:
        page = client.get(address(model, "change", model.objects.order_by("pk").last().pk))
        form = page.content.decode().split('id="content-main"')[1]
        assert "_save" not in form
        assert "<select" not in form
        assert 'type="text"' not in form


def test_a_member_with_an_account_cannot_be_deleted(client, boss, ledger):
    before = snapshot()
    client.post(reverse("admin:accounts_user_delete", args=[ledger.pk]), {"post": "yes"})
    assert User.objects.filter(pk=ledger.pk).exists()
    assert snapshot() == before


def test_staff_without_a_permission_see_nothing(client, ledger):
    clerk = member("clerk")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    sign_in(client, clerk)
    assert client.get(address(Account, "changelist")).status_code == 403


def test_staff_with_view_permission_see_no_correction_links(client, ledger):
    clerk = member("clerk")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_account"))
    sign_in(client, clerk)
    page = client.get(address(Account, "change", account_of(ledger).pk))
    assert page.status_code == 200
    assert b"/correct/" not in page.content


@pytest.mark.parametrize("who", [None, "stranger"])
def test_visitors_and_members_are_redirected_to_the_staff_sign_in(client, ledger, who):
    if who:
        sign_in(client, member(who))
    for model in MODELS:
        assert client.get(address(model, "changelist")).status_code == 302


def test_a_long_list_needs_no_query_per_row(client, boss, django_assert_max_num_queries):
    for number in range(12):
        give(member(f"player{number}"), 5)
    # The first request also notes the session and the device; the next ones do not.
    client.get(address(MODELS[0], "changelist"))
    for model in MODELS:
        with django_assert_max_num_queries(14):
            client.get(address(model, "changelist"))


def test_a_reversed_transfer_links_to_its_reversal(client, boss, ledger):
    given = give(ledger, 5)
    with write_transaction():
        done = transfers.reverse(given.pk, "A mistake.", boss.pk, given.created_at)
    page = client.get(address(Transfer, "change", given.pk)).content.decode()
    assert address(Transfer, "change", done.pk) in page
    assert "/reverse/" not in page
