"""Add an email to an account that came without one, through another site.

The address is stored only when the emailed link is followed, so that nobody can occupy another
person's address. The page answers the same whether the address is taken or not.
"""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.utils import build_absolute_uri
from django.core import signing
from django.db import IntegrityError
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.mail.backend import emails_of
from accounts.mail.mailboxes import one_mailbox
from accounts.members import identities
from accounts.models import User
from accounts.people.locks import lock_unclosed
from accounts.shared import rate_limits
from accounts.shared.rate_limits import Limit
from accounts.shared.transactions import write_transaction
from accounts.signup.login_rules import normalize_email
from accounts.signup.selectors import is_mailbox_taken

SALT = "accounts.addresses"
LINK_LIVES_S = 3 * 24 * 3600


class DeadLink(Exception):
    """The link expired, the account has an email already, or the email has an account."""


def offer(request: HttpRequest, user: User, email: str) -> None:
    """Email the link, or, if the mailbox has an account, a note saying so.

    Either email is deleted with the account that asked for it. Raises TooMany.
    """
    email = normalize_email(email)
    # Counted by account and mailbox together, and by the mailbox alone only up to a higher limit:
    # else another account could soon use up the attempts of the mailbox's owner.
    mailbox = one_mailbox(email)
    limits = Limit("add_email", f"{user.pk} {mailbox}"), Limit("add_email_anywhere", mailbox)
    rate_limits.count(request, limits)
    adapter = get_adapter(request)
    with write_transaction(), emails_of(user.pk):
        if not lock_unclosed(user.pk):
            return
        if is_mailbox_taken(email):
            adapter.send_account_already_exists_mail(email)
            return
        token = signing.dumps([user.pk, email], salt=SALT)
        path = reverse("account_confirm_added_email", args=[token])
        context = {"user": user, "add_email_url": build_absolute_uri(request, path)}
        adapter.send_mail("account/email/add_email", email, context)


def read(token: str) -> tuple[User, str]:
    """Return the link's user and address; raise DeadLink if the link is no longer valid."""
    try:
        user_id, email = signing.loads(token, salt=SALT, max_age=LINK_LIVES_S)
    except signing.BadSignature:
        raise DeadLink from None
    user = User.objects.filter(pk=user_id, is_active=True, closed_at__isnull=True).first()
    if user is None or is_mailbox_taken(email) or user.email:
        raise DeadLink
    return user, email


def confirm(token: str) -> User:
    """Set the account's email; raise DeadLink if the link is no longer valid."""
    try:
        with write_transaction():
            user, email = read(token)
            # Waits for the member's row, which a closing or another link may have locked.
            still_open = User.objects.filter(pk=user.pk, is_active=True, closed_at=None, email="")
            if not still_open.update(email=email):
                raise DeadLink
            EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
            identities.remember(user.pk, timezone.now())
    except IntegrityError:  # taken concurrently
        raise DeadLink from None
    return user
