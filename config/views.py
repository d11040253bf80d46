"""Pages that belong to no app: home, what is new, settings of the visitor, errors."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.constants import HEADER as CSP_HEADER
from csp.utils import build_policy
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, get_language_from_path, gettext, override
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from accounts import security_log
from accounts.profile import preferences
from accounts.profile.themes import THEMES, remember_theme
from accounts.shared.own_urls import own_url
from accounts.shared.prose import prose_of, reader_language
from config.http.database_errors import is_unreachable
from config.i18n import script_texts
from config.i18n.whats_new import releases_in
from config.return_urls import path_of
from games import selectors
from games.models.kind import Category
from games.stakes.history import LEAST_TURNS
from games.training.choices import quick_choices, quick_opponent
from wallet.selectors import welcome_gift_of
from wallet.services.welcome import PART_CREDITS

MAX_RUNNING = 3  # matches shown
RETRY_AFTER_S = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Present the site and ways to begin; the visitor's running matches come first."""
    actor = selectors.actor_of(request.user, request.session)
    running = selectors.running_matches(actor)[:MAX_RUNNING]
    context = {
        "running": running,
        # A running match that has a card on this page needs no alert above the page.
        "shows_live": any(match.policy.is_staked for match in running),
        "shows_friendly": any(match.policy.category is Category.FRIENDLY for match in running),
        "quick": quick_choices(request.session),
        "quick_opponent": quick_opponent(request.session),
        "gift": welcome_gift_of(request.user.pk) if request.user.is_authenticated else None,
        "part": PART_CREDITS,
        "turns": LEAST_TURNS,
    }
    return render(request, "home/home.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "about/page.html", {"prose": prose_of("about")})


@require_safe
def whats_new(request: HttpRequest) -> HttpResponse:
    releases = releases_in(reader_language())
    return render(request, "whats_new.html", {"releases": releases})


@never_cache
@require_safe
def header(request: HttpRequest) -> HttpResponse:
    """Render the parts of the header that update themselves; htmx puts each into its place."""
    return render(request, "header/_updates.html")


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Remember a language, for a member also in the account; go back to the page in that language.

    Django translates a URL only from the active language, which is the cookie's; the page in an
    older tab may be in another language.
    """
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        preferences.choose(request.user.pk, language=language)
    path = path_of(request.POST.get("next", ""))
    with override(get_language_from_path(path) or get_language()):
        return i18n.set_language(request)


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Remember a theme, for a member also in the account; an unknown one selects the device's."""
    back = own_url(request, request.POST.get("next", ""), reverse("home"))
    response = HttpResponseRedirect(back)
    theme = request.POST.get("theme", "")
    if request.user.is_authenticated:
        preferences.choose(request.user.pk, theme=theme if theme in THEMES else "")
    remember_theme(request, response, theme)
    return response


@require_safe
def catalog(request: HttpRequest) -> HttpResponseBase:
    """Return the strings for the scripts of a page.

    The page names its language in the query (`?language=ru`), because it may differ from the
    visitor's cookie. With language and version (`&v=`) in the URL the answer may be cached, except
    on a developer's machine, where translations change without a new version.
    """
    language = request.GET.get("language", "")
    is_named = language in dict(settings.LANGUAGES)
    if not is_named:
        language = reader_language()
    response = script_texts.response(
        request, language, request.GET.get("for", ""), is_rest="rest" in request.GET
    )
    if is_named and request.GET.get("v") == settings.VERSION and not settings.PLAIN_HTTP:
        patch_cache_control(response, public=True, max_age=24 * 3600)
    else:
        patch_cache_control(response, no_cache=True)
    return response


@vary_on_cookie
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest, by which the site can be installed; the app opens at home."""
    icons = [
        {"src": static("img/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": static("img/icon-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": static("img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
        {
            "src": static("img/icon-maskable-512.png"),
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "maskable",
        },
    ]
    return JsonResponse(
        {
            "name": "5Stars Gammon",
            "short_name": "5Stars",
            "description": gettext(
                "Short backgammon and long nardy in your browser, against the computer and "
                "against people."
            ),
            "lang": get_language(),
            "id": "/",
            "start_url": "/",
            "display": "standalone",
            "background_color": "#14110f",
            "theme_color": "#14110f",
            "icons": icons,
        },
        content_type="application/manifest+json",
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render without the request, whose host may be invalid.

    Such an answer may bypass the middleware that sets the content security policy, so the policy is
    set here.
    """
    policy = {CSP_HEADER: build_policy()}
    return HttpResponse(render_to_string("400.html"), status=400, headers=policy)


def _closes_connection(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Close the database connection that the page opens.

    Under ASGI, Django renders error pages in separate threads, and its signals close only the
    connection of the request's thread. Each of the other threads would keep a connection of the
    pool.
    """

    @wraps(page)
    def render_and_close(*args: Any, **kwargs: Any) -> HttpResponse:
        was_open = connection.connection is not None
        try:
            return page(*args, **kwargs)
        finally:
            if not was_open:
                connection.close()

    return render_and_close


@_closes_connection
def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    security_log.note("access refused", request)
    return render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain a missing or old token, which often comes from a page that was open for hours."""
    back = own_url(request, path_of(request.headers.get("Referer", "")), reverse("home"))
    return render(request, "403_csrf.html", {"back": back}, status=403)


@_closes_connection
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Render without the request, so that the cause of the error cannot break this page too.

    Answer 503 if the database cannot be reached, which is no fault of the page.
    """
    if is_unreachable(sys.exception()):
        headers = {"Retry-After": str(RETRY_AFTER_S)}
        return HttpResponse(render_to_string("503.html"), status=503, headers=headers)
    page = render_to_string("500.html", {"version": settings.VERSION})
    return HttpResponse(page, status=500)
