"""Users for tests, by role."""

import time
from functools import cache
from typing import Any

import factory
from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY,
    AUTHENTICATION_METHODS_SESSION_KEY,
)
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone
from factory.django import DjangoModelFactory

from accounts.members import services as members
from accounts.models import Profile, User

PASSWORD = "Gammon5stars"


@cache
def password_hash() -> str:
    """Return a hash of PASSWORD, computed once for all users because hashing is slow."""
    return make_password(PASSWORD)


def address_of(login: str) -> str:
    return f"{login.lower()}@example.org"


class UserFactory(DjangoModelFactory[User]):
    """A user who cannot sign in; `member=True` or `staff=True` gives them that role."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    class Params:
        member = factory.Trait(activated_at=factory.LazyFunction(timezone.now))
        staff = factory.Trait(member=True, is_staff=True, is_superuser=True)

    username = factory.Sequence("user{}".format)
    email = factory.LazyAttribute(lambda user: address_of(user.username))
    password = factory.LazyFunction(lambda: make_password(None))


class RegisteredFactory(UserFactory):
    """A user as sign-up leaves them, with PASSWORD and an unverified address.

    `verified=True` verifies the address and stores it as `email` too. `activated=True` activates
    the account by the service.
    """

    class Params:
        verified = False

    # An unverified address is never copied to `email`: several accounts may claim the same one.
    email = factory.LazyAttribute(lambda user: address_of(user.username) if user.verified else "")
    password = factory.LazyFunction(password_hash)

    @factory.post_generation
    def address(user: User, create: bool, extracted: str | None, **kwargs: Any) -> None:
        EmailAddress.objects.create(
            user=user,
            email=extracted or address_of(user.username),
            primary=True,
            verified=bool(user.email),
        )

    @factory.post_generation
    def activated(user: User, create: bool, extracted: bool | None, **kwargs: Any) -> None:
        if extracted:
            members.activate(user.pk, timezone.now())


def member(login: str, **profile: Any) -> User:
    """Create an activated member with a verified address."""
    user = RegisteredFactory(username=login, verified=True, activated=True)
    if profile:
        Profile.objects.filter(user=user).update(**profile)
    return User.objects.get(pk=user.pk)


def unactivated(login: str) -> User:
    """Create an account whose activation link was not followed."""
    return RegisteredFactory(username=login)


def staff(login: str) -> User:
    """Create a superuser."""
    user = RegisteredFactory(
        username=login, verified=True, activated=True, is_staff=True, is_superuser=True
    )
    return User.objects.get(pk=user.pk)


def sign_in(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def sign_in_now(client: Client, user: User) -> Client:
    """Sign in as if by a password just now, as changes to the ways of signing in require."""
    client.force_login(user)
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": time.time()}]
    session[_AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session.save()
    return client


def session_key(user: User | None = None) -> str:
    """Return the key of a new session, of this user or of a guest."""
    if user is None:
        session = SessionStore()
        session.create()
        return str(session.session_key)
    return str(sign_in(Client(), user).session.session_key)
