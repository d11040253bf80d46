"""What every page shows: theme, version, the place one is at, the page's other languages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url

THEMES = ("dark", "light", "contrast")
THEME_COOKIE = "theme"

_PLACES = {
    "home": "home",
    "games:training": "play",
    "games:match": "play",
    "rules_short": "rules",
    "rules_long": "rules",
}


def theme_of(request: HttpRequest) -> str:
    """The chosen theme, or "" for the one the device prefers."""
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in THEMES else ""


def _translations(request: HttpRequest) -> list[dict[str, str]]:
    """The same page in every language, for pages that bear their language in the address."""
    codes = [code for code, _ in settings.LANGUAGES]
    if request.path_info.split("/")[1] not in codes:
        return []
    address = request.build_absolute_uri(request.path)
    return [{"code": code, "url": translate_url(address, code)} for code in codes]


def site(request: HttpRequest) -> dict[str, Any]:
    match = request.resolver_match
    return {
        "site": {
            "theme": theme_of(request),
            "version": settings.VERSION,
            "place": _PLACES.get(match.view_name, "") if match else "",
            "translations": _translations(request),
        }
    }
