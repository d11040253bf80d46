"""Russian ordinals such as “24‑й” have a non-breaking hyphen."""

import re
from pathlib import Path

import polib
import pytest
from django.conf import settings

ORDINAL = re.compile(r"(?:\d|%\(\w+\)[sd]|\})-[а-яё]")
ROOT = Path(settings.BASE_DIR)


def breaking(text: str) -> list[str]:
    return [line for line in text.splitlines() if ORDINAL.search(line)]


def test_russian_templates_have_no_breaking_hyphen_in_an_ordinal() -> None:
    found = {str(path): breaking(path.read_text()) for path in (ROOT / "locale/ru").rglob("*.html")}
    assert len(found) > 2
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize("catalog", ["django.po", "djangojs.po"])
def test_russian_catalogs_have_no_breaking_hyphen_in_an_ordinal(catalog: str) -> None:
    entries = polib.pofile(str(ROOT / "locale/ru/LC_MESSAGES" / catalog))
    texts = [text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())]
    assert len(texts) > 100
    assert not [line for text in texts for line in breaking(text)]


@pytest.mark.parametrize("text", ["24-й пункт", "до %(length)s-го", "в 1920-х"])
def test_a_breaking_hyphen_of_an_ordinal_is_found(text: str) -> None:
    assert breaking(text)


@pytest.mark.parametrize("text", ["24‑й пункт", "выпало 4-1", "онлайн-игра"])
def test_other_hyphens_are_not_reported(text: str) -> None:
    assert not breaking(text)
