"""Users for tests, by role."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from accounts.members import services as members
from accounts.models import Profile, User

PASSWORD = "Gammon5stars"
_HASHED: dict[str, str] = {}


def member(login: str, **profile: Any) -> User:
    """Create an activated member with a verified address."""
    user = _account(login, verified=True)
    members.activate(user.pk, timezone.now())
    if profile:
        Profile.objects.filter(user=user).update(**profile)
    return User.objects.get(pk=user.pk)


def unactivated(login: str) -> User:
    """Create an account whose activation link was not followed."""
    return _account(login, verified=False)


def staff(login: str) -> User:
    """Create a superuser."""
    user = member(login)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    return user


def sign_in(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def _account(login: str, *, verified: bool) -> User:
    email = f"{login.lower()}@example.org"
    kept = email if verified else ""  # accounts/signup/selectors.py says why
    user = User.objects.create(username=login, email=kept, password=_hashed())
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=verified)
    return user


def _hashed() -> str:
    """Hash the password once for the whole run."""
    return _HASHED.setdefault(PASSWORD, make_password(PASSWORD))
