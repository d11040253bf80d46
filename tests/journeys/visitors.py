"""Browser contexts of known visitors, and their matches, which the services create."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections
from django.test import Client
from playwright.sync_api import BrowserContext, Page

from accounts.models import User
from games.engine.match.state import Phase
from games.engine.rules import Rules
from tests.games import factories
from tests.tournaments.factories import Table, TournamentRun
from tournaments.models import Tournament

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SIDEWAYS = {"width": 844, "height": 390}
NARROW = {"width": 360, "height": 740}


def come_as_guest(context: BrowserContext, live: str, guest: UUID) -> None:
    """Make the context the browser of a guest who has played before."""
    session = SessionStore()
    session["guest"] = str(guest)
    session.save()
    _set_cookie(context, live, settings.SESSION_COOKIE_NAME, session.session_key)


def come_as_member(context: BrowserContext, live: str, user: User) -> None:
    """Sign the member in to the context."""

    def sign_in() -> Client:
        try:
            browser = Client()
            browser.force_login(user)
            return browser
        finally:
            connections.close_all()

    # Signing in sends to a channel layer, which this thread cannot (see `finished_match`).
    with ThreadPoolExecutor(1) as pool:
        browser = pool.submit(sign_in).result()
    continue_session(context, live, browser)


def page_of_member(
    open_context: Callable[..., BrowserContext], live: str, user: User, size: dict[str, int]
) -> Page:
    """Open a page of this size in a browser in which the member is signed in."""
    context = open_context(viewport=size)
    come_as_member(context, live, user)
    return context.new_page()


def continue_session(context: BrowserContext, live: str, browser: Client) -> None:
    """Give the context the session of a test client."""
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    _set_cookie(context, live, settings.SESSION_COOKIE_NAME, key)


def set_language(context: BrowserContext, live: str, language: str) -> None:
    """Set the language as if the visitor had chosen it before."""
    _set_cookie(context, live, settings.LANGUAGE_COOKIE_NAME, language)


def open_table_settings(page: Page) -> None:
    """Open the member's profile and the parts of its table settings, which are closed at first."""
    page.goto("/profile/")
    for part in page.locator(".behavior-part > summary").all():
        part.click()


def _set_cookie(context: BrowserContext, live: str, name: str, value: str | None) -> None:
    host = urlsplit(live).hostname
    context.add_cookies([{"name": name, "value": value or "", "domain": host, "path": "/"}])


def finished_match(variant: str = "short", **rules: Any) -> factories.Sitting:
    """Play a whole match by simple actions; call only before `live` has started its worker.

    The worker would play the computer's side as well.
    """

    def play() -> factories.Sitting:
        try:
            sitting = factories.Sitting(Rules.of(variant, **{"length": 1, **rules})).sit()
            return sitting.start_game().play_until(Phase.FINISHED)
        finally:
            connections.close_all()

    # In a thread of its own: Playwright keeps an event loop in this one, and services that send to
    # a channel layer refuse to run beside one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(play).result()


def tournament_in_first_round(**fields: Any) -> tuple[TournamentRun, list[Table]]:
    """Start a tournament of four at the present time, with a game in play at both tables."""
    run = TournamentRun(4, **fields)
    Tournament.objects.filter(pk=run.tournament.pk).update(starts_at=run.now)
    run.tournament.refresh_from_db()
    return run.start(), [table.sit().start_game() for table in run.tables()]
