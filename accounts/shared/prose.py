"""Long texts of the site: files of each language in `locale/<language>/`, pages in `pages/` there.

A language that has no such text yet gets the one in English.
"""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.template.loader import select_template
from django.utils.translation import get_language


@dataclass(frozen=True, slots=True)
class Prose:
    """A template and the language it is written in."""

    template: str
    language: str


def reader_language() -> str:
    """Return the active language; the site's default while translation is switched off."""
    return get_language() or settings.LANGUAGE_CODE


def file_of(name: str, language: str) -> tuple[Path, str]:
    """Return the path of a file that is not a template, and the language it is written in."""
    translated: Path = settings.LOCALE_DIR / language / name
    if translated.exists():
        return translated, language
    return settings.LOCALE_DIR / settings.LANGUAGE_CODE / name, settings.LANGUAGE_CODE


def sections_in(name: str, language: str) -> list[tuple[str, list[str]]]:
    """Return the title and the items of each section of a file, as `file_of` finds it.

    A line `## <title>` begins a section, a line `- <text>` is an item of it.
    """
    sections: list[tuple[str, list[str]]] = []
    path, _ = file_of(name, language)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            sections.append((line[3:].strip(), []))
        elif line.startswith("- "):
            sections[-1][1].append(line[2:].strip())
    return sections


def prose_of(page: str, language: str = "") -> Prose:
    """Find the text of a page in a language, the reader's by default."""
    wanted = language or reader_language()
    found = select_template([_path(page, code) for code in (wanted, settings.LANGUAGE_CODE)])
    name = found.template.name
    return Prose(name, name.split("/")[0])


def _path(page: str, language: str) -> str:
    return f"{language}/pages/{page}.html"
