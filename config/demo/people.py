"""The people of a demonstration: staff, members and "neighbors", as whom nobody can sign in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import check_password
from django.db.models import Q

from accounts.law import services as law
from accounts.law.versions import current_version
from accounts.members import services as members
from accounts.models import User
from accounts.profile import services as profiles
from accounts.shared.transactions import write_transaction
from wallet.limits.services import confirm_age

STAFF_LOGIN = "staff"
# This password is public, so it is only for a site that nobody else can reach.
PASSWORD = "Gammon5stars"
# Nobody receives email at this domain, which is reserved for examples.
EMAIL_DOMAIN = "example.org"
MEMBER_LOGINS = ("annika", "boris", "deniz", "elena")
# Time for which the people have been members when the demonstration is made.
MEMBERS_FOR = timedelta(days=21)


# Accounts by login.
People = Mapping[str, User]


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the demonstration; `level` is the bot's level at which they play."""

    login: str
    country: str
    level: str


PEOPLE = (
    Person("annika", "SE", "club"),
    Person("boris", "RU", "strong"),
    Person("deniz", "TR", "club"),
    Person("elena", "KZ", "casual"),
    Person("giorgi", "GE", "strong"),
    Person("leyla", "AZ", "casual"),
    Person("hakan", "TR", "club"),
    Person("marta", "DE", "beginner"),
    Person("arman", "AM", "strong"),
    Person("sofia", "BG", "casual"),
)
LEVELS = {person.login: person.level for person in PEOPLE}
# Nobody can sign in as one of these people: `manage.py demo` made everything that they have done.
NEIGHBORS = tuple(login for login in LEVELS if login not in MEMBER_LOGINS)


def make(now: datetime) -> list[str]:
    """Create the accounts that do not exist; return the logins of the new ones."""
    made = [STAFF_LOGIN] if _create(STAFF_LOGIN, now, now, is_staff=True) else []
    for person in PEOPLE:
        if _create(person.login, now - MEMBERS_FOR, now):
            made.append(person.login)
            _set_country(person)
    return made


def named(logins: Iterable[str]) -> People:
    return {user.username: user for user in User.objects.filter(username__in=list(logins))}


def logins_of_demonstration() -> list[str]:
    """Return the logins of demonstration accounts that can be used with the public password.

    Anybody may register such a login and choose this password, and must not stop the site from
    starting by it. Only accounts made by a demonstration are staff or have a verified address at
    example.org, where nobody can receive the email that verifies it.
    """
    logins = (STAFF_LOGIN, *MEMBER_LOGINS)
    is_made = Q(is_staff=True) | Q(email__endswith=f"@{EMAIL_DOMAIN}")
    found = User.objects.filter(is_made, username__in=logins, is_active=True).order_by("pk")
    return [user.username for user in found if check_password(PASSWORD, user.password)]


def _create(login: str, since: datetime, now: datetime, *, is_staff: bool = False) -> bool:
    """Make an account that has been active since `since`; return whether it is new."""
    known = User.objects.filter(username__iexact=login).first()
    if known is not None and known.email:
        return False
    # Older versions made the staff account without an email, so it could not sign in.
    user = known or User(username=login, is_staff=is_staff, is_superuser=is_staff)
    user.email = f"{login}@{EMAIL_DOMAIN}"
    if known is None:
        user.date_joined = since
        _set_password(user)
    with write_transaction():
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        members.activate(user.pk, since)
        confirm_age(user.pk, since)
        law.accept(user.pk, current_version(), now)
    return known is None


def _set_password(user: User) -> None:
    """Let anybody sign in as staff or as a member, and nobody as a neighbor."""
    if user.username in (STAFF_LOGIN, *MEMBER_LOGINS):
        user.set_password(PASSWORD)
    else:
        user.set_unusable_password()


def _set_country(person: Person) -> None:
    user = User.objects.get(username=person.login)
    fields = {"country": person.country, "shows_country": True}
    profiles.save(user.pk, fields, {}, keeps_picture=True)
