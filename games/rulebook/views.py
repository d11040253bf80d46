"""The pages with the rules of both variants.

The prose is one template for each variant and language (locale/<language>/pages/rules/), the
diagrams are data (games/rulebook/diagrams.py). The table of contents is read from the headings of
the prose, so the two cannot differ.
"""

import re
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from django.views.decorators.http import require_safe

from accounts.shared.prose import Prose, prose_of
from games.engine.rules import Variant

_HEADING = re.compile(r'<h2 id="(?P<anchor>[a-z-]+)">(?P<text>.*?)</h2>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """One entry of the table of contents."""

    anchor: str
    text: str


@require_safe
def rules(request: HttpRequest, variant: str) -> HttpResponse:
    found = prose_of(f"rules/{variant}")
    prose = render_prose(Variant(variant), found)
    headings = find_headings(prose)
    context = {"variant": variant, "prose": prose, "headings": headings, "language": found.language}
    return render(request, "rules/page.html", context)


def render_prose(variant: Variant, prose: Prose) -> SafeString:
    with override(prose.language):  # for the texts of the diagrams
        text = render_to_string(prose.template, {"variant": variant.value})
    return mark_safe(text)  # our own template, escaped by the engine


def find_headings(prose: str) -> list[Heading]:
    return [
        Heading(match["anchor"], strip_tags(match["text"])) for match in _HEADING.finditer(prose)
    ]
