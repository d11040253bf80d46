"""Read what is new for players: `locale/whats_new/<language>.md`."""

from dataclasses import dataclass, field
from functools import cache

from django.conf import settings

FOLDER = settings.BASE_DIR / "locale" / "whats_new"


@dataclass
class Release:
    title: str
    items: list[str] = field(default_factory=list)


@cache
def releases_in(language: str) -> tuple[Release, ...]:
    """Return the releases, newest first, in a language of the site.

    `## ` starts a release, `- ` an item of one line.
    """
    releases: list[Release] = []
    for line in (FOLDER / f"{language}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            releases.append(Release(line[3:].strip()))
        elif line.startswith("- "):
            releases[-1].items.append(line[2:].strip())
    return tuple(releases)
