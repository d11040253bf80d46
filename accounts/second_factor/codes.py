"""Codes of authenticator apps (RFC 6238: SHA-1, six digits, 30 seconds) and recovery codes."""

import base64
import hmac
import secrets
import struct
from urllib.parse import quote, urlencode

SECRET_BYTES = 20
DIGITS = 6  # of a code
PERIOD_S = 30
# Periods before and after the present one whose codes are accepted: clocks of phones differ.
TOLERANCE = 1
RECOVERY_CODE_COUNT = 10
# Letters and digits that nobody confuses; RECOVERY_LENGTH of them have 49 bits.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
RECOVERY_LENGTH = 10  # characters of a recovery code
ISSUER = "5Stars Gammon"


def new_secret() -> str:
    """Return a secret in the letters that authenticator apps read."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def code_at(secret: str, step: int) -> str:
    """Return the code of a period; `step` is its number since 1970."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), "sha1").digest()
    start = digest[-1] & 0x0F
    number: int = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_of(secret: str, typed: str, now_s: float, after: int) -> int | None:
    """Return the number of the period, later than `after`, whose code was typed; else None."""
    present = int(now_s) // PERIOD_S
    found = None
    for step in range(present - TOLERANCE, present + TOLERANCE + 1):
        is_same = hmac.compare_digest(code_at(secret, step).encode(), typed.encode())
        if is_same and step > after:
            found = step
    return found


def app_url(secret: str, login: str) -> str:
    """Return the URL that a QR code shows to an authenticator app."""
    query = urlencode({"secret": secret, "issuer": ISSUER}, quote_via=quote)
    return f"otpauth://totp/{quote(f'{ISSUER}:{login}')}?{query}"


def new_recovery_codes() -> list[str]:
    return [_recovery_code() for _ in range(RECOVERY_CODE_COUNT)]


def _recovery_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(RECOVERY_LENGTH))


def grouped(code: str, size: int) -> str:
    """Return the code in groups, as people copy it."""
    return " ".join(code[start : start + size] for start in range(0, len(code), size))


def plain(typed: str) -> str:
    """Return a typed code without the marks between its groups."""
    return "".join(letter for letter in typed.lower() if letter.isalnum())
