"""The pages with the rules of both variants.

The prose is one template for each variant and language (templates/rules/), the diagrams are data
(games/rulebook/diagrams.py). The table of contents is read from the headings of the prose, so the
two cannot differ.
"""

import re
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from games.engine.rules import Variant

FALLBACK_LANGUAGE = "en"
PROSE_LANGUAGES = ("ru", "en", "tr")

_HEADING = re.compile(r'<h2 id="(?P<anchor>[a-z-]+)">(?P<text>.*?)</h2>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """One entry of the table of contents."""

    anchor: str
    text: str


@require_safe
def rules(request: HttpRequest, variant: str) -> HttpResponse:
    prose = render_prose(Variant(variant), get_language() or FALLBACK_LANGUAGE)
    context = {"variant": variant, "prose": prose, "headings": find_headings(prose)}
    return render(request, "rules/page.html", context)


def render_prose(variant: Variant, language: str) -> SafeString:
    """Render the prose in a language; in English for a language without a template."""
    if language not in PROSE_LANGUAGES:
        language = FALLBACK_LANGUAGE
    name = f"rules/{variant.value}.{language}.html"
    with override(language):  # for the texts of the diagrams
        prose = render_to_string(name, {"variant": variant.value})
    return mark_safe(prose)  # our own template, escaped by the engine


def find_headings(prose: str) -> list[Heading]:
    return [
        Heading(match["anchor"], strip_tags(match["text"])) for match in _HEADING.finditer(prose)
    ]
