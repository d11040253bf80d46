"""Read settings from the environment; name the variable that cannot be read."""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

ENGINES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")


class Env(environ.Env):
    """Raise ImproperlyConfigured, with the variable's name, for a value that cannot be read."""

    def get_value(self, var: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{var} cannot be read: {error}. See .env.example."
            ) from None

    def database(self, var: str, default: str) -> dict[str, Any]:
        """Return Django's setting for an SQLite or PostgreSQL address."""
        found: dict[str, Any] = self.db(var, default=default)
        if found.get("ENGINE") not in ENGINES:
            raise ImproperlyConfigured(
                f"{var} is no address of a database that the site can use:"
                " sqlite:///db.sqlite3 or postgres://user:password@host:5432/name."
            )
        return found
