"""Find secrets in the log of a site: none may be written there."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

# The pattern of each kind of secret.
SHAPES = {
    "a session key": r"\b(?=[a-z0-9]*[g-z])(?=[a-z]*\d)[a-z0-9]{32}\b",
    "a cookie": r"(?:sessionid|csrftoken|device|visitor)=\S{8,}",
    "a link to a new password": r"/password/reset/key/[0-9A-Za-z]+-[\w-]{10,}",
    "a link of an email": r"/(?:confirm-email|email/confirm|notices/stop)/[\w:-]{20,}",
    "a sealed text": r"gAAAAA[\w-]{20,}",
    "a hash of a password": r"(?:pbkdf2_sha256|md5)\$\w+\$\S+",
    "a secret of an authenticator app": r"otpauth://|secret=[A-Z2-7]{16,}",
    "an address of a push service": r"https://(?:fcm\.googleapis|updates\.push)\S+/[\w-]{20,}",
    "a key of a payment provider": r"\b(?:sk|rk|whsec)_(?:live|test)?_?\w{10,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY",
    "an authorization": r"(?i)authorization: *(?:basic|bearer) +\S{8,}",
}
SECRET_NAMES = re.compile(r"(?:KEY|KEYS|SECRET|PASSWORD|TOKEN|FALLBACKS)$")
SHORTEST = 8  # fewest characters of a known secret; a shorter one may occur by chance


def secrets_in(text: str, known: Iterable[str] = ()) -> list[str]:
    """Return the kinds of secrets in a log and the number of known ones, never a secret itself."""
    found = [name for name, shape in SHAPES.items() if re.search(shape, text)]
    given = sum(secret in text for secret in known if len(secret) >= SHORTEST)
    return found + ([f"{given} known secrets"] if given else [])


def secrets_of(environment: Mapping[str, str]) -> list[str]:
    """Return the values of an environment that no log may contain: keys, and passwords in URLs."""
    keys = [value for name, value in environment.items() if SECRET_NAMES.search(name)]
    urls = [
        urlsplit(value).password for name, value in environment.items() if name.endswith("_URL")
    ]
    return [*keys, *(password for password in urls if password)]
