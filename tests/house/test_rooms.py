"""No folder holds more than `MAX_FILES` source files (CONTRIBUTING.md, "Apps and rooms").

These are not counted: files with the names that every app, or every Django project, has at its top,
since a reader knows them; migrations; and the folders of `LAID_OUT_ELSEWHERE`. A small app needs no
rooms.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath

from tests.house.prose import tracked

MAX_FILES = 18
STANDARD_NAMES = {
    "__init__.py", "apps.py", "urls.py", "routing.py", "admin.py", "consumers.py", "views.py",
    "forms.py", "selectors.py", "broadcast.py", "signals.py", "receivers.py", "personal_data.py",
    "models.py", "services.py",
    # names of Django's project folder, and of pytest
    "settings.py", "middleware.py", "asgi.py", "wsgi.py", "conftest.py",
}  # fmt: skip
# allauth names the templates of its pages; tests mirror the rooms that they test.
LAID_OUT_ELSEWHERE = ("templates/account", "templates/socialaccount", "tests")
COUNTED = ["*.py", "*.js", "*.mjs", "*.css", "*.html", "*.json"]


def crowded_folders(names: Iterable[str]) -> dict[str, int]:
    """Return the folders with more than MAX_FILES counted files, and the number in each."""
    counted = [
        path
        for path in map(PurePath, names)
        if len(path.parts) > 1
        and path.name not in STANDARD_NAMES
        and path.parent.name != "migrations"
        and not str(path.parent).startswith(LAID_OUT_ELSEWHERE)
    ]
    in_folder = Counter(str(path.parent) for path in counted)
    return {folder: count for folder, count in in_folder.items() if count > MAX_FILES}


def test_no_folder_is_crowded() -> None:
    assert crowded_folders(tracked(*COUNTED)) == {}


def test_a_crowded_folder_is_found() -> None:
    names = [f"games/services/rule{number}.py" for number in range(MAX_FILES + 1)]
    assert crowded_folders(names) == {"games/services": MAX_FILES + 1}
    assert crowded_folders(names[1:]) == {}


def test_standard_names_and_migrations_are_not_counted() -> None:
    names = [f"stats/part{number}.py" for number in range(MAX_FILES)]
    others = [f"stats/migrations/{number:04}_step.py" for number in range(MAX_FILES + 1)]
    assert crowded_folders([*names, "stats/views.py", *others]) == {}
