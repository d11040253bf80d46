"""Drive a match in two browsers: of two members for credits, or of two guests."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.models import Match
from tests.games.factories import give_history
from tests.journeys.player import MAX_ACTS, PATIENCE_MS, READY, Look, Player, TouchPlayer
from tests.journeys.visitors import DESK, PHONE, come_as_member
from tests.wallet import factories as wallet

TABLE = re.compile(r"/match/[A-Za-z0-9]{12}/$")


def in_own_thread(function: Callable[..., Any], *args: Any) -> Any:
    """Call the function in a separate thread and return its result.

    Functions that send to a channel layer cannot run beside Playwright's event loop.
    """

    def inside() -> Any:
        try:
            return function(*args)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(inside).result()


def until(page: Page, find: Callable[[], Any]) -> Any:
    """Let the page run until `find` finds something; return it."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not (found := find()):
        assert time.monotonic() < end, "not found in time"
        page.wait_for_timeout(50)
    return found


def is_to_play(look: Look) -> bool:
    """Return whether there is a choice of moves; the page plays forced moves automatically."""
    return look.turn == "own" and bool(look.movable)


def may_double(look: Look) -> bool:
    return "double" in look.open


def is_between_games(look: Look) -> bool:
    return "next" in look.open


def say(page: Page, phrase: str) -> None:
    page.locator(f"[data-phrase={phrase}]").click()


def absence(page: Page) -> Locator:
    return page.get_by_test_id("absence")


def prompt(page: Page) -> Locator:
    return page.locator("[data-part=prompt]")


def seasoned(login: str) -> User:
    """Return a member with 1,000 credits, to whom the limits of newcomers do not apply."""
    user = wallet.player(login)
    give_history(user)
    return user


class Duel:
    """Two players: the owner of the announced game on a phone, the joiner at a desk."""

    def __init__(self, open_context: Any, live: str) -> None:
        self.open_context, self.live = open_context, live
        self.owner = in_own_thread(seasoned, "owner")
        self.joiner = in_own_thread(seasoned, "joiner")
        self.phone = self.device_of(self.owner, viewport=PHONE, has_touch=True, is_mobile=True)
        self.desk = self.device_of(self.joiner, viewport=DESK)
        self.players = [TouchPlayer(self.phone), Player(self.desk)]

    def device_of(self, user: Any, **options: Any) -> Page:
        """Open a page in a separate browser in which the member is signed in."""
        context = self.open_context(**options)
        come_as_member(context, self.live, user)
        return context.new_page()

    # --- From the announcement to the table -----------------------------------------------------

    def announce(self, variant: str) -> None:
        self.phone.goto("/play/new/")
        self.phone.locator(f"[name=variant][value={variant}]").check(force=True)
        self.phone.locator("[name=length]").fill("3")
        self.phone.locator("[name=seconds]").select_option("90")
        self.phone.locator("form.setup button[type=submit]").click()
        expect(self.phone.locator(".outlook")).to_contain_text("+90")
        self.phone.locator("[name=confirmed]").click()
        expect(self.phone.locator("#waiting")).to_contain_text("Time left")

    def look_around(self) -> None:
        """Open another page as the owner, who is alerted there when the match begins."""
        self.phone.goto("/leaders/")
        expect(self.phone.locator("body")).to_have_attribute("data-site-line", "live")

    def join(self) -> Match:
        self.desk.goto("/play/")
        self.desk.locator("a[hx-target='#agreement']").click()
        self.desk.locator("#agreement [name=confirmed]").click()
        expect(self.desk).to_have_url(TABLE)
        expect(self.phone).to_have_url(TABLE)  # automatically
        for page in (self.phone, self.desk):
            expect(prompt(page)).not_to_have_text("Setting up the board…")
        return Match.objects.get(public_id=self.desk.url.rstrip("/").rsplit("/", 1)[-1])

    def let_watch(self, match: Match) -> Page:
        page = self.open_context(viewport=DESK).new_page()
        page.goto(f"/match/{match.public_id}/")
        expect(page.get_by_test_id("status")).to_contain_text("You are watching")
        return page

    # --- At the table ---------------------------------------------------------------------------

    def play_until(self, is_enough: Callable[[Look], bool], by: Player | None = None) -> Player:
        """Play until `is_enough` holds for the page of a player, or of `by`; return that player."""
        acts = 0
        for player, look in self.looks():
            if by in (None, player) and is_enough(look):
                return player
            if not look.is_over:
                player.act(look)
                acts += 1
                assert acts < MAX_ACTS, "the match does not come to an end"
        raise AssertionError("nobody has anything to do")

    def looks(self) -> Iterator[tuple[Player, Look]]:
        """Yield again and again each player who has something to do, with a look at their page.

        End when the log has not grown for `PATIENCE_MS`.
        """
        newest_seq, changed_at = -1, time.monotonic()
        while time.monotonic() - changed_at < PATIENCE_MS / 1000:
            for player in self.players:
                found = player.page.evaluate(READY)
                if found:
                    look = Look(**found)
                    if look.seq > newest_seq:
                        newest_seq, changed_at = look.seq, time.monotonic()
                    yield player, look
            self.desk.wait_for_timeout(20)

    def other(self, player: Player) -> Player:
        return next(one for one in self.players if one is not player)

    def offer_cube(self) -> Player:
        """Double as soon as a player may; return the player who must answer."""
        doubler = self.play_until(may_double)
        doubler.page.get_by_test_id("double").click()
        doubler.page.get_by_test_id("double-yes").click()
        asked = self.other(doubler)
        expect(asked.page.get_by_test_id("take")).to_be_enabled()
        return asked

    def offer_to_resign(self, by: Player | None = None) -> Player:
        """Let the next player, or `by`, offer to resign; return the one who must answer."""
        resigner = self.play_until(is_to_play, by)
        resigner.page.get_by_test_id("more").click()
        resigner.page.get_by_test_id("resign-1").click()
        resigner.page.get_by_test_id("confirm-yes").click()
        asked = self.other(resigner)
        expect(asked.page.get_by_test_id("accept")).to_be_enabled()
        expect(prompt(asked.page)).to_have_text("Your opponent wants to resign.")
        expect(prompt(resigner.page)).to_contain_text("Waiting for an answer")
        return asked

    def answer(self, player: Player, name: str) -> None:
        """Press the button of an offer, and wait until the server has answered."""
        look = player.look()
        player.page.get_by_test_id(name).click()
        player.await_answer(look)
        expect(player.page.get_by_test_id(name)).to_be_hidden()


class GuestDuel(Duel):
    """Two guests: one makes the link at a desk, the other follows it on a phone."""

    def __init__(self, open_context: Any, live: str) -> None:
        self.open_context, self.live = open_context, live
        self.desk = open_context(viewport=DESK).new_page()
        phone = open_context(viewport=PHONE, has_touch=True, is_mobile=True)
        self.phone = phone.new_page()
        self.players = [Player(self.desk), TouchPlayer(self.phone)]

    def make_link(self, name: str) -> str:
        self.desk.goto("/play/")
        self.desk.get_by_role("link", name="Play a friend").click()
        self.desk.locator("[name=guest_name]").fill(name)
        self.desk.locator("[name=length]").fill("1")
        self.desk.locator("form.setup button[type=submit]").click()
        expect(self.desk.locator("#waiting")).to_contain_text("Send this link to your friend")
        return self.desk.locator("#link").input_value()

    def follow(self, link: str, name: str) -> Match:
        self.phone.goto(link)
        self.phone.locator("[name=guest_name]").fill(name)
        self.phone.get_by_role("button", name="Play", exact=True).click()
        expect(self.phone).to_have_url(TABLE)
        expect(self.desk).to_have_url(TABLE)  # automatically
        for page in (self.phone, self.desk):
            expect(prompt(page)).not_to_have_text("Setting up the board…")
        return Match.objects.get(public_id=self.desk.url.rstrip("/").rsplit("/", 1)[-1])
