"""Read settings from the environment; errors name the variable."""

import json
import os
from base64 import urlsafe_b64decode
from collections.abc import Iterable
from datetime import datetime, time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

# The countries that members choose from in their profiles.
COUNTRY_NAMES = Path(__file__).resolve().parent.parent / "accounts/profile/country_names.json"
ENGINES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
ON, OFF = ("1", "true", "yes", "on", "y", "ok"), ("0", "false", "no", "off", "n")
ESCAPED = "In its user name and password write % / ? # as %25 %2F %3F %23. See .env.example."


def sqlite_url(path: Path) -> str:
    """Return the URL of an SQLite file, whatever characters are in the names of its folders."""
    return f"sqlite:///{quote(str(path))}"


def is_unreadable(path: Path) -> bool:
    """Return whether there is a file that this user cannot read, or a link to no file.

    `read_env` of django-environ treats such a file as missing.
    """
    return os.path.lexists(path) and not os.access(path, os.R_OK)


def _is_origin(value: str) -> bool:
    try:
        parts = urlsplit(value)
        is_host = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:  # a port out of range, or a bracket left open
        return False
    is_web = parts.scheme in ("http", "https")
    return is_host and is_web and value == f"{parts.scheme}://{parts.netloc}"


class Env(environ.Env):
    """Raises ImproperlyConfigured, with the variable's name, for a value that cannot be read."""

    def get_value(self, var: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{var} cannot be read: {error}. See .env.example."
            ) from None

    def choice(self, var: str, choices: Iterable[str], default: str) -> str:
        """Return the choice that the variable names, regardless of case; `default` if empty."""
        known = {each.lower(): each for each in choices}
        value = str(self.str(var, default="")).strip() or default
        if value.lower() not in known:
            names = ", ".join(known.values())
            raise ImproperlyConfigured(f"{var} is {value!r}: it must be one of {names}.")
        return known[value.lower()]

    def switch(self, var: str, *, default: bool) -> bool:
        """Return whether a variable is on; the default if it is unset or empty.

        `bool` of django-environ reads an unknown word, such as a misspelled "true", as off.
        """
        value = str(self.str(var, default="")).strip().lower()
        if value and value not in (*ON, *OFF):
            raise ImproperlyConfigured(f"{var} must be 1 or 0, and is {value!r}.")
        return value in ON if value else default

    def keys(self, var: str) -> list[str]:
        """Return the values of a comma-separated list; an empty list if the variable is unset."""
        return [key.strip() for key in self.list(var, default=[]) if key.strip()]

    def together(self, *names: str) -> tuple[str, ...]:
        """Return the values of variables that need each other; () if all are unset."""
        values = {name: str(self.str(name, default="")).strip() for name in names}
        missing = [name for name, value in values.items() if not value]
        if missing and len(missing) < len(names):
            present = ", ".join(name for name in names if name not in missing)
            raise ImproperlyConfigured(
                f"{present} is set without {', '.join(missing)}: set all of them, or none."
                " See .env.example."
            )
        return () if missing else tuple(values.values())

    def countries(self, var: str) -> list[str]:
        """Return the codes of a comma-separated list of countries; [] if the variable is unset."""
        codes = [code.upper() for code in self.keys(var)]
        known = json.loads(COUNTRY_NAMES.read_text(encoding="utf-8"))["en"]
        if unknown := [code for code in codes if code not in known]:
            raise ImproperlyConfigured(
                f"{var} names {', '.join(unknown)}: it must have the two letters of countries"
                " (ISO 3166), such as TR, with commas between them."
            )
        return codes

    def raw_key(self, var: str, size: int) -> str:
        """Return a key of `size` bytes as base64url; "" if the variable is unset."""
        value = str(self.str(var, default=""))
        try:
            raw = urlsafe_b64decode(value + "=" * (-len(value) % 4))
            is_key = not value or len(raw) == size
        except ValueError:
            is_key = False
        if not is_key:
            raise ImproperlyConfigured(f"{var} is not a key of {size} bytes in base64url.")
        return value

    def host_and_port(self, var: str) -> str:
        """Return an address to listen on such as 127.0.0.1:9100; "" if the variable is unset."""
        value = str(self.str(var, default="")).strip()
        if not value:
            return ""
        try:
            parts = urlsplit(f"//{value}")
            is_address = bool(parts.hostname) and parts.port is not None and parts.netloc == value
        except ValueError:
            is_address = False
        if not is_address or "@" in value:
            raise ImproperlyConfigured(
                f"{var} must be a host and a port up to 65535, such as 127.0.0.1:9100,"
                f" and is {value!r}."
            )
        return value

    def time_of_day(self, var: str, default: str) -> time | None:
        """Return a time such as 03:30; None for "off"."""
        value = str(self.str(var, default=default)).strip()
        if value == "off":
            return None
        try:
            return datetime.strptime(value, "%H:%M").time()
        except ValueError:
            raise ImproperlyConfigured(f'{var} must be a time such as 03:30, or "off".') from None

    def https_url(self, var: str) -> str:
        """Return the https URL of a page of another site; "" if the variable is unset."""
        value = str(self.str(var, default="")).strip()
        origin = "/".join(value.split("/")[:3])
        if value and not (value.startswith("https://") and _is_origin(origin)):
            raise ImproperlyConfigured(f"{var} must be an address that begins with https://.")
        return value

    def database(self, var: str, default: str) -> dict[str, Any]:
        """Return Django's setting for an SQLite or PostgreSQL URL."""
        try:
            found: dict[str, Any] = self.db(var, default=default)
        except ValueError:  # the port is not a number
            found = {}
        if found.get("ENGINE") not in ENGINES:
            raise ImproperlyConfigured(
                f"{var} is not the URL of a database that the site can use:"
                f" sqlite:///db.sqlite3 or postgres://user:password@host:5432/name. {ESCAPED}"
            )
        return found

    def mail_server(self, var: str, default: str) -> dict[str, Any]:
        """Return Django's settings for the URL of a mail server."""
        url = str(self.str(var, default="")).strip() or default
        try:
            found: dict[str, Any] = self.email_url_config(url)
        except (ValueError, ImproperlyConfigured):
            raise ImproperlyConfigured(
                f"{var} is not the URL of a mail server, such as"
                f" smtp+tls://user:password@mail.example.org:587. {ESCAPED}"
            ) from None
        return found

    def origin(self, var: str, default: str = "") -> str:
        """Return an origin such as https://play.example.org, without a slash at its end."""
        value = str(self.str(var, default=default)).rstrip("/")
        if value and not _is_origin(value):
            raise ImproperlyConfigured(
                f"{var} must be a scheme and a host, such as https://play.example.org."
            )
        return value
