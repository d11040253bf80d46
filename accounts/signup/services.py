"""From sign-up to activation: create the account, send its emails, change its address, expire it.

If the mailbox already has an account, only the text of the email differs. Page, rows, delays and
work are the same; otherwise a visitor could find out who has an account.
"""

from contextlib import suppress
from datetime import date, datetime, timedelta
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.law.services import accept
from accounts.mail.mailboxes import one_mailbox
from accounts.members import services as members
from accounts.models import Preferences, User
from accounts.shared import rate_limits
from accounts.shared.rate_limits import Limit, TooMany
from accounts.shared.transactions import write_transaction
from accounts.signup import selectors

# After the n-th email the delay is 2 ** (n - 1) times this.
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(days=1)
MAX_CHANGES = 5  # changes of address for one registration
# A form that is sent again within this time gets the same answer as the first.
REPEATED_WITHIN = timedelta(minutes=2)
BATCH = 200  # registrations deleted in one transaction


class LoginTaken(Exception):
    """The login was taken concurrently."""


class NotWaiting(Exception):
    """The registration is activated or deleted."""


class TooSoon(Exception):
    """The next email may be requested at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class TooManyChanges(Exception):
    """The address was changed MAX_CHANGES times."""


def register(
    request: HttpRequest,
    login: str,
    email: str,
    password: str,
    language: str,
    guest: UUID | None,
    accepted: date | None,
    now: datetime,
) -> User:
    """Create an account that waits for activation, and send its email.

    Raises LoginTaken if the login was taken concurrently. `guest` is this browser's guest, whose
    matches the account takes over at activation; `accepted` is the version of the terms, or None
    if the site asks nobody to accept them.
    """
    hashed = make_password(password)  # slow, so before the transaction
    user = User(username=login, password=hashed, guest=guest, date_joined=now)
    try:
        with write_transaction():
            free_login(login, now)
            user.save()
            Preferences.objects.filter(user=user).update(language=language)
            if accepted:
                accept(user.pk, accepted, now)
            address = EmailAddress.objects.create(user=user, email=email, primary=True)
            _send_email(request, address, now, is_first=True)
    except IntegrityError:
        raise LoginTaken from None
    return user


def find_made(login: str, email: str, password: str, now: datetime) -> User | None:
    """Return the registration that these values have just made, as after a double press."""
    recent = selectors.waiting().filter(date_joined__gt=now - REPEATED_WITHIN)
    made = recent.filter(username__iexact=login).first()
    if made is None or not made.check_password(password):
        return None
    address = selectors.address_of(made.pk)
    return made if address is not None and address.email == email else None


def free_login(login: str, now: datetime) -> None:
    """Delete a login's lapsed registration. Call in the transaction that takes the login."""
    lapsed = selectors.lapsed(now - selectors.KEPT_FOR)
    _delete(lapsed.filter(username__iexact=login))


def send_first_email(request: HttpRequest, user_id: int, now: datetime) -> None:
    """Send an email unless one was sent before."""
    if next_email_at(user_id) is None:
        with suppress(NotWaiting):
            resend_email(request, user_id, now)


def resend_email(request: HttpRequest, user_id: int, now: datetime) -> None:
    """Send another email, with a longer delay each time. Raise NotWaiting or TooSoon."""
    with write_transaction():
        address = _lock(user_id)
        until = next_email_at(user_id)
        if until is not None and now < until:
            raise TooSoon(until)
        _send_email(request, address, now)


def change_address(request: HttpRequest, user_id: int, email: str, now: datetime) -> None:
    """Change the address that is to be confirmed; links sent to the old one stop working.

    Raises NotWaiting or TooManyChanges. Does nothing for the same address.
    """
    with write_transaction():
        address = _lock(user_id)
        if address.email == email:
            return
        changes = cache.get(_cache_key("changes", user_id), 0)
        if changes >= MAX_CHANGES:
            raise TooManyChanges
        cache.set(_cache_key("changes", user_id), changes + 1, selectors.KEPT_FOR.total_seconds())
        EmailAddress.objects.filter(user_id=user_id).delete()
        address = EmailAddress.objects.create(user=address.user, email=email, primary=True)
        _send_email(request, address, now)


def next_email_at(user_id: int) -> datetime | None:
    """Return when the next email may be requested; None when none was sent."""
    count, written_at = cache.get(_cache_key("emails", user_id), (0, None))
    if written_at is None:
        return None
    # The bound of 20 only keeps the arithmetic finite; LONGEST_WAIT limits the delay.
    wait: timedelta = min(FIRST_WAIT * 2 ** min(count - 1, 20), LONGEST_WAIT)
    return written_at + wait


def confirm(address: EmailAddress, now: datetime) -> None:
    """Activate the account by its emailed link and set its email.

    Other registrations of the same mailbox cannot be activated any more.
    """
    with write_transaction():
        user = User.objects.select_for_update().get(pk=address.user_id)
        if user.activated_at is not None:
            return
        EmailAddress.objects.filter(user=user).exclude(pk=address.pk).delete()
        User.objects.filter(pk=user.pk).update(email=address.email)
        members.activate(user.pk, now)


def lock_address(address: EmailAddress) -> bool:
    """Lock the address by the lock that `change_address` takes; return whether it still exists."""
    list(User.objects.select_for_update().filter(pk=address.user_id))
    return EmailAddress.objects.filter(pk=address.pk).exists()


def note_guest(user: User, guest: UUID | None) -> None:
    """Note the guest who began to play in the user's browser after the sign-up.

    The sign-in that follows moves the guest's matches to the account. Do nothing if a guest is
    noted already, or if this guest became another member.
    """
    if guest is None or user.guest is not None:
        return
    if User.objects.filter(guest=guest, activated_at__isnull=False).exists():
        return
    with write_transaction():
        User.objects.filter(pk=user.pk, guest=None, closed_at=None).update(guest=guest)
    user.guest = guest


def forget(before: datetime) -> int:
    """Delete registrations older than `before`; return their number."""
    count = 0
    while True:
        with write_transaction():
            deleted = _delete(selectors.lapsed(before).order_by("pk")[:BATCH])
        count += deleted
        if deleted < BATCH:
            return count


def _delete(lapsed: QuerySet[User]) -> int:
    """Lock the registrations; delete those still waiting: a link may be followed meanwhile."""
    ids = list(lapsed.select_for_update(of=("self",)).values_list("pk", flat=True))
    User.objects.filter(pk__in=ids).delete()
    return len(ids)


def _lock(user_id: int) -> EmailAddress:
    """Lock the registration and return its address; raise NotWaiting if it does not wait."""
    list(User.objects.select_for_update().filter(pk=user_id))
    address = selectors.address_of(user_id)
    if address is None:
        raise NotWaiting
    return address


def _send_email(
    request: HttpRequest, address: EmailAddress, now: datetime, is_first: bool = False
) -> None:
    """Email the link; or, to the mailbox of a member, a note that it has an account already.

    Send nothing above the mailbox's limits.
    """
    _count_email(address.user_id, now)
    mailbox = one_mailbox(address.email)  # other spellings of it share its limit
    limits = (
        Limit("confirm_email", rate_limits.from_network(request, mailbox)),
        Limit("confirm_email_anywhere", mailbox),
    )
    try:
        rate_limits.count(request, limits)
    except TooMany:
        return
    adapter = get_adapter(request)
    if selectors.is_mailbox_taken(address.email, address.user_id):
        adapter.send_account_already_exists_mail(address.email)
    else:
        adapter.send_confirmation_mail(request, EmailConfirmationHMAC(address), signup=is_first)


def _count_email(user_id: int, now: datetime) -> None:
    """Count in the cache: if the count is lost, only the delay before the next email is lost."""
    count, _ = cache.get(_cache_key("emails", user_id), (0, None))
    kept = 2 * LONGEST_WAIT.total_seconds()
    cache.set(_cache_key("emails", user_id), (count + 1, now), kept)


def _cache_key(what: str, user_id: int) -> str:
    return f"registration:{what}:{user_id}"
