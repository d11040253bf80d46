"""What the link of an activation letter is worth."""

from dataclasses import dataclass
from enum import StrEnum

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing

from accounts import registrations

LIVES_S = settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS * 24 * 3600


class Worth(StrEnum):
    READY = "ready"
    USED = "used"
    EXPIRED = "expired"
    # The mailbox became another account's before.
    TAKEN = "taken"
    # Never sent by us, or the address was changed since, or nobody followed it for too long.
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Link:
    worth: Worth
    address: EmailAddress | None = None


def read(key: str) -> Link:
    """The key is allauth's: the address' number, signed."""
    try:
        pk = signing.loads(key, salt=app_settings.SALT)
    except signing.BadSignature:
        return Link(Worth.DEAD)
    address = EmailAddress.objects.select_related("user").filter(pk=pk).first()
    if address is None or address.user.closed_at is not None:
        return Link(Worth.DEAD)
    return Link(_worth(key, address), address)


def _worth(key: str, address: EmailAddress) -> Worth:
    if address.verified:
        return Worth.USED
    if registrations.is_mailbox_taken(address.email, address.user_id):
        return Worth.TAKEN
    try:
        signing.loads(key, salt=app_settings.SALT, max_age=LIVES_S)
    except signing.SignatureExpired:
        return Worth.EXPIRED
    return Worth.READY
