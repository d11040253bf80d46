"""Calls of `read_text` name the encoding, since the default on Windows is not UTF-8."""

import re

import pytest

from tests.house.prose import ROOT, tracked

FILES = [name for name in tracked("*.py") if not name.startswith("tests/")]
BARE = re.compile(r"\.read_text\(\)")


def test_files_of_the_site_are_read_as_utf_8() -> None:
    assert len(FILES) > 300
    assert [name for name in FILES if BARE.search((ROOT / name).read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [("path.read_text()", True), ('path.read_text("utf-8")', False),
     ('path.read_text(encoding="utf-8")', False)],
)  # fmt: skip
def test_reading_without_an_encoding_is_found(text: str, is_bare: bool) -> None:
    assert bool(BARE.search(text)) is is_bare
