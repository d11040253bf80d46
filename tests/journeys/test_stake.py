"""Two people play for credits in two browsers, one of them a phone, while a third watches."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from games.models import Match
from stats.models import RatingChange
from tests.accounts.factories import member
from tests.games.factories import assert_log_folds
from tests.journeys.player import LOOK, MOST_ACTS, READY, Look, Player, TouchPlayer
from tests.journeys.test_access import assert_open_to_all
from tests.journeys.visitors import DESK, PHONE, come_as_member, speak
from wallet.selectors import funds_of

TABLE = re.compile(r"/match/[A-Za-z0-9]{12}/$")


def make(function, *args):
    """In a thread of its own: what becoming a member announces goes by a channel layer."""

    def inside():
        try:
            return function(*args)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(inside).result()


class Duel:
    """The announcer on a phone, the joiner at a desk."""

    def __init__(self, open_context, live):
        self.owner, self.joiner = make(member, "owner"), make(member, "joiner")
        phone = open_context(viewport=PHONE, has_touch=True, is_mobile=True)
        desk = open_context(viewport=DESK)
        come_as_member(phone, live, self.owner)
        come_as_member(desk, live, self.joiner)
        self.phone, self.desk = phone.new_page(), desk.new_page()
        self.players = [TouchPlayer(self.phone), Player(self.desk)]

    def announce(self, variant: str) -> None:
        self.phone.goto("/play/new/")
        self.phone.locator(f"[name=variant][value={variant}]").check(force=True)
        self.phone.locator("[name=length]").fill("1")
        self.phone.locator("form.setup button[type=submit]").click()
        expect(self.phone.locator(".outlook")).to_contain_text("+90")
        self.phone.locator("[name=confirmed]").click()
        expect(self.phone.locator("#waiting")).to_contain_text("Time left")

    def join(self) -> Match:
        self.desk.goto("/play/")
        self.desk.locator("form[action$='/join/'] button").click()
        expect(self.desk).to_have_url(TABLE)
        expect(self.phone).to_have_url(TABLE)  # by itself
        return Match.objects.get(public_id=self.desk.url.rstrip("/").rsplit("/", 1)[-1])

    def play_until(self, is_enough) -> Player:
        """Both play on until `is_enough(look)` of one of them; returns that one."""
        for _ in range(MOST_ACTS):
            for player in self.players:
                found = player.page.evaluate(READY)
                if not found:
                    continue
                look = Look(**found)
                if is_enough(look):
                    return player
                if not look.is_over:
                    player.act(look)
            self.desk.wait_for_timeout(20)
        raise AssertionError("the match does not come to an end")

    def other(self, player: Player) -> Player:
        return next(one for one in self.players if one is not player)


def say(page: Page, phrase: str) -> None:
    page.locator(f"[data-phrase={phrase}]").click()


def is_to_play(look: Look) -> bool:
    return look.turn == "own" and bool(look.movable)


def phase_of(page: Page) -> str:
    return page.evaluate(LOOK)["phase"]


@pytest.mark.parametrize("variant", ["short", "long"])
def test_a_match_for_credits_from_the_announcement_to_the_rematch(open_context, live, variant):
    duel = Duel(open_context, live)
    duel.announce(variant)
    duel.phone.goto("/leaders/")  # it waits while its owner looks around
    match = duel.join()
    assert funds_of(duel.owner.pk).total == funds_of(duel.joiner.pk).total == 900

    onlooker = open_context(viewport=DESK).new_page()
    onlooker.goto(f"/match/{match.public_id}/")
    expect(onlooker.get_by_test_id("status")).to_contain_text("You are watching")

    # Chat: heard by the other, unread until it is looked at, and not heard by who watches.
    say(duel.desk, "good_luck")
    expect(duel.phone.locator("[data-part=unread]")).to_have_text("1")
    duel.phone.get_by_test_id("more").click()
    expect(duel.phone.locator("[data-part=chat-list]")).to_contain_text("Good luck!")
    duel.phone.get_by_test_id("close-more").click()
    expect(duel.phone.locator("[data-part=unread]")).to_be_hidden()
    assert onlooker.locator("[data-part=chat-list] li").count() == 0

    # One is gone for a while: the other sees it, and the way back is on every page.
    duel.phone.goto("/whats-new/")
    expect(duel.desk.get_by_test_id("absence")).to_contain_text("owner is away")
    duel.phone.locator("#live a").click()
    expect(duel.desk.get_by_test_id("absence")).to_be_hidden()

    # A resignation that is refused changes nothing.
    resigner = duel.play_until(is_to_play)
    answerer = duel.other(resigner)
    resigner.page.get_by_test_id("more").click()
    resigner.page.locator("[data-action=resign]:visible").first.click()
    resigner.page.get_by_test_id("confirm-yes").click()
    answerer.page.get_by_test_id("refuse").click()
    expect(answerer.page.get_by_test_id("refuse")).to_be_hidden()

    duel.play_until(lambda look: look.is_over)
    for page in (duel.phone, duel.desk):
        expect(page.get_by_test_id("match-result")).to_be_visible()
        expect(page.locator("#match_rating")).to_contain_text("your rating is now")
    # Who watches is told five things a second, and these two play faster than people.
    expect(onlooker.locator("#result-title")).to_contain_text("won the match", timeout=60_000)
    match.refresh_from_db()
    assert_log_folds(match)
    assert sorted([funds_of(duel.owner.pk).total, funds_of(duel.joiner.pk).total]) == [900, 1090]
    assert RatingChange.objects.count() == 2

    # The dice are anybody's to check, and the two go on with swapped colors.
    onlooker.get_by_test_id("dice-check").click()
    expect(onlooker.get_by_test_id("dice-verdict")).to_have_attribute("data-ok", "true")
    duel.desk.get_by_test_id("rematch-offer").click()
    duel.phone.get_by_test_id("rematch-accept").click()
    for page in (duel.desk, duel.phone):
        expect(page).not_to_have_url(re.compile(match.public_id))
        expect(page).to_have_url(TABLE)
    again = Match.objects.get(rematch_of=match)
    assert again.seats.get(user=duel.owner).side != match.seats.get(user=duel.owner).side


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_the_lobbys_pages(open_context, live, language):
    owner, visitor = make(member, "owner"), make(member, "visitor")
    contexts = [open_context(viewport=PHONE) for _ in range(2)]
    for context, user in zip(contexts, (owner, visitor), strict=True):
        come_as_member(context, live, user)
        speak(context, live, language)
    page, other = (context.new_page() for context in contexts)
    page.goto("/play/new/")
    page.locator("details.advanced > summary").click()
    assert_open_to_all(page, language)
    page.set_viewport_size(DESK)
    page.locator("form.setup button[type=submit]").click()
    expect(page.locator(".outlook")).to_be_visible()
    assert_open_to_all(page, language)
    page.locator("[name=confirmed]").click()
    expect(page.locator("#waiting")).to_be_visible()
    assert_open_to_all(page, language)
    other.goto("/play/")
    expect(other.locator(".seek-row")).to_have_count(1)
    assert_open_to_all(other, language)
    for path in ("/leaders/", f"/player/{owner.public_id}/rating/"):
        other.goto(path)
        assert_open_to_all(other, language)
