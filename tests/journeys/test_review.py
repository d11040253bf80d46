"""The review of a match in a browser: requested, awaited, stepped through."""

import re

import pytest
from playwright.sync_api import expect

from games.engine.match.state import Phase
from games.engine.rules import Rules
from tests.games.factories import Sitting
from tests.games.reviews.reviewing import finished, reviewed
from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.usable import assert_in_sight, assert_pressable
from tests.journeys.visitors import DESK, NARROW, PHONE, SIDEWAYS, come_as_guest, set_language
from tests.support.compiled import compile_all
from tests.support.lengths import length

# Time for a review, whose process runs at the lowest priority.
REVIEW_MS = 300_000


def played(variant="short", turns=8, with_review=False, **rules):
    """Return a finished match; call only before `live` has started its worker."""

    def make():
        sitting = finished(turns, variant, **rules)
        if with_review:
            reviewed(sitting)
        return sitting

    return in_own_thread(make)


def resigned_games(count):
    """Return a reviewed match in which White resigned this many games, and then the match."""
    sitting = Sitting(Rules.of("short", length=count + 2)).sit().start_game()
    for _ in range(count):
        while 1 not in sitting.may().get("resign", []):
            sitting.act_simply()
        sitting.do("resign", factor=1)
        sitting.play_until(Phase.BETWEEN_GAMES)
    sitting.act_simply()
    sitting.do("resign_match")
    reviewed(sitting)
    return sitting


@pytest.fixture
def unreviewed(transactional_db):
    compile_all()
    return played(turns=12, cube=False)


@pytest.fixture
def reviewed_match(transactional_db):
    return played(with_review=True)


@pytest.fixture(
    params=[("ru", "long"), ("en", "short"), ("tr", "long")][: length(2, 3)], ids="-".join
)
def judged(request, transactional_db):
    """Return the language and a reviewed match."""
    language, variant = request.param
    return language, played(variant, with_review=True)


@pytest.fixture(params=[("short", "xgid"), ("long", "text")], ids="-".join)
def one_of_each(request, transactional_db):
    """Return a match and a notation for its positions; run once for each variant."""
    variant, form = request.param
    return played(variant), form


@pytest.fixture
def visit(open_context, live):
    def make(sitting, path="", language="en", **options):
        context = open_context(**{"viewport": NARROW, **options})
        set_language(context, live, language)
        come_as_guest(context, live, sitting.guest)
        page = context.new_page()
        page.goto(f"/match/{sitting.public_id}/{path}")
        return page

    return make


def board(page):
    return page.locator("[data-part=review-board]")


def test_requested_review_leads_to_the_biggest_error(unreviewed, visit):
    page = visit(unreviewed)
    page.get_by_test_id("review-link").click()
    page.get_by_test_id("review-ask").click()
    page.get_by_test_id("review-show").click(timeout=REVIEW_MS)
    expect(page.get_by_test_id("review-judge")).to_contain_text("looking one turn ahead")
    slider = page.get_by_test_id("review-slider")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("."))  # the script has run
    worst = page.get_by_test_id("review-worst").locator("a").first
    made = worst.inner_text().split("·")[-1].strip()
    worst.click()
    expect(board(page)).to_be_in_viewport()
    expect(page.get_by_test_id("review-caption")).to_contain_text(made)
    shown = page.locator("[data-found]:visible")
    expect(shown).to_have_count(1)
    expect(shown.locator(".is-played")).to_contain_text(made)
    better = shown.locator("tbody th").first.inner_text()
    assert made != better
    expect(shown.locator(".found-verdict")).to_contain_text(better)


def test_better_play_is_drawn_beside_the_one_made(judged, visit):
    language, sitting = judged
    page = visit(sitting, "review/", language)
    expect(board(page).locator(".arrow")).to_have_count(0)
    assert_accessible(page, language)
    page.set_viewport_size(DESK)
    page.get_by_test_id("review-error-after").click()
    first = page.get_by_test_id("review-caption").inner_text()
    expect(board(page).locator(".arrow-good").first).to_be_visible()
    expect(page.locator("[data-found]:visible .is-played")).to_have_count(1)
    assert_accessible(page, language)
    page.get_by_test_id("review-better").uncheck()
    expect(board(page).locator(".arrow")).to_have_count(0)
    page.get_by_test_id("review-better").check()
    page.get_by_test_id("review-error-after").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("review-caption")).not_to_have_text(first)
    page.keyboard.press("Home")
    expect(board(page).locator(".arrow")).to_have_count(0)
    expect(page.get_by_test_id("review-error-before")).to_have_attribute("aria-disabled", "true")


def test_errors_can_be_visited_without_script(reviewed_match, visit):
    page = visit(reviewed_match, "review/", java_script_enabled=False)
    for _ in range(2):
        page.get_by_test_id("review-error-after").click()
        expect(board(page).locator(".arrow-good").first).to_be_visible()
        expect(page.locator("[data-found]:visible .is-played")).to_have_count(1)
    assert "step=" in page.url


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_position_of_the_step_is_copied(one_of_each, visit, size):
    sitting, form = one_of_each
    page = visit(sitting, "review/?step=2", viewport=size, permissions=["clipboard-write"])
    page.get_by_test_id("identifiers").locator("summary").click()
    field = page.locator(f"#id-{form}")
    before = field.input_value()
    steps = page.evaluate("JSON.parse(document.getElementById('review-steps').textContent)")
    texts = [(each["identifiers"] or {}).get(form, "") for each in steps]
    # A tie at the opening roll changes nothing on the board.
    moved = next(at for at in range(3, len(texts)) if texts[at] != before)
    for _ in range(2, moved):
        page.get_by_test_id("review-forward").click()
    expect(field).to_have_value(texts[moved])
    copy = page.locator(f"[data-copy=id-{form}]")
    for turned in (SIDEWAYS, size):
        page.set_viewport_size(turned)
        assert_in_sight(field)
        assert_pressable(copy)
    copy.click()
    expect(page.locator("[data-part=copied]")).to_have_text("Copied.")
    assert_accessible(page, "en")
    page.get_by_test_id("review-last").click()
    is_long = form == "text"
    expect(page.locator("[data-part=no-identifier]")).to_be_visible(visible=not is_long)


def numbered_for_white(play: str, variant: str) -> str:
    """Return a play of Black with the numbers that White reads on the board."""
    of_white = {"short": lambda n: 25 - n, "long": lambda n: (n + 11) % 24 + 1}[variant]
    return re.sub(r"(?<!\()\b\d+", lambda number: str(of_white(int(number[0]))), play)


def test_moves_of_the_opponent_have_the_readers_numbers(one_of_each, visit):
    sitting, _ = one_of_each
    log = sitting.match.actions.filter(verb="play").exclude(data__text="-").order_by("seq")
    plays = [(each.side, each.data["text"]) for each in log]
    variant = sitting.match.variant
    page = visit(sitting, "review/")
    expect(board(page).locator(".checker").first).to_be_visible()
    read = page.locator(".moves [data-play-of]").all_inner_texts()
    assert {side for side, _ in plays} == {"white", "black"}
    assert read == [
        text if side == "white" else numbered_for_white(text, variant) for side, text in plays
    ]
    page.evaluate("localStorage.setItem('table-settings', JSON.stringify({ theirNumbers: true }))")
    page.reload()
    expect(page.locator(".moves [data-play-of]")).to_have_text([text for _, text in plays])


# The selectors whose part has a corner outside the window or under something else.
COVERED = """(selectors) => selectors.filter((selector) => {
  const part = document.querySelector(selector);
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return [[left + 6, top + 6], [right - 6, bottom - 6]]
    .some(([x, y]) => !part.contains(document.elementFromPoint(x, y)));
})"""
SIZES = [(360, 640), (390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_board_and_controls_are_whole_on_the_first_screen(reviewed_match, visit, width, height):
    page = visit(reviewed_match, "review/", viewport={"width": width, "height": height})
    expect(page.get_by_test_id("review-slider")).to_be_visible()
    assert page.evaluate(COVERED, [".review-board", ".review-controls"]) == []


@pytest.fixture
def match_of_many_games(transactional_db):
    return in_own_thread(resigned_games, 8)


def test_tabs_of_many_games_share_one_row_and_the_board_stays_whole(match_of_many_games, visit):
    page = visit(match_of_many_games, "review/?game=7")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.get_by_test_id("review-slider")).to_be_visible()
        assert page.evaluate(COVERED, [".review-board", ".review-controls"]) == []
        expect(page.locator(".game-tabs [aria-current]")).to_be_in_viewport(ratio=1)
        tops = [tab.bounding_box()["y"] for tab in page.locator(".game-tabs li").all()]
        assert len(tops) == 9
        assert len(set(tops)) == 1


@pytest.mark.parametrize("size", [NARROW, SIDEWAYS, DESK], ids=str)
def test_board_is_above_the_chart_and_compared_plays_fit_in_russian(reviewed_match, visit, size):
    page = visit(reviewed_match, "review/", "ru", viewport=size)
    page.get_by_test_id("review-error-after").click()
    expect(board(page)).to_be_in_viewport()
    table = page.locator("[data-found]:visible .table-scroll").first
    assert table.evaluate("each => each.scrollWidth <= each.clientWidth")
    tops = [page.locator(each).bounding_box()["y"] for each in (".review-board", ".review-chart")]
    assert tops[0] < tops[1]


@pytest.mark.parametrize("size", [NARROW, SIDEWAYS, DESK], ids=str)
def test_nothing_moves_when_the_legend_appears(reviewed_match, visit, size):
    page = visit(reviewed_match, "review/", "ru", viewport=size)
    page.get_by_test_id("review-error-after").click()
    legend = page.locator("[data-part=legend]")
    expect(legend).to_be_visible()
    parts = page.locator(".review-board, .review-caption, .review-controls, [data-part=chart]")
    shown = [each.bounding_box() for each in parts.all()]
    assert len(shown) == 4
    page.get_by_test_id("review-better").evaluate("box => box.click()")  # without scrolling to it
    expect(legend).to_be_hidden()
    assert [each.bounding_box() for each in parts.all()] == shown
