"""Parts of the home page, the same for all visitors and rendered every few seconds."""

from collections.abc import Callable
from typing import Any

from django import template
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.shared.database_clock import CLOCK
from games.reviews.playback import seats_of
from lobby import showcase

register = template.Library()
# Seconds for which a process keeps a rendered part.
KEPT_S = 3


@register.simple_tag
def home_showcase() -> SafeString:
    """Show a match in play, else a recent match, else an empty part."""
    return _kept("home/_showcase.html", _showcase)


@register.simple_tag
def home_activity() -> SafeString:
    return _kept("home/_activity.html", lambda: {"activity": showcase.activity(CLOCK.now())})


def _showcase() -> dict[str, Any]:
    shown = showcase.showcase(CLOCK.now())
    return {"shown": shown, "seats": seats_of(shown.match) if shown else []}


def _kept(name: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    key = f"{name}:{get_language()}"
    html = caches["pages"].get(key)
    if html is None:
        html = render_to_string(name, context())
        caches["pages"].set(key, html, KEPT_S)
    return mark_safe(html)
