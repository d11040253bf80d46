"""tests/asvs.md has one row for each requirement of ASVS 5.0.0, levels 1 and 2.

The tests and files that it names exist.
"""

import re
from collections import Counter
from typing import NamedTuple

import pytest

from tests.house.prose import ROOT, tracked
from tests.house.test_features import has_test

TABLE = ROOT / "tests/asvs.md"
# The levels of the requirements of each section, one digit each, in order. The table has no row for
# a requirement of level 3.
LEVELS = {
    "1.1": "22", "1.2": "1111122223", "1.3": "112222222223", "1.4": "222", "1.5": "123",
    "2.1": "122", "2.2": "112", "2.3": "12223", "2.4": "23",
    "3.1": "3", "3.2": "113", "3.3": "12223", "3.4": "11222233", "3.5": "11122333", "3.6": "3",
    "3.7": "22333",
    "4.1": "12233", "4.2": "23333", "4.3": "22", "4.4": "1222",
    "5.1": "2", "5.2": "112333", "5.3": "113", "5.4": "222",
    "6.1": "122", "6.2": "111111112222", "6.3": "11223333", "6.4": "112233", "6.5": "22222333",
    "6.6": "2223", "6.7": "33", "6.8": "2222",
    "7.1": "222", "7.2": "1111", "7.3": "22", "7.4": "11222", "7.5": "223", "7.6": "22",
    "8.1": "1233", "8.2": "1123", "8.3": "133", "8.4": "23",
    "9.1": "111", "9.2": "1222",
    "10.1": "22", "10.2": "223", "10.3": "22223", "10.4": "1111122222233333", "10.5": "22222",
    "10.6": "22", "10.7": "222",
    "11.1": "2233", "11.2": "22233", "11.3": "11233", "11.4": "1222", "11.5": "23", "11.6": "23",
    "11.7": "33",
    "12.1": "12233", "12.2": "11", "12.3": "22223",
    "13.1": "2333", "13.2": "222223", "13.3": "2233", "13.4": "1222233",
    "14.1": "22", "14.2": "12223333", "14.3": "122",
    "15.1": "12233", "15.2": "12233", "15.3": "1222222", "15.4": "3333",
    "16.1": "2", "16.2": "22222", "16.3": "2222", "16.4": "222", "16.5": "2223",
    "17.1": "23", "17.2": "22223333", "17.3": "22",
}  # fmt: skip
ASKED = {
    f"{section}.{number}": level
    for section, levels in LEVELS.items()
    for number, level in enumerate(levels, start=1)
    if level != "3"
}
KINDS = {"test", "setting", "not applicable", "open"}
TEST = re.compile(r"`tests/[^`]+::[^`]+`")
FILE = re.compile(r"`([\w.-]+/[\w./-]*|\.env\.example|[\w-]+\.(?:md|py|txt|toml|yaml))`")
# Calls of a script that insert a text as markup or run it.
DANGEROUS = re.compile(
    r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|eval)\b|document\.write|new Function"
)


class Row(NamedTuple):
    id: str
    level: str
    what: str
    kind: str
    how: str


def rows_of(text: str) -> list[Row]:
    lines = re.findall(r"^\| (\d+\.\d+\.\d+ .*) \|$", text, re.MULTILINE)
    return [Row(*line.split(" | ")) for line in lines]


def faults_of(row: Row) -> list[str]:
    """Return the faults of a row, each with the row's id."""
    faults = [] if ASKED.get(row.id) == row.level else ["no such requirement of this level"]
    if row.kind not in KINDS or not row.what.strip() or len(row.how.strip()) < 5:
        faults.append("empty or of no kind")
    if row.kind == "test" and not TEST.search(row.how):
        faults.append("names no test")
    faults += [f"no test {name}" for name in TEST.findall(row.how) if not has_test(name)]
    without_tests = TEST.sub("", row.how)
    faults += [
        f"no file {name}" for name in FILE.findall(without_tests) if not (ROOT / name).exists()
    ]
    return [f"{row.id}: {fault}" for fault in faults]


ROWS = rows_of(TABLE.read_text())


def test_each_requirement_has_one_row() -> None:
    assert Counter(ASKED.values()) == {"1": 70, "2": 183}
    found = Counter(row.id for row in ROWS)
    assert found == Counter(ASKED.keys())


def test_rows_say_something_and_name_existing_tests_and_files() -> None:
    faults = [fault for row in ROWS for fault in faults_of(row)]
    assert not faults, "\n" + "\n".join(faults)


GOOD = Row(
    "1.1.1",
    "2",
    "Something",
    "test",
    "`tests/house/test_asvs.py::test_each_requirement_has_one_row`",
)


@pytest.mark.parametrize(
    "row",
    [
        GOOD._replace(id="1.1.9"),
        GOOD._replace(level="1"),
        GOOD._replace(how="-"),
        GOOD._replace(how="It is so."),
        GOOD._replace(how="`tests/house/test_asvs.py::test_gone`"),
        GOOD._replace(kind="setting", how="As in `config/gone.py`"),
        GOOD._replace(kind="done"),
    ],
)
def test_a_wrong_row_is_found(row: Row) -> None:
    assert faults_of(GOOD) == []
    assert faults_of(row)


def test_no_script_writes_texts_as_markup() -> None:
    scripts = [name for name in tracked("*.js") if name.startswith("static/js/")]
    assert scripts
    found = [name for name in scripts if DANGEROUS.search((ROOT / name).read_text())]
    assert found == []
