"""Accounts that wait for activation, and the logins and mailboxes they reserve.

A registration is a user with one unconfirmed address and an empty `User.email` (only a user made
by `createsuperuser` has it set). Any number of registrations may name the same mailbox, and the one
whose link is followed gets it. So nobody can occupy another's address. A registration that names a
member's mailbox looks like any other but can never be activated; only the mailbox's owner learns of
it, by email.
"""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts.models import User
from accounts.signup.retired_logins import is_retired

# After this time another sign-up may take the login.
KEPT_FOR = timedelta(days=30)


def waiting() -> QuerySet[User]:
    """Return accounts, neither activated nor closed, whose only addresses are unconfirmed."""
    confirmed = EmailAddress.objects.filter(verified=True).values("user_id")
    unconfirmed = EmailAddress.objects.filter(verified=False).values("user_id")
    users = User.objects.filter(pk__in=unconfirmed, activated_at=None, closed_at=None)
    return users.exclude(pk__in=confirmed)


def lapsed(before: datetime) -> QuerySet[User]:
    """Return registrations older than `before`, except those of staff or of users who signed in."""
    return waiting().filter(date_joined__lt=before, last_login=None, is_staff=False)


def is_login_taken(login: str, now: datetime) -> bool:
    """Return whether an open or closed account has the login, regardless of case."""
    if is_retired(login):
        return True
    holders = User.objects.filter(username__iexact=login)
    return holders.exclude(pk__in=lapsed(now - KEPT_FOR)).exists()


def is_mailbox_taken(email: str, besides: int | None = None) -> bool:
    """Return whether an account has the mailbox. Only an email to the mailbox may reveal this.

    `besides`: a user whose `User.email` does not count.
    """
    if EmailAddress.objects.is_verified(email):
        return True
    others = User.objects.filter(email__iexact=email)
    if besides is not None:
        others = others.exclude(pk=besides)
    return others.exists()


def address_of(user_id: int) -> EmailAddress | None:
    """Return the address a registration waits for, or None for any other user."""
    addresses = EmailAddress.objects.filter(user__in=waiting().filter(pk=user_id))
    return addresses.select_related("user").order_by("-primary", "-pk").first()
