"""The colors that a device remembers, for who is not signed in there."""

from django.http import HttpRequest, HttpResponse

THEMES = ("dark", "light", "contrast")
THEME_COOKIE = "theme"
YEAR_S = 365 * 24 * 3600


def remember_theme(request: HttpRequest, response: HttpResponse, theme: str) -> None:
    """Anything unknown means: as on the device."""
    if theme in THEMES:
        response.set_cookie(
            THEME_COOKIE, theme, max_age=YEAR_S, secure=request.is_secure(), samesite="Lax"
        )
    else:
        response.delete_cookie(THEME_COOKIE)
