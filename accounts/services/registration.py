"""From sign-up to activation: the account that waits, its letters, another address, the end.

Whether a mailbox is a member's already decides nothing here but which letter is written: page,
rows, waits and work are the same, or a visitor could find out who has an account.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification import (
    consume_email_verification_rate_limit,
)
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts import registrations
from accounts.gate import writing
from accounts.models import Preferences, User
from accounts.services import members

# After the n-th letter the next one waits 2 ** (n - 1) of these.
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(days=1)
MOST_CHANGES = 5
BATCH = 200


class LoginTaken(Exception):
    """Somebody else took the login in the same moment."""


class NotWaiting(Exception):
    """There is no such registration any more: activated, or forgotten."""


class TooSoon(Exception):
    """The next letter may be asked for at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class TooManyChanges(Exception):
    """The address was changed as often as it may be."""


def register(
    request: HttpRequest,
    login: str,
    email: str,
    password: str,
    language: str,
    guest: UUID | None,
    now: datetime,
) -> User:
    """Make the account that waits for its activation, and write its letter.

    Raises LoginTaken. `guest` is whom this browser was so far; his matches follow at activation.
    """
    hashed = make_password(password)  # takes long: before the transaction
    user = User(username=login, password=hashed, guest=guest, date_joined=now)
    try:
        with writing():
            lapsed = registrations.lapsed(now - registrations.KEPT_FOR)
            _delete(lapsed.filter(username__iexact=login))
            user.save()
            Preferences.objects.filter(user=user).update(language=language)
            address = EmailAddress.objects.create(user=user, email=email, primary=True)
            _write_letter(request, address, now, is_first=True)
    except IntegrityError:
        raise LoginTaken from None
    return user


def write_first(request: HttpRequest, user_id: int, now: datetime) -> None:
    """A letter to whom none is known of; whoever waits for one already gets no other."""
    if next_letter_at(user_id) is None:
        with suppress(NotWaiting):
            write_again(request, user_id, now)


def write_again(request: HttpRequest, user_id: int, now: datetime) -> None:
    """Another letter, with a longer wait after each. Raises NotWaiting or TooSoon."""
    with writing():
        address = _lock(user_id)
        until = next_letter_at(user_id)
        if until is not None and now < until:
            raise TooSoon(until)
        _write_letter(request, address, now)


def change_address(request: HttpRequest, user_id: int, email: str, now: datetime) -> None:
    """Wait for another mailbox; links sent to the old one are dead.

    Raises NotWaiting or TooManyChanges. The same address as before: nothing changes.
    """
    with writing():
        address = _lock(user_id)
        if address.email == email:
            return
        changes = cache.get(_name("changes", user_id), 0)
        if changes >= MOST_CHANGES:
            raise TooManyChanges
        cache.set(_name("changes", user_id), changes + 1, registrations.KEPT_FOR.total_seconds())
        EmailAddress.objects.filter(user_id=user_id).delete()
        address = EmailAddress.objects.create(user=address.user, email=email, primary=True)
        _write_letter(request, address, now)


def next_letter_at(user_id: int) -> datetime | None:
    """When the next letter may be asked for; None when no letter is known of."""
    count, written_at = cache.get(_name("letters", user_id), (0, None))
    if written_at is None:
        return None
    # The exponent is bounded for the sake of arithmetic, not of the rule.
    wait: timedelta = min(FIRST_WAIT * 2 ** min(count - 1, 20), LONGEST_WAIT)
    return written_at + wait


def confirm(address: EmailAddress, now: datetime) -> None:
    """The mailbox is his who followed the letter's link: it becomes the account's email.

    For accounts that wait; others that name the same mailbox can be activated no more.
    """
    with writing():
        user = User.objects.select_for_update().get(pk=address.user_id)
        if user.activated_at is not None:
            return
        EmailAddress.objects.filter(user=user).exclude(pk=address.pk).delete()
        User.objects.filter(pk=user.pk).update(email=address.email)
        members.activate(user.pk, now)


def forget(before: datetime) -> int:
    """Delete the registrations from before a moment; returns how many."""
    count = 0
    while True:
        with writing():
            deleted = _delete(registrations.lapsed(before).order_by("pk")[:BATCH])
        count += deleted
        if deleted < BATCH:
            return count


def _delete(lapsed: QuerySet[User]) -> int:
    """Delete what is still waiting once its rows are locked: a link may just be followed."""
    ids = list(lapsed.select_for_update(of=("self",)).values_list("pk", flat=True))
    User.objects.filter(pk__in=ids).delete()
    return len(ids)


def _lock(user_id: int) -> EmailAddress:
    """The address of a registration that stays one until the transaction ends."""
    list(User.objects.select_for_update().filter(pk=user_id))
    address = registrations.address_of(user_id)
    if address is None:
        raise NotWaiting
    return address


def _write_letter(
    request: HttpRequest, address: EmailAddress, now: datetime, is_first: bool = False
) -> None:
    """The link; or, to a member's mailbox, that it has an account. Too many to one: none."""
    _count_letter(address.user_id, now)
    if not consume_email_verification_rate_limit(request, address.email):
        return
    adapter = get_adapter(request)
    if registrations.is_mailbox_taken(address.email, address.user_id):
        adapter.send_account_already_exists_mail(address.email)
    else:
        adapter.send_confirmation_mail(request, EmailConfirmationHMAC(address), signup=is_first)


def _count_letter(user_id: int, now: datetime) -> None:
    """Kept in the cache: what is lost with it is a wait."""
    count, _ = cache.get(_name("letters", user_id), (0, None))
    kept = 2 * LONGEST_WAIT.total_seconds()
    cache.set(_name("letters", user_id), (count + 1, now), kept)


def _name(what: str, user_id: int) -> str:
    return f"registration:{what}:{user_id}"
