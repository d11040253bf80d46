"""Read the versions of the terms and what changed in each: `locale/<language>/law.md`.

A version is named by its date and covers all texts in `pages/law/` together. In the file, a line
`## <date>` begins a version, the newest first; each line `- <text>` below it is a change.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache

from accounts.shared.prose import reader_language, sections_in


@dataclass
class Version:
    day: date
    changes: list[str]


@cache
def versions_in(language: str) -> tuple[Version, ...]:
    """Return the versions, newest first, in a language, or in English if it has no file."""
    sections = sections_in("law.md", language)
    return tuple(Version(date.fromisoformat(day), changes) for day, changes in sections)


def current_version() -> date:
    """Return the version in force; it is the same in every language."""
    return versions_in(reader_language())[0].day


def versions_after(accepted: date | None) -> list[Version]:
    """Return the versions after the one that a reader accepted; all of them for None."""
    versions = versions_in(reader_language())
    return [each for each in versions if accepted is None or each.day > accepted]
