"""No file holds the conflict markers of an unfinished merge: in prose no other check sees them."""

import re

import pytest

from tests.house.prose import ROOT, tracked

MARKER = re.compile(r"^(?:<{7} |>{7} |\|{7} )", re.MULTILINE)


def has_marker(text: str) -> bool:
    return MARKER.search(text) is not None


def test_no_file_has_a_conflict_marker() -> None:
    texts = {name: (ROOT / name).read_bytes().decode(errors="replace") for name in tracked()}
    assert [name for name, text in texts.items() if has_marker(text)] == []


@pytest.mark.parametrize("sign", ["<", ">", "|"])
def test_a_conflict_marker_is_found(sign: str) -> None:
    assert has_marker(f"one\n{sign * 7} theirs\ntwo\n")
    assert not has_marker(f"one {sign * 7} theirs\n{sign * 8} x\n")
