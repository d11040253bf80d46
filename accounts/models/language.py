"""The choices of a field that holds a language of the site."""

from django.conf import settings


def languages() -> list[tuple[str, str]]:
    """Return (code, native name) of each language.

    The field gets the function, not the list, so that a new language needs no migration.
    """
    return list(settings.LANGUAGES)
