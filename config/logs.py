"""Log lines with the ids of request, user and match, without secrets and names of mailboxes."""

import json
import logging
import re
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from accounts.shared.logs import ids as log_ids

# Settings that hold secrets; of a dictionary only the values under SECRET_NAMES.
SECRETS = (
    "SECRET_KEY", "SECRET_KEY_FALLBACKS", "DICE_SEAL_KEYS", "IDENTITY_KEYS", "VAPID_PRIVATE_KEY",
    "EMAIL_HOST_PASSWORD", "DATABASES", "SOCIALACCOUNT_PROVIDERS", "PAYMENT_PROVIDERS",
)  # fmt: skip
SECRET_NAMES = {
    "PASSWORD", "secret", "webhook_secret", "certificate_key",
    "password", "sslpassword",  # of the query of DATABASE_URL
}  # fmt: skip
# Fewest characters of a secret that is masked; a shorter one may be an ordinary word of a line.
SHORTEST_SECRET = 8
# Links that open something for anyone who has them.
LINKS = re.compile(
    r"(/account/(?:confirm-email|email/confirm|password/reset/key)/|/profile/notices/stop/"
    r"|/support/link/|/play/friend/|/recap/shared/)[^/\s\"']{8,}"
)
# Secrets in the query of another site's address, which errors of requests to it repeat.
TOKENS = re.compile(r"([?&](?:access_token|appsecret_proof|client_secret|code)=)[^&\s\"')]+")
# The local part of an email address: errors of mail servers and of the database repeat addresses.
# The domain stays, since it says which mail server is at fault.
MAILBOXES = re.compile(r"[\w.+-]{1,64}@(?=[\w-]+\.[\w-])")
HIDDEN = "***"
# Fields of every record; anything else was given by `extra`.
_STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}
_IDS = ("request", "user", "match")


class AddIds(logging.Filter):
    """Add `request_id`, `user` and `match` to every record; keep the caller's `extra`."""

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in (
            # Django's own lines have the request object under the name `request`.
            ("request_id", log_ids.request_id),
            ("user", log_ids.user_id),
            ("match", log_ids.match_id),
        ):
            if not hasattr(record, name):
                setattr(record, name, value.get())
        return True


class ClientsFaults(logging.Filter):
    """Log Django's errors about a client's bad request (wrong Host, too large form) as warnings.

    Their traceback is dropped, since it says nothing about this site.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security.") and record.levelno >= logging.ERROR:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return True


class TextFormatter(logging.Formatter):
    """Write lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """Write one JSON object per line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "request": getattr(record, "request_id", ""),
            "user": getattr(record, "user", ""),
            "match": getattr(record, "match", ""),
            **_more(record),
        }
        if record.exc_info:
            line["exception"] = without_secrets(
                "".join(traceback.format_exception(*record.exc_info))
            )
        return json.dumps(line, ensure_ascii=False, default=str)


def _more(record: logging.LogRecord) -> dict[str, str]:
    """Return the fields that the caller gave by `extra`, beside the ids."""
    given = vars(record).items()
    left_out = {*_STANDARD, *_IDS, "request_id", "server_time"}
    return {name: without_secrets(str(value)) for name, value in given if name not in left_out}


def without_secrets(text: str) -> str:
    """Return the text without secrets, secret parts of LINKS, TOKENS, and names of mailboxes."""
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    for secret_part in (LINKS, TOKENS):
        text = secret_part.sub(rf"\1{HIDDEN}", text)
    return MAILBOXES.sub(f"{HIDDEN}@", text)


@cache
def _secrets() -> tuple[str, ...]:
    found = {secret for name in SECRETS for secret in _texts(getattr(settings, name, ""))}
    found.add(urlsplit(settings.REDIS_URL).password or "")
    # The longest first: one may be part of another.
    return tuple(sorted((one for one in found if len(one) >= SHORTEST_SECRET), key=len)[::-1])


def _texts(value: Any, *, is_secret: bool = True) -> Iterator[str]:
    if isinstance(value, str) and is_secret:
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each, is_secret=is_secret)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, is_secret=name in SECRET_NAMES)
