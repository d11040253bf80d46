"""The pages with the rules of both variants.

The prose is one template for each variant and language (locale/<language>/pages/rules/), the
diagrams are data (games/rulebook/diagrams.py). The table of contents is read from the headings of
the prose, so the two cannot differ. With `?try=` one diagram is a board to play on.
"""

import re
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from django.views.decorators.http import require_http_methods

from accounts.shared import rate_limits
from accounts.shared.prose import Prose, prose_of
from games.engine.rules import Profile, Variant
from games.rulebook.summary import describe
from games.rulebook.terms import Terms, terms_of
from games.rulebook.tries import Try

_HEADING = re.compile(r'<h2 id="(?P<anchor>[a-z-]+)"[^>]*>(?P<text>.*?)</h2>', re.DOTALL)
# Key of ACCOUNT_RATE_LIMITS, with guest_ before it for guests; the lessons share this limit.
LIMIT = "lesson"


@dataclass(frozen=True, slots=True)
class Heading:
    """One entry of the table of contents."""

    anchor: str
    text: str


@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: HttpRequest, variant: str) -> HttpResponse:
    """Show the rules; a POST plays the turn of the diagram that is tried."""
    found, asked = prose_of(f"rules/{variant}"), Variant(variant)
    if request.method == "POST" and (limit := rate_limits.count_start(request, LIMIT)):
        return rate_limits.refuse(request, limit)
    terms = terms_of(request, asked)
    trying = _trying(request, terms)
    prose = render_prose(asked, found, _of_tries(request, terms, trying))
    context = {
        "variant": variant,
        "prose": prose,
        "headings": find_headings(prose),
        "language": found.language,
        "match": terms.match,
        "lines": describe(terms.rules) if terms.match else [],
        "rule_sets": [(each.value, each is terms.rules.profile) for each in Profile],
        "trying": trying,
    }
    verdict = trying.verdict if trying else None
    is_unreadable = verdict is not None and not verdict.is_read
    return render(request, "rules/page.html", context, status=422 if is_unreadable else 200)


def render_prose(variant: Variant, prose: Prose, tries: dict[str, Any] | None = None) -> SafeString:
    with override(prose.language):  # for the texts of the diagrams
        text = render_to_string(prose.template, {"variant": variant.value, **(tries or {})})
    return mark_safe(text)  # our own template, escaped by the engine


def find_headings(prose: str) -> list[Heading]:
    return [
        Heading(match["anchor"], strip_tags(match["text"])) for match in _HEADING.finditer(prose)
    ]


def _trying(request: HttpRequest, terms: Terms) -> Try | None:
    """Return the diagram to play, None if a GET names none.

    Raises Http404 for an unknown diagram or one without a roll, and for a POST that names none.
    """
    name = request.GET.get("try", "")
    is_answered = request.method == "POST"
    if not name and not is_answered:
        return None
    try:
        return Try(name, terms.rules, request.POST.get("answer", "") if is_answered else None)
    except KeyError:
        raise Http404 from None


def _of_tries(request: HttpRequest, terms: Terms, trying: Try | None) -> dict[str, Any]:
    """Return the context in which diagrams can be tried."""
    token = {"csrf_token": get_token(request)} if trying else {}
    return {"terms": terms, "path": request.path, "trying": trying, **token}
