"""Users, what is stored about each of them, and the ready reasons of staff."""

from accounts.models.acceptance import Acceptance
from accounts.models.block import Block
from accounts.models.fingerprint import Fingerprint
from accounts.models.friendship import Friendship
from accounts.models.language import languages
from accounts.models.note import Note
from accounts.models.notice import EmailWish, Notice, NoticeKind, PushDelivery, PushSubscription
from accounts.models.origin import Origin
from accounts.models.outgoing_email import OutgoingEmail
from accounts.models.picture import Picture
from accounts.models.preferences import Preferences
from accounts.models.presence import Presence
from accounts.models.profile import Profile
from accounts.models.ready_reason import ReadyReason
from accounts.models.user import (
    PUBLIC_ID_ALPHABET,
    PUBLIC_ID_LENGTH,
    User,
    is_public_id,
    new_public_id,
)

__all__ = [
    "PUBLIC_ID_ALPHABET",
    "PUBLIC_ID_LENGTH",
    "Acceptance",
    "Block",
    "EmailWish",
    "Fingerprint",
    "Friendship",
    "Note",
    "Notice",
    "NoticeKind",
    "Origin",
    "OutgoingEmail",
    "Picture",
    "Preferences",
    "Presence",
    "Profile",
    "PushDelivery",
    "PushSubscription",
    "ReadyReason",
    "User",
    "is_public_id",
    "languages",
    "new_public_id",
]
