"""Accounts that wait for their activation, and what they keep others from.

A registration is a user with one unconfirmed address and nothing in `User.email`: any number of
them may name the same mailbox, and the one whose letter is followed gets it. So nobody can occupy
another's address, and a mailbox that is a member's already looks like any other: a registration
that can never be activated, and a letter that says so to the mailbox's owner alone.
"""

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from accounts.models import User
from accounts.retired_logins import is_retired

# A login is not kept for ever for somebody who never came back.
KEPT_FOR = timedelta(days=30)


def waiting() -> QuerySet[User]:
    """Accounts with an address that nobody has confirmed, and none that somebody has."""
    confirmed = EmailAddress.objects.filter(verified=True).values("user_id")
    unconfirmed = EmailAddress.objects.filter(verified=False).values("user_id")
    users = User.objects.filter(pk__in=unconfirmed, activated_at=None, closed_at=None)
    return users.exclude(pk__in=confirmed)


def lapsed(before: datetime) -> QuerySet[User]:
    """Registrations from before a moment. Whoever staff let in otherwise is none."""
    return waiting().filter(date_joined__lt=before, last_login=None, is_staff=False)


def is_login_taken(login: str, now: datetime) -> bool:
    """Whether somebody has the login, or had it before closing; whatever the letters' case."""
    if is_retired(login):
        return True
    holders = User.objects.filter(username__iexact=login)
    return holders.exclude(pk__in=lapsed(now - KEPT_FOR)).exists()


def is_mailbox_taken(email: str, besides: int | None = None) -> bool:
    """Whether the mailbox is an account's (`besides` that one). Told to nobody but the mailbox."""
    if EmailAddress.objects.is_verified(email):
        return True
    others = User.objects.filter(email__iexact=email)
    if besides is not None:
        others = others.exclude(pk=besides)
    return others.exists()


def address_of(user_id: int) -> EmailAddress | None:
    """The address that a registration waits for; None for anybody else."""
    addresses = EmailAddress.objects.filter(user__in=waiting().filter(pk=user_id))
    return addresses.select_related("user").order_by("-primary", "-pk").first()
