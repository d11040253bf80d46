"""The navigation items of the header and of a phone's bottom bar."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import ngettext, pgettext_lazy

from accounts.models import User
from accounts.shared.database_clock import CLOCK
from games.conduct.record import suspension_of
from lobby.joinable import joinable_ids
from tournaments.selectors import running_count


@dataclass(frozen=True, slots=True)
class Count:
    """A badge of a navigation item: the number and the sentence that explains it."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """A navigation item. `views` name its other pages; `count` returns its badge or None."""

    name: str
    title: Any
    icon: str
    url_name: str
    views: tuple[str, ...] = ()
    count: Callable[[HttpRequest], Count | None] | None = None


def _joinable(request: HttpRequest) -> Count | None:
    """Count the announced games that the member could join now."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return None
    now = CLOCK.now()
    joinable = getattr(request, "joinable_ids", None)
    number = len(joinable_ids(user, now) if joinable is None else joinable)
    if not number or suspension_of(user.pk, now):
        return None
    text = ngettext("%(count)d game to join", "%(count)d games to join", number)
    return Count(number, text % {"count": number})


def _running_tournaments(request: HttpRequest) -> Count | None:
    """Count the tournaments in progress, for members only: a guest's page does not update."""
    number = running_count() if isinstance(getattr(request, "user", None), User) else 0
    if not number:
        return None
    text = ngettext("%(count)d tournament in progress", "%(count)d tournaments in progress", number)
    return Count(number, text % {"count": number})


ITEMS = [
    NavigationItem("home", pgettext_lazy("place", "Home"), "house", "home"),
    NavigationItem(
        "play",
        pgettext_lazy("place", "Play"),
        "dices",
        "lobby:lobby",
        (
            "lobby:announce",
            "lobby:seek",
            "lobby:challenge",
            "lobby:running",
            "lobby:friend",
            "lobby:invitation",
            "lobby:play_now",
            "lobby:presets",
            "lobby:wishes",
            "lobby:conduct",
        ),
        _joinable,
    ),
    NavigationItem(
        "tournaments",
        pgettext_lazy("place", "Tournaments"),
        "medal",
        "tournaments:tournaments",
        (
            "tournaments:list",
            "tournaments:tournament",
            "tournaments:propose",
            "tournaments:tv",
            "tournaments:season",
            "tournaments:enter",
            "tournaments:withdraw",
        ),
        _running_tournaments,
    ),
    NavigationItem(
        "training",
        pgettext_lazy("place", "Training"),
        "bot",
        "games:training",
        ("games:finished",),
    ),
    NavigationItem(
        "leaders",
        pgettext_lazy("place", "Leaders"),
        "trophy",
        "stats:leaders",
        (
            "stats:rating",
            "stats:opponents",
            "stats:opponent",
            "stats:statistics",
            "stats:matches",
            "stats:achievements",
            "stats:skill",
            "stats:dice",
            "stats:recap_of_year",
        ),
    ),
    NavigationItem(
        "shop",
        pgettext_lazy("place", "Shop"),
        "store",
        "shop:shop",
        ("shop:checkers", "shop:good", "shop:owned", "shop:gifts", "shop:top_up", "shop:totals"),
    ),
    NavigationItem(
        "rules", pgettext_lazy("place", "Rules"), "book-open", "rules_short", ("rules_long",)
    ),
]


def navigation_items(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the items for a page, with counts; the item of the page is marked as current.

    Pages of a match set `request.navigation_item` to the item's name (`games.access.find`), the
    lists of games set `request.joinable_ids`.
    """
    match = request.resolver_match
    chosen = getattr(request, "navigation_item", None)
    view = match.view_name if match else ""
    return [
        {
            "name": item.name,
            "title": item.title,
            "icon": item.icon,
            "url": reverse(item.url_name),
            "is_here": item.name == chosen or view == item.url_name or view in item.views,
            "has_count": item.count is not None,
            "count": item.count(request) if item.count else None,
        }
        for item in ITEMS
    ]
