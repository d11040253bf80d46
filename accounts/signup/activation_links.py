"""Check the links of activation emails."""

from dataclasses import dataclass
from enum import StrEnum

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing

from accounts.signup import selectors

LIVES_S = settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS * 24 * 3600


class LinkStatus(StrEnum):
    READY = "ready"
    USED = "used"
    EXPIRED = "expired"
    # Another account has the mailbox by now.
    TAKEN = "taken"
    # Not signed by us, or the address was changed, or the account was deleted or closed.
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Link:
    status: LinkStatus
    address: EmailAddress | None = None


def read(key: str) -> Link:
    """Return the link of a key, which is the id of an EmailAddress, signed by allauth."""
    try:
        pk = signing.loads(key, salt=app_settings.SALT)
    except signing.BadSignature:
        return Link(LinkStatus.DEAD)
    address = EmailAddress.objects.select_related("user").filter(pk=pk).first()
    if address is None or address.user.closed_at is not None:
        return Link(LinkStatus.DEAD)
    return Link(_status(key, address), address)


def _status(key: str, address: EmailAddress) -> LinkStatus:
    if address.verified:
        return LinkStatus.USED
    if selectors.is_mailbox_taken(address.email, address.user_id):
        return LinkStatus.TAKEN
    try:
        signing.loads(key, salt=app_settings.SALT, max_age=LIVES_S)
    except signing.SignatureExpired:
        return LinkStatus.EXPIRED
    return LinkStatus.READY
