"""Read what is new for players: `locale/<language>/whats_new.md`."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.conf import settings


@dataclass
class Release:
    title: str
    items: list[str] = field(default_factory=list)


@cache
def releases_in(language: str) -> tuple[Release, ...]:
    """Return the releases, newest first, in a language of the site; in English if it has no file.

    `## ` starts a release, `- ` an item of one line.
    """
    releases: list[Release] = []
    for line in _file(language).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            releases.append(Release(line[3:].strip()))
        elif line.startswith("- "):
            releases[-1].items.append(line[2:].strip())
    return tuple(releases)


def _file(language: str) -> Path:
    own: Path = settings.LOCALE_DIR / language / "whats_new.md"
    return own if own.exists() else settings.LOCALE_DIR / settings.LANGUAGE_CODE / "whats_new.md"
