"""Read the versions of the terms and what changed in each: `locale/<language>/law.md`.

A version is named by its date and covers all texts in `pages/law/` together. In the file, a line
`## <date>` begins a version, the newest first; each line `- <text>` below it is a change.
"""

from dataclasses import dataclass, field
from datetime import date
from functools import cache

from accounts.shared.prose import file_of, reader_language


@dataclass
class Version:
    day: date
    changes: list[str] = field(default_factory=list)


@cache
def versions_in(language: str) -> tuple[Version, ...]:
    """Return the versions, newest first, in a language, or in English if it has no file."""
    versions: list[Version] = []
    path, _ = file_of("law.md", language)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            versions.append(Version(date.fromisoformat(line[3:].strip())))
        elif line.startswith("- "):
            versions[-1].changes.append(line[2:].strip())
    return tuple(versions)


def current_version() -> date:
    """Return the version in force; it is the same in every language."""
    return versions_in(reader_language())[0].day


def versions_after(accepted: date | None) -> list[Version]:
    """Return the versions after the one that a reader accepted; all of them for None."""
    versions = versions_in(reader_language())
    return [each for each in versions if accepted is None or each.day > accepted]
