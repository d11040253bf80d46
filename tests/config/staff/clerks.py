"""Members of the staff with one role."""

from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from config.staff.groups import make_groups
from tests.accounts.factories import member


def clerk_of(role: str) -> tuple[User, Client]:
    """Make a person of the staff with the role; return them and their signed-in browser."""
    make_groups()
    clerk = member("clerk5")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    clerk.groups.add(Group.objects.get(name=role))
    browser = Client()
    browser.force_login(clerk)
    return clerk, browser
