"""The pages of the manual: its contents with the search, and one page for each chapter."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.shared.prose import reader_language
from config.manual.chapters import RULES, SLUGS, Manual, manual_in

MOST_CHARACTERS = 120  # characters of a query


@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    """Show all chapters or, with `?q=`, the sections that answer the query."""
    manual = _manual()
    query = request.GET.get("q", "").strip()[:MOST_CHARACTERS]
    context = {
        "chapters": manual.chapters,
        "query": query,
        "results": manual.index.find(query),
        "rules": list(RULES),
        "language": manual.chapters[0].language,
    }
    return render(request, "manual/contents.html", context)


@require_safe
def chapter(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in SLUGS:
        raise Http404
    before, found, after = _manual().find(slug)
    context = {"before": before, "chapter": found, "after": after}
    return render(request, "manual/chapter.html", context)


def _manual() -> Manual:
    return manual_in(reader_language())
