"""The rules pages have the same content, order and diagrams in three languages."""

import json
import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from accounts.shared.prose import prose_of
from games.engine.board.position import Position
from games.engine.rules import Variant
from games.rulebook.diagrams import EXAMPLES
from games.rulebook.views import find_headings, render_prose

VARIANTS = list(Variant)
LANGUAGES = [code for code, _ in settings.LANGUAGES]


def prose_in(variant: Variant, language: str) -> str:
    return render_prose(variant, prose_of(f"rules/{variant.value}", language))


def skeleton(prose: str) -> list[str]:
    """Return the headings, diagrams, lists, tables and formulas in order, without their text."""
    pattern = r'<h([23]) id="([a-z-]+)"|data-diagram="(\w+)"|<(li|tr|pre|table|var)\b'
    return ["".join(found) for found in re.findall(pattern, prose)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_languages_have_the_same_headings_and_diagrams(variant):
    skeletons = [skeleton(prose_in(variant, language)) for language in LANGUAGES]
    for one, other in pairwise(skeletons):
        assert one == other


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_languages_name_the_same_plays_and_rolls(variant):
    """Compare plays and rolls, whose notation is the same in every language."""

    def figures(prose):
        words = re.sub(r"<script.*?</script>|<pre.*?</pre>|<p class=.diagram-pos.*?</p>", "", prose)
        words = re.sub(r"<[^>]+>", " ", words)
        return sorted(re.findall(r"\b\d-\d\b|\d+(?:/\d+\*?)+", words))

    found = [figures(prose_in(variant, language)) for language in LANGUAGES]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_is_shown_once_with_its_data(variant, language):
    prose = prose_in(variant, language)
    shown = re.findall(
        r'data-diagram="(\w+)">\s*<script type="application/json">(.*?)</script>', prose
    )
    assert sorted(name for name, _ in shown) == sorted(EXAMPLES[variant])
    for name, board in shown:
        data = json.loads(board)
        position = Position.from_text(EXAMPLES[variant][name].position, variant)
        assert (data["white"], data["black"]) == (list(position.white), list(position.black))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_page_opens_in_its_language_with_a_table_of_contents(client, variant, language):
    with override(language):
        url = reverse(f"rules_{variant}")
    assert url == f"/{language}/rules/{variant}/"
    page = client.get(url)
    assert page.status_code == 200
    html = page.content.decode()
    assert f'<html lang="{language}"' in html
    headings = find_headings(prose_in(variant, language))
    assert len(headings) >= 15
    for heading in headings:
        assert f'<a href="#{heading.anchor}">{heading.text}</a>' in html


def test_anchors_are_unique_on_a_page():
    for variant in VARIANTS:
        anchors = re.findall(r'\bid="([^"]+)"', prose_in(variant, "en"))
        assert len(anchors) == len(set(anchors))


def test_diagram_is_described_without_script():
    prose = prose_in(Variant.LONG, "en")
    assert "White: 24 (15)." in prose
    assert "numbers: 16 (1), 12 (14)." in prose
    assert "Roll: 6-2." in prose


def test_unknown_language_falls_back_to_english():
    assert prose_in(Variant.SHORT, "de") == prose_in(Variant.SHORT, "en")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_disputes_at_a_real_board_are_answered(variant, language):
    prose = prose_in(variant, language)
    section = re.search(r'<h2 id="disputes">.*?(?=<h2)', prose, re.DOTALL)[0]
    answered = re.findall(r'<tr><th scope="row">.+?</th><td>.+?</td></tr>', section)
    assert len(answered) == 10
