"""Read the news for players from `locale/<language>/whats_new.md`."""

from dataclasses import dataclass
from functools import cache

from accounts.shared.prose import sections_in


@dataclass
class Release:
    title: str
    items: list[str]


@cache
def releases_in(language: str) -> tuple[Release, ...]:
    """Return the releases, newest first, in a language of the site; in English if it has no file.

    `## ` starts a release, `- ` an item of one line.
    """
    return tuple(Release(title, items) for title, items in sections_in("whats_new.md", language))
