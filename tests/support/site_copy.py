"""A copy of the site's files, for a command that would change them."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NOT_COPIED = (".*", "staticfiles", "var", "tests", "node_modules", "*.sqlite3*")


def copy_site(folder: Path) -> Path:
    """Copy the working tree to a new folder, without tests, hidden files, databases and outputs."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_NOT_COPIED))
    return folder
