"""Read the project's own prose: comments, docstrings and READMEs, without code and user strings."""

import ast
import io
import os
import re
import shutil
import subprocess
import tokenize
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parents[2]
# A line number and the text of that line.
Line = tuple[int, str]

SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.DOTALL)
STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TEMPLATE_COMMENT = re.compile(r"\{#.*?#\}|\{% comment.*?%\}.*?\{% endcomment %\}", re.DOTALL)
HASH_COMMENT = re.compile(r"(?m)(?:^|\s)#[^\n]*")


def tracked(*patterns: str) -> list[str]:
    """Return the sorted paths, from the root, of files that git tracks or would track.

    With patterns, return only files whose name, without the folder, matches one of them.
    """
    names = sorted(_listed_by_git() or _walked())
    return [
        name
        for name in names
        if not patterns or any(fnmatch(PurePath(name).name, pattern) for pattern in patterns)
    ]


@cache
def _listed_by_git() -> list[str]:
    """Return the paths that git lists.

    The list is empty without git, in an unpacked archive, and in another user's folder, which git
    refuses to read.
    """
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        return []
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@cache
def _walked() -> list[str]:
    ignored = [".git", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split())]
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not _is_ignored(name, ignored)]
        names = (name for name in files if not _is_ignored(name, ignored))
        found += [(Path(folder) / name).relative_to(ROOT).as_posix() for name in names]
    return found


def _is_ignored(name: str, ignored: list[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in ignored)


def prose_of(name: str) -> Iterator[Line]:
    """Yield the prose of a file of the project; a file of an unknown type has none."""
    text = (ROOT / name).read_text()
    match Path(name).suffix:
        case ".py":
            yield from python_prose(text)
        case ".js" | ".mjs":
            yield from comments(SCRIPT_COMMENT, text)
        case ".css":
            yield from comments(STYLE_COMMENT, text)
        case ".html":
            yield from comments(TEMPLATE_COMMENT, text)
        case ".txt":  # a template, or data with "#" before each comment
            yield from comments(TEMPLATE_COMMENT, text)
            yield from comments(HASH_COMMENT, text)
        case ".toml" | ".yaml" | ".example":
            yield from comments(HASH_COMMENT, text)
        case ".md":
            yield from readme_prose(text)


# Several tests read the same files; parsing all of them takes ten seconds of CPU time.
@cache
def docstrings(text: str) -> tuple[Line, ...]:
    """Return each docstring of a module with the number of its first line."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node, clean=False)
        if docstring is not None:
            found.append((node.body[0].lineno, docstring))
    return tuple(found)


@cache
def _hash_comments(text: str) -> tuple[Line, ...]:
    """Return each comment of a module, "#" included, with its line number."""
    if "#" not in text:
        return ()
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return tuple((each.start[0], each.string) for each in tokens if each.type == tokenize.COMMENT)


def python_prose(text: str) -> Iterator[Line]:
    for first, docstring in docstrings(text):
        yield from enumerate(docstring.split("\n"), first)
    yield from _hash_comments(text)


def comment_blocks(text: str) -> Iterator[Line]:
    """Yield the first line of each block of comments of a module, without its "#"."""
    last = -1
    for number, comment in _hash_comments(text):
        if number != last + 1:
            yield number, comment.lstrip("# ")
        last = number


def comments(pattern: re.Pattern[str], text: str) -> Iterator[Line]:
    for match in pattern.finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        yield from enumerate(match.group().split("\n"), first)


def readme_lines(text: str) -> Iterator[Line]:
    """Yield the lines outside code blocks."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield number, line


def readme_prose(text: str) -> Iterator[Line]:
    """Yield the lines outside code blocks, with `code` and links' addresses cut out."""
    for number, line in readme_lines(text):
        yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)
