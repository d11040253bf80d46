"""Staff search, ban and unban members in the admin; superusers edit rights, nothing else."""

from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts import broadcast
from accounts.admin import UserAdmin
from accounts.closing import services as closing
from accounts.models import OutgoingEmail, User
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
USERS = "/admin/accounts/user/"


@pytest.fixture
def anna():
    return member("annika")


@pytest.fixture
def helper():
    """Create a staff member who may change members but is not a superuser."""
    helper = member("helper1")
    helper.is_staff = True
    helper.save()
    rights = Permission.objects.filter(codename__in=["view_user", "change_user"])
    helper.user_permissions.set(rights)
    return helper


def act(client, action, *users, **more):
    return client.post(
        USERS, {"action": action, "_selected_action": [user.pk for user in users], **more}
    )


def confirm(client, action, *users, reason="Threats in the chat"):
    return act(client, action, *users, confirmed="yes", reason=reason)


def is_banned(user):
    return not User.objects.get(pk=user.pk).is_active


def test_banned_member_is_signed_out_and_cannot_return(
    client, boss, anna, monkeypatch, django_capture_on_commit_callbacks
):
    closed = []
    monkeypatch.setattr(broadcast, "close_user", closed.append)
    browser = sign_in(Client(), anna)
    assert browser.get("/account/sessions/").status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        confirm(client, "ban", anna)
    assert closed == [anna.pk]
    assert browser.get("/account/sessions/").status_code == 302
    again = browser.post("/account/login/", {"login": "annika", "password": PASSWORD})
    assert again["Location"] == "/account/inactive/"


def test_ban_needs_confirmation_and_a_reason(client, boss, anna):
    page = act(client, "ban", anna)
    assert page.status_code == 200
    assert "annika" in page.content.decode()
    assert confirm(client, "ban", anna, reason="").status_code == 422
    assert not is_banned(anna)


def test_reason_is_logged(client, boss, anna):
    confirm(client, "ban", anna)
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (boss, str(anna.pk))
    assert entry.change_message == "Banned: Threats in the chat"


def test_unban_is_logged_and_lets_the_member_sign_in(client, boss, anna):
    confirm(client, "ban", anna)
    confirm(client, "unban", anna, reason="Has apologized")
    assert not is_banned(anna)
    assert LogEntry.objects.first().change_message == "Unbanned: Has apologized"
    browser = Client()
    data = {"login": "annika", "password": PASSWORD}
    assert browser.post("/account/login/", data).status_code == 302


def test_second_ban_is_not_logged(client, boss, anna):
    confirm(client, "ban", anna)
    confirm(client, "ban", anna)
    assert LogEntry.objects.count() == 1


def test_staff_cannot_ban_themselves(client, boss):
    confirm(client, "ban", boss)
    assert not is_banned(boss)


def test_only_superusers_ban_staff(client, boss, helper):
    sign_in(client, helper)
    confirm(client, "ban", boss)
    assert not is_banned(boss)
    sign_in(client, boss)
    confirm(client, "ban", helper)
    assert is_banned(helper)


def test_closed_account_cannot_be_unbanned(client, boss, anna):
    User.objects.filter(pk=anna.pk).update(is_active=False, closed_at=timezone.now())
    confirm(client, "unban", anna)
    assert is_banned(anna)


def test_staff_with_view_permission_cannot_ban(client, helper, anna):
    helper.user_permissions.set(Permission.objects.filter(codename="view_user"))
    sign_in(client, helper)
    confirm(client, "ban", anna)
    assert not is_banned(anna)


def test_member_who_is_not_staff_cannot_ban(client, anna):
    sign_in(client, member("boris1"))
    assert confirm(client, "ban", anna).status_code == 302
    assert not is_banned(anna)


# --- The page of a member ------------------------------------------------------------------------


def test_staff_cannot_edit_members_or_rights(client, helper, anna):
    sign_in(client, helper)
    for user in (anna, helper):
        client.post(
            f"{USERS}{user.pk}/change/",
            {"username": "other1", "public_id": "x", "is_superuser": "on", "is_staff": "on"},
        )
    anna.refresh_from_db()
    helper.refresh_from_db()
    assert (anna.username, anna.is_staff, helper.is_superuser) == ("annika", False, False)


def test_superuser_edits_rights_only(client, boss, anna):
    public_id = anna.public_id
    form = {
        "is_staff": "on",
        "username": "other1",
        "public_id": "x",
        "email": "x@example.org",
        "emailaddress_set-TOTAL_FORMS": 0,
        "emailaddress_set-INITIAL_FORMS": 0,
    }
    assert client.post(f"{USERS}{anna.pk}/change/", form).status_code == 302
    anna.refresh_from_db()
    assert anna.is_staff
    assert (anna.username, anna.public_id, anna.email) == (
        "annika",
        public_id,
        "annika@example.org",
    )


def test_rights_saved_while_the_member_closes_the_account_do_not_restore_it(anna):
    read_before = User.objects.get(pk=anna.pk)
    closing.close(anna.pk, timezone.now())
    read_before.is_staff = True
    form = SimpleNamespace(changed_data=["is_staff"])
    UserAdmin(User, admin.site).save_model(None, read_before, form, change=True)
    anna.refresh_from_db()
    assert anna.closed_at is not None
    assert (anna.is_active, anna.email) == (False, "")
    assert anna.username != "annika"


@pytest.mark.parametrize("changed", [["is_staff"], ["groups"]])
def test_only_changed_rights_are_written(anna, changed):
    read_before = User.objects.get(pk=anna.pk)
    User.objects.filter(pk=anna.pk).update(is_superuser=True)
    read_before.is_staff = True
    form = SimpleNamespace(changed_data=changed)
    UserAdmin(User, admin.site).save_model(None, read_before, form, change=True)
    anna.refresh_from_db()
    assert (anna.is_staff, anna.is_superuser) == ("is_staff" in changed, True)


@pytest.mark.parametrize("page", ["add/", "{pk}/delete/", "{pk}/password/"])
def test_members_cannot_be_added_deleted_or_given_passwords(client, boss, anna, page):
    address = USERS + page.format(pk=anna.pk)
    assert client.get(address).status_code in (302, 403, 404)
    assert client.post(address, {"post": "yes"}).status_code in (302, 403, 404)
    assert User.objects.filter(pk=anna.pk).exists()


@pytest.mark.parametrize("words", ["ANNI", "annika@ex", "{public_id}"])
def test_member_is_found_by_login_email_or_public_id(client, boss, anna, words):
    member("boris1")
    page = client.get(USERS, {"q": words.format(public_id=anna.public_id)}).content.decode()
    assert f"{USERS}{anna.pk}/change/" in page
    assert "boris1" not in page


def test_state_filter_selects_each_state(client, boss, anna):
    unactivated("boris1")
    banned, closed = member("clara1"), member("deniz1")
    User.objects.filter(pk=banned.pk).update(is_active=False)
    User.objects.filter(pk=closed.pk).update(is_active=False, closed_at=timezone.now())
    shown = {
        state: client.get(USERS, {"state": state}).content.decode()
        for state in ("member", "waiting", "barred", "closed")
    }
    assert "annika" in shown["member"]
    assert "boris1" in shown["waiting"]
    assert "clara1" in shown["barred"]
    assert "clara1" not in shown["member"] + shown["waiting"] + shown["closed"]
    assert "deniz1" in shown["closed"]
    assert "deniz1" not in shown["member"] + shown["waiting"] + shown["barred"]


def test_emails_are_listed_without_their_text(client, boss):
    now = timezone.now()
    email = OutgoingEmail.objects.create(
        to="a@example.org", subject="Hello", text="http://secret.example/", created_at=now
    )
    for page in (
        "/admin/accounts/outgoingemail/",
        f"/admin/accounts/outgoingemail/{email.pk}/change/",
    ):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "a@example.org" in answer.content.decode()
        assert "secret.example" not in answer.content.decode()
