"""Every Markdown file names files and folders that exist, and names that these files contain."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from tests.house.prose import ROOT, readme_lines, tracked

DOCUMENTS = tracked("*.md")
# Every file and folder of a fresh clone.
KNOWN = {name for path in map(PurePosixPath, tracked()) for name in map(str, (path, *path.parents))}
TOP = {name.split("/")[0] for name in KNOWN if "/" in name}
# Created by the set-up, or by a command that the reader runs.
MADE = {"var", "staticfiles", "export.json"}

SUFFIX = r"\.(?:py|js|mjs|css|html|md|json|jsonl|toml|ya?ml|txt|po|wav|net)"
NAME = re.compile(rf"[\w.-]+{SUFFIX}")
PATH = re.compile(rf"\.?[\w-]+(?:/[\w.-]+)*/(?:[\w.-]+{SUFFIX})?")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def named_paths(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paths that a document names: in links, or as code that is a path or a file name."""
    for number, line in readme_lines(text):
        for found in LINK.finditer(line):
            yield number, found[1]
        for found in CODE.finditer(line):
            code = found[1]
            is_in_house = "/" in code and code.split("/")[0] in TOP
            is_plain = re.fullmatch(r"[\w./-]+", code) is not None
            if NAME.fullmatch(code) or PATH.fullmatch(code) or (is_in_house and is_plain):
                yield number, code


def exists(path: str, document: str) -> bool:
    """Return True if a document may name this path.

    The path starts at the root or at the document's folder, or it is the end of an existing path.
    """
    path = path.rstrip("/")
    start = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    if start in KNOWN or path in KNOWN:
        return True
    return any(name.endswith(f"/{path}") for name in KNOWN)


def named_parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name and file written as "`name` of `path`" or "`name` in `path`"."""
    for _number, line in readme_lines(text):
        yield from re.findall(r"`(\w+)` (?:of|in) `([\w./-]+\.\w+)`", line)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_paths_exist(document: str) -> None:
    text = (ROOT / document).read_text()
    missing = [
        f"{number}: {path}"
        for number, path in named_paths(text)
        if path.split("/")[0] not in MADE and not exists(path, document)
    ]
    assert not missing, "\n" + "\n".join(missing)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_parts_of_files_exist(document: str) -> None:
    folder = (ROOT / document).parent
    for name, path in named_parts((ROOT / document).read_text()):
        file = folder / path if (folder / path).is_file() else ROOT / path
        assert re.search(rf"\b{name}\b", file.read_text()), f"{name} of {path}"


def test_named_parts_are_found() -> None:
    text = "the field `name` of `apps/file.py`, and `two` in `b.js`"
    assert list(named_parts(text)) == [("name", "apps/file.py"), ("two", "b.js")]


def test_a_missing_path_is_found() -> None:
    text = "`games/gone.py`, `games/gone/`, `gone.py`, [a](gone/README.md), `games/gone`"
    paths = [path for _number, path in named_paths(text)]
    assert len(paths) == 5
    assert not [path for path in paths if exists(path, "games/README.md")]


def test_urls_and_other_code_are_not_paths() -> None:
    text = "`/ws/site/`, `user.<id>`, `a/b testing`, `I/O`, `git+https://x/y`"
    assert list(named_paths(text)) == []
