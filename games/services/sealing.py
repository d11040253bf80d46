"""The secrets of running matches, sealed: who reads the database or a dump cannot see rolls."""

import base64
import hashlib

from cryptography.fernet import Fernet
from django.conf import settings


def _box() -> Fernet:
    digest = hashlib.sha256(settings.DICE_SEAL_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def seal(secret: bytes) -> bytes:
    return _box().encrypt(secret)


def unseal(sealed: bytes | memoryview) -> bytes:
    """Raises `cryptography.fernet.InvalidToken` when the key is not the one that sealed it."""
    return _box().decrypt(bytes(sealed))
