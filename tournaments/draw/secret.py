"""The secret of a draw: committed to before entry closes, revealed with the draw."""

import hashlib
import secrets

SECRET_BYTES = 32


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Return the SHA-256 of the secret in hex."""
    return hashlib.sha256(secret).hexdigest()
