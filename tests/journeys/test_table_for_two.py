"""Two members at a table for credits: what each sees and sets, at three sizes."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Preferences
from chat.models import Message, Report
from chat.services import moderation
from chat.services.messages import report
from games.engine.board.legal import legal_plays
from games.engine.board.moves import Play
from games.engine.board.variants import OFF
from games.engine.match.permissions import is_first_turn, on_turn
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side
from tests.accounts.factories import staff
from tests.games.factories import StakeSitting, assert_log_folds
from tests.journeys.duel import in_own_thread, seasoned
from tests.journeys.player import Player, TouchPlayer
from tests.journeys.test_access import AT_REST, assert_accessible
from tests.journeys.test_table import HIDDEN_SHARE
from tests.journeys.visitors import DESK, PHONE, SIDEWAYS, come_as_member, set_language

# Each size in one language.
SIZES = pytest.mark.parametrize(
    ("size", "language"),
    [(PHONE, "ru"), (SIDEWAYS, "tr"), (DESK, "en")],
    ids=["390", "844", "1280"],
)


@dataclass
class Table:
    """White's page has the size that the test asks for; Black's has the size `DESK`."""

    sitting: StakeSitting
    white: Page
    black: Page

    def waiting_and_moving(self) -> tuple[Page, Page]:
        """Wait for the first roll; return the waiting player's page and the moving player's."""
        expect(self.black.locator("[data-phase=to_play]")).to_be_visible()
        expect(self.white.locator("[data-phase=to_play]")).to_be_visible()
        pages = (self.white, self.black)
        return pages if self.white.locator("[data-turn=enemy]").count() else pages[::-1]


@pytest.fixture
def sit(open_context: Any, live: str, unhurried: None) -> Callable[..., Table]:
    def _sit(size: dict[str, int], language: str, length: int = 5) -> Table:
        def start() -> StakeSitting:
            return StakeSitting(seasoned("anna"), seasoned("boris"), length=length)

        sitting = in_own_thread(start)
        pages = []
        for side, viewport in ((Side.WHITE, size), (Side.BLACK, DESK)):
            touch = {"has_touch": True, "is_mobile": True} if viewport is not DESK else {}
            context = open_context(viewport=viewport, **touch)
            come_as_member(context, live, sitting.users[side])
            set_language(context, live, language)
            page = context.new_page()
            page.goto(f"/match/{sitting.public_id}/")
            pages.append(page)
        return Table(sitting, *pages)

    return _sit


def player_of(page: Page) -> Player:
    is_touch = page.evaluate("matchMedia('(pointer: coarse)').matches")
    return TouchPlayer(page) if is_touch else Player(page)


@SIZES
def test_roll_decided_in_advance_is_done_by_the_server(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    waiting, moving = table.waiting_and_moving()
    for page, mover in ((waiting, moving), (moving, waiting)):
        expect(page.locator("[data-turn=enemy]")).to_be_visible()
        page.get_by_test_id("premove").click()
        page.get_by_test_id("premove-roll").check()
        page.get_by_test_id("close-more").click()
        expect(page.get_by_test_id("premove-off-roll")).to_be_visible()
        expect(mover.get_by_test_id("premove-off-roll")).to_have_count(int(page is moving))
        play_a_turn(mover)
        expect(page.locator("[data-turn=own][data-phase=to_play]")).to_be_visible()
    waiting.get_by_test_id("premove-off-roll").click()
    expect(waiting.get_by_test_id("premove-off-roll")).to_have_count(0)
    assert_log_folds(table.sitting.match)


def play_a_turn(page: Page) -> None:
    """Move and press Done; the first plays of a game are never forced."""
    player, is_done = player_of(page), False
    while not is_done:
        look = player.wait()
        is_done = "done" in look.open
        player.act(look)


@SIZES
def test_take_decided_in_advance_answers_the_cube(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    waiting, moving = table.waiting_and_moving()
    moving.get_by_test_id("more").click()
    moving.get_by_test_id("premove-cube").select_option("take")
    moving.get_by_test_id("close-more").click()
    expect(moving.get_by_test_id("premove-off-cube")).to_be_visible()
    play_a_turn(moving)
    waiting.get_by_test_id("double").click()
    waiting.get_by_test_id("double-yes").click()
    # Nobody answers by hand. The doubler, who cannot double again, then rolls automatically.
    expect(waiting.locator("[data-phase=to_play][data-turn=own]")).to_be_visible()
    expect(moving.get_by_test_id("take")).to_be_hidden()
    assert table.sitting.state.cube.value == 2
    assert_log_folds(table.sitting.match)


@SIZES
def test_table_shows_the_points_still_needed_and_who_is_ahead_in_pips(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    words = {"ru": ("ещё 5", "поровну"), "tr": ("kalan 5", "eşit"), "en": ("5 away", "level")}
    away, level = words[language]
    _, moving = table.waiting_and_moving()
    expect(table.white.get_by_test_id("away")).to_have_text([away, away])
    expect(table.black.locator("[data-part=fact-pips]")).to_have_text(f"167–167, {level}")
    play_a_turn(moving)
    sign = "−" if moving is table.white else "+"
    difference = table.white.locator("[data-part=difference] > :first-child")
    expect(difference).to_contain_text(sign)
    if size is not DESK:
        table.white.get_by_test_id("more").click()
    expected = table.white.locator("[data-part=luck-own] [data-part=expected]")
    expect(expected).to_have_text("7" if moving is table.white else "0")


@SIZES
def test_ready_marks_are_shown_until_the_match_begins(
    open_context: Any, live: str, unhurried: None, size: dict[str, int], language: str
) -> None:
    def start() -> StakeSitting:
        return StakeSitting(seasoned("anna"), seasoned("boris"), length=3)

    sitting = in_own_thread(start)
    pages = []
    for side in Side:
        context = open_context(viewport=size)
        come_as_member(context, live, sitting.users[side])
        set_language(context, live, language)
        pages.append(context.new_page())
    first, second = pages
    first.goto(f"/match/{sitting.public_id}/")
    marks = first.get_by_test_id("ready")
    expect(marks).to_have_count(2)
    for mark in marks.all():
        expect(mark).to_be_visible()
        expect(mark).to_have_attribute("data-ready", "false")
    second.goto(f"/match/{sitting.public_id}/")
    expect(first.locator("[data-phase=to_play]")).to_be_visible()
    for mark in marks.all():
        expect(mark).to_be_hidden()


@SIZES
def test_one_press_mutes_a_players_own_table_and_another_unmutes_it(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    button = table.white.get_by_test_id("mute-sound")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    table.white.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(table.black.get_by_test_id("mute-sound")).to_have_attribute("aria-pressed", "false")


@SIZES
def test_table_goes_to_full_screen_and_back(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    page = sit(size, language).white
    if size is SIDEWAYS:
        page.locator(".tool-full").click()
    else:
        page.get_by_test_id("more").click()
        page.get_by_test_id("full-screen").click()
    expect(page.locator(":fullscreen").first).to_be_attached()
    expect(page.locator("[data-action=full-screen]").first).to_have_attribute(
        "aria-pressed", "true"
    )
    page.evaluate("document.exitFullscreen()")
    expect(page.locator("[data-action=full-screen]").first).to_have_attribute(
        "aria-pressed", "false"
    )


@SIZES
def test_stake_pot_and_fee_are_one_press_away(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    page = sit(size, language).white
    if size is not DESK:
        page.get_by_test_id("more").click()
    facts = page.locator(".facts-stake dd:not([data-part])")
    expect(facts).to_have_text(["100", "200", "10", "190"])
    for fact in facts.all():
        expect(fact).to_be_in_viewport()


@SIZES
def test_chat_is_one_press_away_and_counts_what_is_unread(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    table.waiting_and_moving()
    table.black.locator("[data-phrase=hello]").click()
    unread = table.white.locator("[data-part=unread]")
    if size is not DESK:
        expect(unread).to_have_text("1")
        table.white.get_by_test_id("open-chat").click()
    expect(table.white.locator("[data-part=chat-list] .said")).to_be_in_viewport()
    expect(table.white.get_by_test_id("chat-text")).to_be_in_viewport()
    expect(unread).to_be_hidden()


@SIZES
def test_one_press_hides_what_a_player_types_and_one_shows_it_again(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    table.waiting_and_moving()
    table.black.get_by_test_id("chat-text").fill("one two three")
    table.black.get_by_test_id("chat-send").click()
    table.black.locator("[data-phrase=hello]").click()
    said = table.white.locator("[data-part=chat-list] .said")
    if size is not DESK:
        table.white.get_by_test_id("open-chat").click()
    expect(said).to_have_count(2)
    table.white.get_by_test_id("mute-text").click()
    expect(said).to_have_count(1)
    expect(said).not_to_contain_text("one two three")
    table.white.locator("[data-phrase=hello]").click()
    expect(said).to_have_count(2)
    table.white.get_by_test_id("unmute").click()  # still there after a message of their own
    expect(said).to_have_count(3)
    phrase = said.nth(1)
    phrase.locator("summary").click()  # a phrase can be reported too
    phrase.locator("[data-report]").click()
    expect(phrase.locator("[data-report]")).to_be_disabled()


def say_something_rude(table: Table) -> None:
    table.black.get_by_test_id("chat-text").fill("something rude")
    table.black.get_by_test_id("chat-send").click()


def hide_the_message(table: Table) -> None:
    """Hide Black's only message as staff do, and wait until it is gone from Black's page."""

    def hide() -> None:
        report(table.sitting.users[Side.WHITE], Message.objects.get().pk, timezone.now())
        moderation.hide(Report.objects.get(), staff("boss"), timezone.now())

    said = table.black.locator("[data-part=chat-list] .said")
    expect(said).to_have_count(1)
    in_own_thread(hide)
    expect(said).to_have_count(0)


@pytest.mark.parametrize("mute", ["[data-mute-text]", "[data-mute]"], ids=["text", "everything"])
def test_a_message_that_staff_hid_stays_hidden_when_the_mute_of_its_author_is_undone(
    sit: Callable[..., Table], mute: str
) -> None:
    table = sit(DESK, "en")
    table.waiting_and_moving()
    say_something_rude(table)
    if mute == "[data-mute]":
        table.white.locator("[data-part=chat-list] summary").click()
    table.white.locator(mute).click()
    hide_the_message(table)
    table.white.get_by_test_id("unmute").click()
    expect(table.white.get_by_test_id("unmute")).to_have_count(0)
    expect(table.white.locator("[data-part=chat-list] .said")).to_have_count(0)


def test_a_message_that_staff_hid_no_longer_counts_as_unread(sit: Callable[..., Table]) -> None:
    table = sit(PHONE, "en")
    table.waiting_and_moving()
    say_something_rude(table)
    unread = table.white.locator("[data-part=unread]")
    expect(unread).to_have_text("1")
    hide_the_message(table)
    expect(unread).to_be_hidden()


@SIZES
def test_button_of_premoves_takes_the_place_of_the_double_while_a_player_waits(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    waiting, moving = table.waiting_and_moving()
    play_a_turn(moving)
    expect(waiting.get_by_test_id("double")).to_be_visible()
    expect(waiting.get_by_test_id("premove")).to_be_hidden()
    expect(moving.locator("[data-phase=to_roll]")).to_be_visible()
    expect(moving.get_by_test_id("premove")).to_be_visible()
    expect(moving.get_by_test_id("double")).to_be_hidden()
    expect(moving.get_by_test_id("undo")).to_be_hidden()


def must_enter(state: MatchState, side: Side, plays: list[Play]) -> bool:
    return state.position.of(side)[25] > 0


def has_a_dead_die(state: MatchState, side: Side, plays: list[Play]) -> bool:
    """Return whether a die has no legal move, and not just because all checkers are borne off."""
    assert state.dice is not None
    is_single = all(len(play) == 1 and play[0].target != OFF for play in plays)
    return len(set(state.dice)) == 2 and is_single and bool(plays)


@SIZES
def test_buttons_of_the_dialog_stay_in_place_when_the_turn_passes(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    """A press is lost if its button moves away between the finger's touch and its release."""
    table = sit(size, language)
    waiting, moving = table.waiting_and_moving()
    if moving is table.white:
        play_a_turn(moving)
        waiting, moving = moving, waiting
        moving.get_by_test_id("roll").click()
    # The page has loaded the form for decisions in advance, which is in the dialog too.
    expect(waiting.get_by_test_id("premove")).to_be_visible()
    waiting.get_by_test_id("more").click()
    resign, give_up = waiting.get_by_test_id("resign-1"), waiting.get_by_test_id("resign-match")
    expect(resign).to_be_disabled()
    before = give_up.bounding_box()
    play_a_turn(moving)
    expect(waiting.locator("[data-turn=own]")).to_have_count(1)
    expect(resign).to_be_enabled()
    after = give_up.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) <= 1


@pytest.mark.parametrize(
    ("wanted", "part", "text"),
    [(must_enter, "prompt", "from the bar"), (has_a_dead_die, "news", "No legal move with the")],
)
def test_status_line_says_what_must_and_what_cannot_be_played(
    open_context: Any,
    live: str,
    unhurried: None,
    wanted: Callable[[MatchState, Side, list[Play]], bool],
    part: str,
    text: str,
) -> None:
    def start() -> tuple[StakeSitting, Side]:
        """Play until a wanted position; make its player end even forced turns by hand."""
        sitting = StakeSitting(seasoned("anna"), seasoned("boris"), length=25).sit().start_game()
        for _ in range(5000):
            state, side = sitting.state, on_turn(sitting.state)
            if state.phase is Phase.TO_PLAY and side is not None and state.dice is not None:
                given = state.position, side, state.dice, state.rules, is_first_turn(state)
                plays = list(legal_plays(*given).values())
                if wanted(state, side, plays):
                    Preferences.objects.filter(user=sitting.users[side]).update(
                        end_of_turn="confirm"
                    )
                    return sitting, side
            if state.phase is Phase.BETWEEN_GAMES:
                sitting.do("next", side=Side.BLACK)
            sitting.act_simply()
        raise AssertionError("no such position")

    sitting, side = in_own_thread(start)
    for size in (PHONE, SIDEWAYS, DESK):
        context = open_context(viewport=size)
        come_as_member(context, live, sitting.users[side])
        set_language(context, live, "en")
        page = context.new_page()
        page.goto(f"/match/{sitting.public_id}/")
        line = page.locator(f"[data-part=status] [data-part={part}]")
        expect(line).to_contain_text(text)
        expect(line).to_be_in_viewport()
        page.close()


@SIZES
def test_table_dialog_and_premoves_are_accessible(
    sit: Callable[..., Table], size: dict[str, int], language: str
) -> None:
    table = sit(size, language)
    _, moving = table.waiting_and_moving()
    table.black.get_by_test_id("chat-text").fill("one two three")
    table.black.get_by_test_id("chat-send").click()
    page = table.white
    page.get_by_test_id("more").click()
    page.get_by_test_id("premove-roll").check()
    assert_accessible(page, language)
    page.get_by_test_id("close-more").click()
    if page is not moving:
        expect(page.get_by_test_id("premove-off-roll")).to_be_visible()
    assert_accessible(page, language)


NARROWEST = {"width": 360, "height": 640}


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_strip_and_tabs_fit_on_the_narrowest_phone(
    sit: Callable[..., Table], language: str
) -> None:
    table = sit(NARROWEST, language)
    waiting, moving = table.waiting_and_moving()
    play_a_turn(moving)
    expect(waiting.locator("[data-phase=to_roll]")).to_be_visible()
    page = table.white
    expect(page.locator("[data-phase=to_roll][data-idle=true]")).to_be_visible()
    parts = "[data-part=strip-enemy] :is([data-part=pips-row], [data-part=last-roll] svg)"
    boxes = [part.bounding_box() for part in page.locator(parts).all() if part.is_visible()]
    assert_apart(*(box for box in boxes if box is not None))
    page.get_by_test_id("more").click()
    hidden = page.locator(".sheet-tabs").evaluate("each => each.scrollWidth - each.clientWidth")
    assert hidden <= 0


def assert_apart(*boxes: Any) -> None:
    for left, right in pairwise(sorted(boxes, key=lambda box: box["x"])):
        assert left["x"] + left["width"] <= right["x"] + 1


def test_the_result_for_credits_hides_little_of_the_final_position(
    sit: Callable[..., Table],
) -> None:
    table = sit(PHONE, "ru")
    table.waiting_and_moving()
    page = table.white
    page.get_by_test_id("more").click()
    page.get_by_test_id("resign-match").click()
    page.get_by_test_id("confirm-yes").click()
    expect(page.get_by_test_id("rematch-offer")).to_be_in_viewport()
    expect(page.get_by_test_id("rematch-price")).to_be_visible()
    assert page.evaluate(HIDDEN_SHARE) <= 0.18


def test_an_offer_covers_the_whole_strip_of_the_player_who_must_answer(
    sit: Callable[..., Table],
) -> None:
    """Resize the window while it shows the offer."""
    table = sit(DESK, "ru")
    waiting, moving = table.waiting_and_moving()
    play_a_turn(moving)
    waiting.get_by_test_id("double").click()
    waiting.get_by_test_id("double-yes").click()
    expect(moving.get_by_test_id("take")).to_be_visible()
    for width, height in ((1280, 800), (1920, 1080), (820, 1180), (844, 390)):
        moving.set_viewport_size({"width": width, "height": height})
        moving.evaluate(AT_REST)  # the script has laid out the board
        offer = moving.locator("[data-part=offer-cube]").bounding_box()
        strip = moving.locator("[data-part=strip-own]").bounding_box()
        assert offer is not None
        assert strip is not None
        assert offer["y"] <= strip["y"] + 1
        assert offer["x"] <= strip["x"] + 1
        assert offer["x"] + offer["width"] >= strip["x"] + strip["width"] - 1


def test_an_absence_shows_in_the_strip_and_not_over_the_board(
    sit: Callable[..., Table],
) -> None:
    table = sit(PHONE, "ru")
    table.waiting_and_moving()
    table.black.close()
    notice = table.white.locator("[data-part=strip-enemy]").get_by_test_id("absence")
    expect(notice).to_be_visible()
    table.white.evaluate(AT_REST)
    shown = notice.bounding_box()
    board = table.white.get_by_test_id("board").bounding_box()
    assert shown is not None
    assert board is not None
    assert shown["y"] + shown["height"] <= board["y"]


def test_chat_and_moves_are_tabs_beside_a_wide_board(sit: Callable[..., Table]) -> None:
    page = sit(DESK, "en").white
    chat, moves = page.get_by_test_id("chat-text"), page.locator("[data-part=moves]")
    for tab, shown, hidden in (("moves", moves, chat), ("chat", chat, moves)):
        page.get_by_test_id(f"column-{tab}").click()
        expect(shown).to_be_in_viewport()
        expect(hidden).to_be_hidden()
