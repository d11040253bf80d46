"""Staff who are not superusers cannot give themselves or others any right."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import RequestFactory
from django.urls import reverse

from accounts.models import User
from tests.accounts.factories import member, sign_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def group():
    return Group.objects.create(name="helpers")


@pytest.fixture
def helper(client, group):
    """Sign in a staff member who has every permission and belongs to a group."""
    helper = member("helper")
    User.objects.filter(pk=helper.pk).update(is_staff=True)
    helper.user_permissions.set(Permission.objects.all())
    helper.groups.add(group)
    sign_in(client, helper)
    return helper


def test_staff_do_not_give_rights_to_their_own_group(client, helper, group):
    asked = {"name": "helpers", "permissions": [Permission.objects.first().pk]}
    answer = client.post(reverse("admin:auth_group_change", args=[group.pk]), asked)
    assert answer.status_code == 403
    assert not group.permissions.exists()


def test_staff_neither_add_nor_delete_groups(client, helper, group):
    assert client.post(reverse("admin:auth_group_add"), {"name": "more"}).status_code == 403
    address = reverse("admin:auth_group_delete", args=[group.pk])
    assert client.post(address, {"post": "yes"}).status_code == 403
    assert list(Group.objects.all()) == [group]


def test_staff_see_groups(client, helper, group):
    page = client.get(reverse("admin:auth_group_change", args=[group.pk])).content.decode()
    assert "helpers" in page
    assert 'name="permissions"' not in page


def test_staff_do_not_make_themselves_superusers(client, helper, group):
    other = Group.objects.create(name="others")
    asked = {"is_superuser": "on", "is_staff": "on", "groups": [other.pk], "user_permissions": []}
    client.post(reverse("admin:accounts_user_change", args=[helper.pk]), asked)
    helper.refresh_from_db()
    assert not helper.is_superuser
    assert list(helper.groups.all()) == [group]
    assert helper.user_permissions.exists()


def test_superusers_edit_groups(client, group):
    sign_in(client, staff("chief"))
    right = Permission.objects.first()
    asked = {"name": "helpers", "permissions": [right.pk]}
    answer = client.post(reverse("admin:auth_group_change", args=[group.pk]), asked)
    assert answer.status_code == 302
    assert list(group.permissions.all()) == [right]


def test_no_page_of_the_administration_lets_staff_edit_a_right(helper):
    """Rights are rows of Group and Permission, and some fields of User; all are read-only."""
    request = RequestFactory().get("/admin/")
    request.user = helper
    rights = {"is_staff", "is_superuser", "groups", "user_permissions", "permissions"}
    for model, pages in admin.site._registry.items():
        if model in (Group, Permission):
            assert not pages.has_change_permission(request), model
            assert not pages.has_add_permission(request), model
        named = {field.name for field in model._meta.get_fields()} & rights
        if named and pages.has_change_permission(request):
            form = pages.get_form(request, None, change=True)
            assert not rights & set(form.base_fields), model


def test_a_group_keeps_its_right_on_emails_when_their_model_is_renamed(group):
    group.permissions.set(Permission.objects.filter(codename="view_outgoingemail"))
    migration = import_module("accounts.migrations.0011_outgoing_email")
    editor = SimpleNamespace(connection=connection)
    migration.restore_permissions(apps, editor)
    assert [right.codename for right in group.permissions.all()] == ["view_letter"]
    migration.rename_permissions(apps, editor)
    assert [right.codename for right in group.permissions.all()] == ["view_outgoingemail"]
