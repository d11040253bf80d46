"""Read CHANGELOG.md as data, for the page that lists what is new."""

from dataclasses import dataclass, field
from functools import cache

from django.conf import settings


@dataclass
class Release:
    title: str
    items: list[str] = field(default_factory=list)


@cache
def read_changelog() -> tuple[Release, ...]:
    """Return the releases, newest first.

    `## ` starts a release, `- ` an item, indented lines continue it.
    """
    releases: list[Release] = []
    for line in (settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            releases.append(Release(line[3:].strip()))
        elif line.startswith("- ") and releases:
            releases[-1].items.append(line[2:].strip())
        elif line.startswith("  ") and releases and releases[-1].items:
            releases[-1].items[-1] += " " + line.strip()
    return tuple(releases)
