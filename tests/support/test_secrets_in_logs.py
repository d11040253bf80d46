"""`secrets_in` finds each kind of secret, and reports no secret in ordinary lines of a log."""

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.utils.crypto import get_random_string

from accounts.second_factor import codes, sealing
from tests.support.secrets_in_logs import secrets_in, secrets_of

ORDINARY = """
2026-11-26 INFO security [3f2a9b01c4d5 AbCdEf123456] signed in: user 17
2026-11-26 ERROR games [- -] dice secret not opened: is a key missing in DICE_SEAL_KEY_FALLBACKS?
2026-11-26 WARNING django.request Not Found: /avatar/0123456789abcdef0123456789abcdef.webp
2026-11-26 INFO config.worker looped in 0.0123456789 s, sha256 e3b0c44298fc1c149afbf4c8996fb924
"""


def test_ordinary_lines_have_no_secrets():
    assert secrets_in(ORDINARY, ["only-for-tests"]) == []


@pytest.mark.parametrize(
    "line",
    [
        "session k3j2h1g0f9e8d7c6b5a4z3y2x1w0v9u8 ended",
        "Cookie: __Host-sessionid=abcdefgh1234",
        "GET /account/password/reset/key/1a-c9x2ab-0123456789abcdef/",
        "GET /account/confirm-email/MTI:1u2v3w:AbCdEfGhIjKlMnOpQrSt/",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ",
        "pushed to https://fcm.googleapis.com/fcm/send/AbCdEfGhIjKlMnOpQrStUv",
        "key sk_live_0123456789abcdef",
        "-----BEGIN PRIVATE KEY-----",
        "Authorization: Bearer abcdefghij",
    ],
)
def test_secrets_in_logs_are_found(line):
    assert secrets_in(f"{ORDINARY}{line}\n")


def test_secrets_made_by_the_site_are_found():
    made = [
        get_random_string(32, VALID_KEY_CHARS),
        sealing.seal("secret"),
        make_password("Gammon5stars"),
        codes.app_url(codes.new_secret(), "annika"),
    ]
    assert [text for text in made if not secrets_in(f"line {text} end")] == []


def test_secrets_of_the_environment_are_counted_and_not_repeated():
    known = secrets_of(
        {
            "SECRET_KEY": "very-secret-key",
            "DATABASE_URL": "postgres://gammon:hidden-word@db/x",
            "PATH": "/usr/bin/long",
        }
    )
    assert known == ["very-secret-key", "hidden-word"]
    assert secrets_in("connected to hidden-word at /usr/bin/long", known) == ["1 known secrets"]
