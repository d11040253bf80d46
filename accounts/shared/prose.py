"""Long texts of the site: one template for each language, `locale/<language>/pages/`."""

from dataclasses import dataclass

from django.conf import settings
from django.template.loader import select_template
from django.utils.translation import get_language


@dataclass(frozen=True, slots=True)
class Prose:
    """A template and the language it is written in."""

    template: str
    language: str


def prose_of(page: str, language: str = "") -> Prose:
    """Find the text of a page in a language, the reader's by default.

    A language that has no such text yet gets the one in English.
    """
    wanted = language or get_language() or settings.LANGUAGE_CODE
    found = select_template([_path(page, code) for code in (wanted, settings.LANGUAGE_CODE)])
    name = found.template.name  # type: ignore[attr-defined]  # Django's templates have one
    return Prose(name, name.split("/")[0])


def _path(page: str, language: str) -> str:
    return f"{language}/pages/{page}.html"
