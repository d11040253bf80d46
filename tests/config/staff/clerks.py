"""Members of the staff with one role."""

from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from config.staff.groups import make_groups
from tests.accounts.factories import member


def clerk(role: str) -> User:
    """Create a staff member with the role."""
    make_groups()
    made = member("clerk5")
    User.objects.filter(pk=made.pk).update(is_staff=True)
    made.groups.add(Group.objects.get(name=role))
    return User.objects.get(pk=made.pk)


def clerk_of(role: str) -> tuple[User, Client]:
    """Create a staff member with the role; return them and their signed-in browser."""
    user, browser = clerk(role), Client()
    browser.force_login(user)
    return user, browser
