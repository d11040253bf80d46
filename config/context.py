"""What every page shows: theme, version, places, the member's credits, the page's languages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.functional import SimpleLazyObject

from accounts.profile.themes import THEME_COOKIE, THEMES
from config.navigation import shown_places
from config.return_urls import page_of
from wallet.selectors import Funds, funds_of


def theme_of(request: HttpRequest) -> str:
    """The chosen theme, or "" for the one the device prefers. A member's is the same everywhere."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        theme = user.preferences.theme
    else:
        theme = request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in THEMES else ""


def _translations(request: HttpRequest) -> list[dict[str, str]]:
    """The same page in every language, for pages that bear their language in the address."""
    codes = [code for code, _ in settings.LANGUAGES]
    if request.path_info.split("/")[1] not in codes:
        return []
    address = request.build_absolute_uri(request.path)
    return [{"code": code, "url": translate_url(address, code)} for code in codes]


def _way_back(here: str) -> str:
    """Where a visitor returns to after signing in; home, in his own language, needs no saying."""
    path = here.split("?")[0].strip("/")
    is_home = path in ("", *dict(settings.LANGUAGES))
    return "" if is_home or path.startswith("account/") else here


def _funds(request: HttpRequest) -> Funds:
    return funds_of(request.user.pk) if request.user.pk else Funds(0, 0)


def site(request: HttpRequest) -> dict[str, Any]:
    """Lazy where it asks the database: partials are rendered with it too."""
    here = page_of(request)
    return {
        "site": {
            "here": here,
            "way_back": _way_back(here),
            "theme": SimpleLazyObject(lambda: theme_of(request)),
            "version": settings.VERSION,
            "is_demo": settings.DEMO,
            "places": SimpleLazyObject(lambda: shown_places(request)),
            "funds": SimpleLazyObject(lambda: _funds(request)),
            "translations": _translations(request),
        }
    }
