"""Templates and pages print moments only through accounts/times, in the reader's time zone."""

import re
from pathlib import Path

import pytest

from tests.house.prose import tracked

ROOT = Path(__file__).parents[2]
# Django's filters and tags that print a date, a literal <time>, and a variable with the name of a
# moment.
BY_HAND = re.compile(
    r"\|\s*(date|time|timesince|timeuntil|localtime|utc|naturaltime|naturalday)\b"
    r"|\{%\s*(now|localtime|timezone)\b|<time\b"
    r"|\{\{\s*[\w.]*(_at|_until|_from|\.until|\.since|date_joined|timestamp)\s*(\||\}\})"
)
IN_PYTHON = re.compile(r"\b(strftime|date_format|time_format)\(|:%[YHdj]")
# Modules that format moments themselves. The first one does so for all pages. Email headers and
# calendar files are read by programs, and the admin shows the seconds of chat messages to tell the
# messages apart.
ALLOWED = {
    "accounts/times/texts.py",
    "accounts/mail/sender.py",
    "chat/admin.py",
    "tournaments/pages/calendar.py",
}


def by_hand(text: str) -> list[str]:
    return [found.group() for found in BY_HAND.finditer(text)]


def test_templates_print_moments_through_the_tag() -> None:
    names = [name for name in tracked("*.html", "*.txt") if name.startswith("templates/")]
    found = {name: by_hand((ROOT / name).read_text()) for name in names}
    assert len(found) > 100
    assert {name: what for name, what in found.items() if what} == {}


def test_only_allowed_modules_format_moments_by_hand() -> None:
    names = [
        name
        for name in tracked("*.py")
        if not name.startswith("tests/") and "/migrations/" not in name
    ]
    found = {name for name in names if IN_PYTHON.search((ROOT / name).read_text())}
    assert found == ALLOWED


@pytest.mark.parametrize(
    "text",
    [
        '{{ a.created_at|date:"H:i" }}',
        "{% now 'Y' %}",
        "<time>",
        "{{ hold.created_at }}",
        '{% blocktrans with at=x|date:"c" %}',
    ],
)
def test_a_moment_that_is_printed_by_hand_is_found(text: str) -> None:
    assert by_hand(text)


def test_the_moment_tag_is_allowed() -> None:
    assert not by_hand('{% moment match.created_at "time" %}{{ day }}{{ choice.value }}')
