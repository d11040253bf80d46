"""Files for search engines: which pages they may read, and where the public ones are."""

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from config.manual.chapters import SLUGS
from games.engine.rules import Variant
from games.lessons.course import COURSES

# Pages whose URL names the language (`i18n_patterns`).
PUBLIC_PAGES: tuple[tuple[str, Sequence[str]], ...] = (
    *((name, ()) for name in ("home", "about", "rules_short", "rules_long")),
    *((name, ()) for name in ("terms", "privacy", "fair_play", "responsible_play")),
    *((name, ()) for name in ("lessons_short", "lessons_long", "manual")),
    *(("manual_chapter", (slug,)) for slug in SLUGS),
    *(("lesson_short", (lesson.name,)) for lesson in COURSES[Variant.SHORT]),
    *(("lesson_long", (lesson.name,)) for lesson in COURSES[Variant.LONG]),
)
# Beginnings of URLs that search engines may not read: settings, parts and pages of one person.
CLOSED = (
    "/account/", "/admin/", "/chat/", "/credits/", "/header/", "/jsi18n/", "/offline/", "/profile/",
    "/settings/",
)  # fmt: skip


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    closed = [f"Disallow: {path}" for path in CLOSED]
    sitemap_url = request.build_absolute_uri(reverse("sitemap"))
    lines = ["User-agent: *", *closed, "", f"Sitemap: {sitemap_url}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List every public page once for each language, each with its other languages (hreflang)."""
    pages = [addresses_of(request, name, args) for name, args in PUBLIC_PAGES]
    return render(request, "about/sitemap.xml", {"pages": pages}, content_type="application/xml")


def addresses_of(request: HttpRequest, name: str, args: Sequence[str]) -> dict[str, str]:
    """Return the absolute URL of a page by language code."""
    addresses = {}
    for code, _ in settings.LANGUAGES:
        with override(code):
            addresses[code] = request.build_absolute_uri(reverse(name, args=args))
    return addresses
