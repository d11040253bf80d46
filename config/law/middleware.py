"""Ask members to accept the terms before they go on."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import ResolverMatch, reverse
from django.utils.deprecation import MiddlewareMixin

from accounts.law.services import must_accept
from accounts.shared.own_urls import with_return
from accounts.social.sites import NAMES
from config.return_urls import form_page, partials_page
from games.models.actor import Actor
from games.models.kind import kinds_where
from games.selectors import running_matches

PAGE = "account_law"
# Namespaces that stay open, except CLOSED: the staff's pages, matches and training, support.
OPEN_NAMESPACES = frozenset({"admin", "games", "support"})
# Views of these namespaces that do not stay open: they begin something new or list what is over.
CLOSED = frozenset({"games:again", "games:training", "games:start_training", "games:finished"})
# Pages to read without an account, ways to leave or to report, and what an open page needs.
OPEN = frozenset(
    {
        "about", "chat:report", "chat:report_player", "chat:rules", "export_my_data", "fair_play",
        "header", "healthz", "jsi18n", "lesson_long", "lesson_short", "lessons_long",
        "lessons_short", "manifest", "manual", "manual_chapter", "offline", "people:avatar",
        "people:block", "people:close", "people:stop_emails", "people:table_choices", "privacy",
        "readyz", "responsible_play", "robots", "rules_long", "rules_short", "service_worker",
        "set_language", "set_theme", "shop:webhook", "sitemap", "terms", "wallet:help",
        "whats_new",
    }
)  # fmt: skip
# Prefixes of the names of views about the account and sign-in.
WAYS_IN = ("account_", "socialaccount_")
# Sign-in through another site, by which members without a password prove who they are, for example
# to close the account.
STEPS = ("login", "callback")
OF_SITES = {"apple_finish_callback", *(f"{code}_{step}" for code in NAMES for step in STEPS)}


class AcceptedTerms(MiddlewareMixin):
    """Redirect members who have not accepted the terms in force to the terms, and back afterwards.

    A player at a table is left alone: matches stay open, and so does everything else while a
    match against a person runs.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if not settings.ASK_TO_ACCEPT_TERMS or match is None or is_open(match):
            return None
        # Do not redirect a request for a part of a page already shown: the next whole page asks.
        is_part = request.method in ("GET", "HEAD") and bool(getattr(request, "htmx", False))
        # Do not touch the session of a visitor without a session cookie: the page may be cached.
        if is_part or settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None
        user_id = request.user.pk
        if user_id is None or not must_accept(user_id) or _is_playing(user_id):
            return None
        return _lead(request)


def is_open(match: ResolverMatch) -> bool:
    name = match.view_name
    if name in CLOSED:
        return False
    namespace = match.namespaces[0] if match.namespaces else ""
    is_way_in = name.startswith(WAYS_IN) or name in OF_SITES
    return namespace in OPEN_NAMESPACES or name in OPEN or is_way_in


def _is_playing(user_id: int) -> bool:
    against_people = kinds_where(lambda kind: not kind.has_bot)
    return running_matches(Actor(user_id=user_id)).filter(kind__in=against_people).exists()


def _lead(request: HttpRequest) -> HttpResponse:
    is_reading = request.method in ("GET", "HEAD")
    page = partials_page(request) or form_page(request)
    back = page or (request.get_full_path() if is_reading else "")
    address = with_return(reverse(PAGE), back) if back else reverse(PAGE)
    if getattr(request, "htmx", False):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address, status=302 if is_reading else 303)
