"""Read the news for players from `locale/<language>/whats_new.md`."""

from dataclasses import dataclass, field
from functools import cache

from accounts.shared.prose import file_of


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
    path, _ = file_of("whats_new.md", language)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            releases.append(Release(line[3:].strip()))
        elif line.startswith("- "):
            releases[-1].items.append(line[2:].strip())
    return tuple(releases)
