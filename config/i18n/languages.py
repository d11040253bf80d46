"""The languages of the site: each folder of `locale/` with a `language.toml` is one."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the site, read from its file; locale/README.md explains each line."""

    code: str
    name: str
    order: int
    plural_forms: str
    foreign_quotes: str = ""
    search_ignores: str = ""
    time_zone: str = "UTC"

    @property
    def plural_count(self) -> int:
        return int(self.plural_forms.removeprefix("nplurals=").split(";")[0])


def read_languages(folder: Path) -> dict[str, Language]:
    """Return the languages of a folder by code, in the order in which pages offer them.

    Raises:
        ImproperlyConfigured: a file is not TOML, lacks a line, or has one with an unknown name; or
            there is no language, as in a folder whose name is misspelled.
    """
    found = [_read(path) for path in folder.glob("*/language.toml")]
    if not found:
        raise ImproperlyConfigured(
            f"{folder} has no language: LOCALE_DIR must name a copy of locale/. See .env.example."
        )
    found.sort(key=lambda language: (language.order, language.code))
    return {language.code: language for language in found}


def _read(path: Path) -> Language:
    try:
        return Language(code=path.parent.name, **tomllib.loads(path.read_text(encoding="utf-8")))
    except (TypeError, tomllib.TOMLDecodeError) as error:
        raise ImproperlyConfigured(f"{path} cannot be read: {error}") from None
