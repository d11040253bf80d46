"""Comments, docstrings and READMEs are plain technical English (CONTRIBUTING.md, "Prose").

Ruff's rule D401 checks that a function's docstring begins with an imperative verb; the phrases
and openings here are those that readers of this code stumbled over.
"""

import re
from collections.abc import Iterable, Iterator

import pytest

from tests.house.prose import (
    ROOT,
    Line,
    comment_blocks,
    docstrings,
    prose_of,
    python_prose,
    readme_prose,
    tracked,
)

PROSE = [
    "*.py", "*.js", "*.mjs", "*.css", "*.html", "*.txt", "*.md", "*.toml", "*.yaml", "*.example",
]  # fmt: skip
# Files that quote the refused phrases, and files that players read.
EXEMPT = {"CONTRIBUTING.md", "CHANGELOG.md", "locale/README.md", "tests/house/test_prose.py"}

# Patterns of refused phrases, each with the words to write instead.
BANNED = {
    re.compile(pattern): instead
    for pattern, instead in {
        r"\b[Hh](?:e|im|is|imself)\b": "they, them, their: a player can be anyone",
        r"\b[Aa]new\b": "again",
        r"\b[Oo]f late\b": "recently",
        r"(?<!there )\b(?:is|are|was|were) none\b(?! of)": "is None, does not exist, is empty",
        r"\b(?:is|are|was|were|be|been|being) told\b(?! apart| to)": "is notified, is shown",
        r"\b[Tt]hereby\b": "so",
        r"\b[Ww]hoever\b|\b[Ww]homever\b": "anyone who, the player who, the side that",
        r"\b[Nn]obody['’]s\b": "of no player, without an owner",
        r"\b[Hh]enceforth\b|\b[Hh]itherto\b": "from now on, until now",
        r"\b(?:[Tt]he|[Aa]n) own\b": "the player's own, its, their",
        r"\b[Ii]n (?:short|long)\b(?!$| (?:backgammon|nardy|form|\d))": "in short backgammon",
        r"(?:#|\bfor|\bby|\bafter|\bwithin|\bin) [Ss]o (?:long|many|much)\b": "this long",
        r"\b[Ss]o (?:long|many|much|often)\b(?!.* (?:as|that)\b)": "this long, the number of",
        r"\b[Rr]eturn (?:what|who|whom|which of)\b": "return the rows, the fields, the members",
        r"[;,] raises? `?[A-Z]\w+`?\.": "raise X if ..., for ..., as f does: name the condition",
    }.items()
}
# A docstring or comment that opens with a relative clause names its subject only at the end.
OPENING = re.compile(r"(?:Who|Whose|Whom|What|Whatever|Whether|How)\b(?!.*\?)")


TEST_NAME = re.compile(r"\s*(?:async )?def test_(\w+)")


def banned_in(lines: Iterable[Line]) -> list[str]:
    return [
        f"{number}: {line.strip()[:90]} (write: {instead})"
        for number, line in lines
        for pattern, instead in BANNED.items()
        if pattern.search(line)
    ]


def sentences_of_tests(text: str) -> Iterator[Line]:
    """Yield each test's name as a sentence."""
    for number, line in enumerate(text.split("\n"), 1):
        if found := TEST_NAME.match(line):
            yield number, found[1].replace("_", " ")


def relative_openings(text: str) -> list[str]:
    return [
        f"{number}: {first}"
        for number, prose in (*docstrings(text), *comment_blocks(text))
        if OPENING.match(first := prose.strip().split("\n")[0])
    ]


@pytest.mark.parametrize("pattern", PROSE)
def test_prose_has_no_banned_phrase(pattern: str) -> None:
    names = [name for name in tracked(pattern) if name not in EXEMPT]
    found = [f"{name}:{line}" for name in names for line in banned_in(prose_of(name))]
    assert not found, "\n" + "\n".join(found)


def test_no_docstring_or_comment_opens_with_a_relative_clause() -> None:
    found = [
        f"{name}:{line}"
        for name in tracked("*.py")
        if "/migrations/" not in name
        for line in relative_openings((ROOT / name).read_text())
    ]
    assert not found, "\n" + "\n".join(found)


def test_names_of_tests_are_plain_sentences() -> None:
    found = [
        f"{name}:{number}: test_{sentence.replace(' ', '_')}"
        for name in tracked("test_*.py")
        if name not in EXEMPT
        for number, sentence in sentences_of_tests((ROOT / name).read_text())
        if OPENING.match(sentence.capitalize()) or banned_in([(number, sentence)])
    ]
    assert not found, "\n" + "\n".join(found)


def test_a_relative_opening_of_a_test_name_is_found() -> None:
    (line,) = sentences_of_tests("async def test_who_plays_waits(client):")
    assert line == (1, "who plays waits")
    assert OPENING.match(line[1].capitalize())


def test_no_script_opens_with_a_relative_clause() -> None:
    first_lines = {name: (ROOT / name).read_text().split("\n")[0] for name in tracked("*.js")}
    found = [name for name, line in first_lines.items() if OPENING.match(line.lstrip("/* "))]
    assert found == []


def test_a_banned_phrase_is_found_in_comments_and_docstrings_only() -> None:
    text = 'def f():\n    """Return his turn."""\n    his = "he"  # his\n'
    assert [found.split(":")[0] for found in banned_in(python_prose(text))] == ["2", "3"]


def test_a_banned_phrase_is_found_in_a_readme_outside_code() -> None:
    text = "He moves.\n```\nhe\n```\n`he` [x](his.md)\nanew\n"
    assert [found.split(":")[0] for found in banned_in(readme_prose(text))] == ["1", "6"]


def test_comments_of_a_text_file_are_prose() -> None:
    assert next(prose_of("requirements.txt"))[1].startswith("# What the site runs on")
    assert "*.txt" in PROSE


@pytest.mark.parametrize(
    "line", ["None when there is none", "it is none of these", "can be told apart", "the hero"]
)
def test_ordinary_english_is_not_banned(line: str) -> None:
    assert banned_in([(1, line)]) == []


def test_a_relative_opening_is_found() -> None:
    text = '"""What it does."""\ndef f():\n    """Whose turn is it?"""\n'
    assert relative_openings(text) == ["1: What it does."]


def test_a_relative_opening_of_a_comment_is_found_in_its_first_line_only() -> None:
    text = "# How late it is.\nlate = 1\n# Colors, by\n# who plays them.\n"
    assert relative_openings(text) == ["1: How late it is."]
