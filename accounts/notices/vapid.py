"""Sign requests to push services with the site's key (VAPID, RFC 8292)."""

import base64
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

# Life of a signed token; push services accept at most a day.
LIFETIME = timedelta(hours=12)


def is_push_on() -> bool:
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """Return the key that browsers ask for (`applicationServerKey`); "" while push is off."""
    return public_of(settings.VAPID_PRIVATE_KEY) if is_push_on() else ""


def authorization(endpoint: str, now: datetime) -> str:
    """Return the header `Authorization` of a request to an endpoint."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + LIFETIME).timestamp()),
        "sub": settings.VAPID_CONTACT,
    }
    token = jwt.encode(claims, _private(settings.VAPID_PRIVATE_KEY), algorithm="ES256")
    return f"vapid t={token}, k={public_key()}"


def new_private_key() -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return to_text(number.to_bytes(32, "big"))


def to_text(raw: bytes) -> str:
    """Write base64url without padding, as Web Push does."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """Read base64url or base64, with or without padding; raise ValueError for other texts."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


@cache
def _private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(from_text(text), "big"), ec.SECP256R1())


@cache
def public_of(private_key: str) -> str:
    key = _private(private_key).public_key()
    return to_text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
