"""The template context of every page: theme, version, navigation, credits, languages."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.functional import SimpleLazyObject
from django.utils.translation import ngettext

from accounts.models import User
from accounts.profile.themes import THEME_COOKIE, THEMES
from accounts.selectors import FriendNews, friend_news_of
from accounts.shared.database_clock import CLOCK
from accounts.times.zones import shown_zone
from chat.unread import Unread, unread_of
from config.manual.help import help_url
from config.navigation import Count, navigation_items
from config.return_urls import page_of
from shop.selectors import GiftOffer, offer_in_header
from wallet.selectors import Funds, funds_of


def theme_of(request: HttpRequest) -> str:
    """Return the theme of the member's account or the visitor's cookie; "" for the device's."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        theme = user.preferences.theme
    else:
        theme = request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in THEMES else ""


def _translations(request: HttpRequest) -> list[dict[str, str]]:
    """Return the URLs of this page in all languages; [] if its URL does not name the language."""
    codes = [code for code, _ in settings.LANGUAGES]
    # `OPTIONS *` has a path without a slash.
    if request.path_info.partition("/")[2].partition("/")[0] not in codes:
        return []
    url = request.build_absolute_uri(request.path)
    return [{"code": code, "url": translate_url(url, code)} for code in codes]


def _way_back(here: str) -> str:
    """Return the page to which signing in leads back; "" for the home page and account pages."""
    path = here.split("?")[0].strip("/")
    is_home = path in ("", *dict(settings.LANGUAGES))
    return "" if is_home or path.startswith("account/") else here


def _funds(request: HttpRequest) -> Funds:
    return funds_of(request.user.pk) if request.user.pk else Funds(0, 0)


def _all_unread(request: HttpRequest) -> Unread:
    return unread_of(request.user.pk) if request.user.pk else Unread()


def _unread(all_unread: Unread) -> Count | None:
    """Count the messages that the member has not read."""
    number = all_unread.messages
    text = ngettext("%(number)s unread message", "%(number)s unread messages", number)
    return Count(number, text % {"number": number}) if number else None


def _answers(all_unread: Unread) -> Count | None:
    """Count the requests to support with an answer that the member has not read."""
    number = all_unread.answers
    text = ngettext("%(number)s answer from support", "%(number)s answers from support", number)
    return Count(number, text % {"number": number}) if number else None


def _menu_news(friends: FriendNews | None, answers: Count | None) -> int:
    """Count the news in the menu, for the mark on its button."""
    return (friends.waiting if friends else 0) + (answers.number if answers else 0)


def _gift(request: HttpRequest, funds: Funds) -> GiftOffer | None:
    user = getattr(request, "user", None)
    return offer_in_header(user, funds, CLOCK.now()) if isinstance(user, User) else None


def _help(request: HttpRequest) -> str:
    """Return the URL of the manual's part for this page; "" if there is none."""
    match = request.resolver_match
    return help_url(match.view_name) if match else ""


def _friends(request: HttpRequest) -> FriendNews | None:
    user = getattr(request, "user", None)
    return friend_news_of(user.pk, CLOCK.now()) if isinstance(user, User) else None


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the context; parts that need queries are lazy, because partials get it too."""
    here = page_of(request)
    funds: Any = SimpleLazyObject(lambda: _funds(request))
    all_unread: Any = SimpleLazyObject(lambda: _all_unread(request))
    friends: Any = SimpleLazyObject(lambda: _friends(request))
    answers: Any = SimpleLazyObject(lambda: _answers(all_unread))
    return {
        "site": {
            "here": here,
            "way_back": _way_back(here),
            "theme": SimpleLazyObject(lambda: theme_of(request)),
            "zone": SimpleLazyObject(shown_zone),
            # Untranslated, unlike `get_available_languages`: readers look for their own language.
            "languages": settings.LANGUAGES,
            "version": settings.VERSION,
            "is_demo": settings.DEMO,
            "navigation": SimpleLazyObject(lambda: navigation_items(request)),
            "funds": funds,
            "unread": SimpleLazyObject(lambda: _unread(all_unread)),
            "answers": answers,
            "friends": friends,
            "menu_news": SimpleLazyObject(lambda: _menu_news(friends, answers)),
            "help": SimpleLazyObject(lambda: _help(request)),
            "gift": SimpleLazyObject(lambda: _gift(request, funds)),
            "translations": _translations(request),
            # The URL without its query, since a link may add any query.
            "canonical": request.build_absolute_uri(request.path),
        }
    }
