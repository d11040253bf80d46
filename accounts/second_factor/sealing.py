"""Keep secrets of authenticator apps encrypted, and recovery codes as keyed hashes.

A database dump alone gives no code. The keys are derived from IDENTITY_KEYS: the first one
encrypts, any of them decrypts.
"""

import base64
import hashlib
import hmac
import logging
from collections.abc import Iterator

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

logger = logging.getLogger(__name__)


def seal(secret: str) -> str:
    return _fernet().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str | None:
    """Return the secret; None, with a line in the log, if none of the keys opens it."""
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken:
        logger.exception("second factor not opened: is a key missing in IDENTITY_KEYS?")
        return None


def digest(user_id: int, code: str) -> str:
    """Return the hash under which a recovery code is stored."""
    return next(digests(user_id, code))


def digests(user_id: int, code: str) -> Iterator[str]:
    """Yield the code's hash under each key, the newest first."""
    for key in _keys():
        yield hmac.new(key, f"{user_id}:{code}".encode(), "sha256").hexdigest()


def _keys() -> Iterator[bytes]:
    for key in settings.IDENTITY_KEYS:
        yield hashlib.sha256(f"second-factor:{key}".encode()).digest()


def _fernet() -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in _keys()])
