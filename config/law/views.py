"""The pages of the terms. Their prose is `locale/<language>/pages/law/`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import override
from django.views.decorators.http import require_safe

from accounts.law.versions import versions_in
from accounts.shared.prose import prose_of
from config.law.figures import law_figures
from config.manual.prose_parser import parse

# URL name -> file of the prose.
FILES = {
    "terms": "terms",
    "privacy": "privacy",
    "fair_play": "fair-play",
    "responsible_play": "responsible-play",
}


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    found = prose_of(f"law/{FILES[name]}")
    with override(found.language):  # links lead to pages in this language
        text = render_to_string(found.template, law_figures())
    parsed = parse(text)
    context = {
        "title": parsed.title,
        "summary": parsed.summary,
        "sections": parsed.sections,
        "language": found.language,
        # Our own template, escaped by the engine. The page has the title as its own heading.
        "prose": mark_safe(text.partition("</h1>")[2]),
        "versions": versions_in(found.language),
    }
    return render(request, "law/page.html", context)
