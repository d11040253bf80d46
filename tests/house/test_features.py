"""tests/features.md has one row for each feature; the tests and pages that it names exist."""

import ast
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import pytest
from django.core.management import get_commands
from django.urls import Resolver404, resolve
from django.utils import translation

from tests.house.prose import ROOT

TABLE = ROOT / "tests/features.md"
# Numbers of the first and the last row of each letter; the rows between them have all numbers.
NUMBERS = {
    "A": (1, 23), "B": (1, 8), "C": (1, 19), "D": (0, 31), "E": (1, 15), "F": (1, 4), "G": (1, 6),
    "H": (1, 7), "I": (1, 5), "J": (1, 2), "K": (1, 1), "R": (1, 25),
}  # fmt: skip
IDS = [
    f"{letter}{number}"
    for letter, (first, last) in NUMBERS.items()
    for number in range(first, last + 1)
]
NOTHING = "-"
NOT_BUILT = "not built"
WITHOUT_ADDRESS = {"engine", "every page"}
PART = r"not (?:built|tested): [^;|]+"
MISSING = re.compile(rf"{NOTHING}|{NOT_BUILT}|{PART}(?:; {PART})*")
SCRIPT_TEST = re.compile(r'^test\("((?:[^"\\]|\\.)*)"', re.MULTILINE)


class Row(NamedTuple):
    id: str
    what: str
    page: str
    tests: str
    missing: str


def rows_of(text: str) -> list[Row]:
    """Read the rows of every table; raise ValueError if a row has a wrong number of cells."""
    lines = re.findall(r"^\| (?!Row \|)(.*) \|$", text, re.MULTILINE)
    split = [line.split(" | ") for line in lines]
    wrong = [cells[0] for cells in split if len(cells) != len(Row._fields)]
    if wrong:
        raise ValueError(f"rows with a wrong number of cells: {', '.join(wrong)}")
    return [Row(*cells) for cells in split]


def id_faults(ids: Iterable[str]) -> list[str]:
    found = Counter(ids)
    missing = [f"{name}: no row" for name in IDS if name not in found]
    doubled = [f"{name}: {count} rows" for name, count in found.items() if count > 1]
    return missing + doubled + [f"{name}: unknown" for name in found if name not in IDS]


def row_faults(row: Row) -> list[str]:
    """Return the faults of a row, each with the row's id."""
    faults = [] if row.what.strip(NOTHING) else ["has no description"]
    if not MISSING.fullmatch(row.missing):
        faults.append(f"unreadable: {row.missing}")
    if row.missing == NOT_BUILT:
        faults += [f"not built, but has {cell}" for cell in row[2:4] if cell != NOTHING]
    else:
        faults += [f"no test {name}" for name in row.tests.split("<br>") if not has_test(name)]
        faults += [f"no page {name}" for name in row.page.split(", ") if not has_page(name)]
    return [f"{row.id}: {fault}" for fault in faults]


def has_test(name: str) -> bool:
    """Return True for an existing test in backticks, written as `file::test`.

    `test` is the name of a function, without the `[...]` of a parametrized case, or
    `Class::function`, or the title of a test of scripts.
    """
    file, separator, test = name.strip("`").partition("::")
    is_quoted = name == f"`{file}{separator}{test}`"
    return is_quoted and file.startswith("tests/") and test in names_in(file)


@cache
def names_in(file: str) -> frozenset[str]:
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    if path.name.endswith(".test.js"):
        return frozenset(SCRIPT_TEST.findall(path.read_text()))
    if not re.fullmatch(r"test_\w+\.py", path.name):
        return frozenset()
    return frozenset(_functions(ast.parse(path.read_text()).body))


def _functions(body: Iterable[ast.stmt]) -> Iterable[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test_"):
                yield node.name
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from (f"{node.name}::{name}" for name in _functions(node.body))


def has_page(name: str) -> bool:
    """Return True for an existing address or command in backticks, or a name in WITHOUT_ADDRESS."""
    if name in WITHOUT_ADDRESS:
        return True
    if command := re.fullmatch(r"`manage\.py (\w+)`", name):
        return command[1] in get_commands()
    address = re.fullmatch(r"`(/[^`]*)`", name)
    return address is not None and has_address(address[1])


def has_address(address: str) -> bool:
    """Return True for an existing address whose variable parts, if any, are in capitals.

    Without this rule `/play/presets/` would still be found if the page of presets did not exist: as
    the page of the game with the ID "presets".
    """
    with translation.override("en"):
        try:
            values = resolve(address).captured_kwargs.values()
        except Resolver404:
            return False
    return all(isinstance(value, str) and value.isupper() for value in values)


ROWS = rows_of(TABLE.read_text())


def test_the_table_has_each_row_once() -> None:
    faults = id_faults(row.id for row in ROWS)
    assert not faults, "\n" + "\n".join(faults)


def test_rows_name_existing_tests_and_pages() -> None:
    faults = [fault for row in ROWS for fault in row_faults(row)]
    assert not faults, "\n" + "\n".join(faults)


GOOD = Row(
    "A1",
    "Something",
    "`/training/`, `/match/ID/`, `manage.py verifydice`, engine",
    "`tests/house/test_features.py::test_the_table_has_each_row_once`"
    "<br>`tests/js/play/input.test.js::a tap is reported with its place; a second one as double`"
    "<br>`tests/tournaments/test_formats.py::TestKnockout::test_a_knockout_ends_when_nobody_is_left`",
    "not built: one part; not tested: another",
)
UNBUILT = Row("A1", "Something", NOTHING, NOTHING, NOT_BUILT)


@pytest.mark.parametrize("row", [GOOD, GOOD._replace(missing=NOTHING), UNBUILT])
def test_a_right_row_has_no_fault(row: Row) -> None:
    assert row_faults(row) == []


@pytest.mark.parametrize(
    "row",
    [
        GOOD._replace(what=NOTHING),
        GOOD._replace(tests=NOTHING),
        GOOD._replace(tests="`tests/house/test_gone.py::test_the_table_has_each_row_once`"),
        GOOD._replace(tests="`tests/house/test_features.py::test_gone`"),
        GOOD._replace(tests="`tests/house/test_features.py::rows_of`"),
        GOOD._replace(tests="`tests/house/test_features.py`"),
        GOOD._replace(tests="tests/house/test_features.py::test_the_table_has_each_row_once"),
        GOOD._replace(tests="`tests/house/test_features.py::test_a_right_row_has_no_fault[row0]`"),
        GOOD._replace(
            tests="`tests/tournaments/test_formats.py::test_a_knockout_ends_when_nobody_is_left`"
        ),
        GOOD._replace(tests="`tests/js/play/input.test.js::a tap`"),
        GOOD._replace(tests="`tests/journeys/player.py::Player::test`"),
        GOOD._replace(page=NOTHING),
        GOOD._replace(page="`/gone/`"),
        GOOD._replace(page="`/play/gone/`"),
        GOOD._replace(page="/training/"),
        GOOD._replace(page="`manage.py gone`"),
        GOOD._replace(page="somewhere"),
        GOOD._replace(missing=""),
        GOOD._replace(missing="some of it"),
        GOOD._replace(missing="not built: "),
        GOOD._replace(missing="not built: one part; another"),
        GOOD._replace(missing=NOT_BUILT),
        UNBUILT._replace(missing=NOTHING),
        UNBUILT._replace(missing="not built: one part"),
    ],
)
def test_a_wrong_row_is_found(row: Row) -> None:
    faults = row_faults(row)
    assert faults
    assert all(fault.startswith("A1: ") for fault in faults)


def test_missing_doubled_and_unknown_rows_are_found() -> None:
    assert id_faults(IDS) == []
    assert id_faults(IDS[1:]) == ["A1: no row"]
    assert id_faults([*IDS, "D0"]) == ["D0: 2 rows"]
    assert id_faults([*IDS, "A24"]) == ["A24: unknown"]


def test_a_row_with_a_missing_cell_is_found() -> None:
    heading = "| Row | What | Page | Tests | Missing |\n|---|---|---|---|---|\n"
    assert rows_of(heading + "| A1 | b | c | d | e |\n") == [Row("A1", "b", "c", "d", "e")]
    with pytest.raises(ValueError, match="A2"):
        rows_of(heading + "| A1 | b | c | d | e |\n| A2 | b | c | d |\n")
