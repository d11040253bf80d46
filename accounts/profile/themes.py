"""The theme cookie, for devices without a signed-in member."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse

from accounts.models import Preferences

THEMES = tuple(filter(None, Preferences.Theme.values))
THEME_COOKIE = "theme"
COOKIE_LIVES = timedelta(days=365)


def remember_theme(request: HttpRequest, response: HttpResponse, theme: str) -> None:
    """Set the cookie; an unknown theme deletes it, so the device decides."""
    if theme in THEMES:
        response.set_cookie(
            THEME_COOKIE, theme, max_age=COOKIE_LIVES, secure=request.is_secure(), samesite="Lax"
        )
    else:
        response.delete_cookie(THEME_COOKIE)
