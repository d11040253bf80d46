"""The table in situations other than plain play: reload, two tabs, resigning, no script."""

import json
import re
from itertools import combinations

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.games.factories import assert_log_folds
from tests.journeys.player import MIDDLE, Player, TouchPlayer, TypingPlayer, start_training
from tests.journeys.visitors import DESK, PHONE, come_as_guest, finished_match, set_language

TABLE = "[data-part=table]"
HEAD = 24  # where all checkers of long nardy start


# The share of the board that the result covers.
HIDDEN_SHARE = """() => {
  const [board, card] = ['.board', '.result']
    .map((name) => document.querySelector(name).getBoundingClientRect());
  const overlap = (low, high) =>
    Math.max(0, Math.min(board[high], card[high]) - Math.max(board[low], card[low]));
  return overlap('left', 'right') * overlap('top', 'bottom') / (board.width * board.height);
}"""

# Press the round button at the moment it appears.
PRESS_AT_ONCE = """() => {
  const button = document.querySelector('[data-testid=middle-done]');
  new MutationObserver(() => { if (!button.hidden) { button.click(); window.pressed = true; } })
    .observe(button, { attributes: true, attributeFilter: ['hidden'] });
}"""


def is_own_roll(look):
    return look.turn == "own" and look.phase == "to_play" and bool(look.movable)


def board_of(page):
    """Return the values of the dice, and the labels of all places, as the page shows them."""
    dice = page.locator("[data-testid^=die-]")
    values = [die.get_attribute("data-value") for die in dice.all()]
    places = {
        place.get_attribute("data-place"): place.get_attribute("aria-label")
        for place in page.locator("[data-place]").all()
    }
    return sorted(values), places


def reached_by(values):
    """Return the distances that one checker can go with these dice."""
    dice = [int(value) for value in values]
    return {sum(some) for count in range(1, 5) for some in combinations(dice, count)}


@pytest.fixture
def finished(transactional_db):
    """Return a finished match. Request it before `live`, so that no worker runs yet."""
    return finished_match()


@pytest.fixture
def table(open_context):
    """Open the table of a new match to 3 points, and play until the guest has rolled."""
    page = open_context(viewport=DESK).new_page()
    page.public_id = start_training(page, "short", length=3, cube="off")
    Player(page).play_until(is_own_roll)
    yield page
    assert_log_folds(Match.objects.get(public_id=page.public_id))


def test_reload_in_mid_turn_returns_to_the_start_of_the_turn(table):
    before = board_of(table)
    player = Player(table)
    player.move(player.look())
    assert board_of(table) != before
    table.reload()
    player.wait()
    assert board_of(table) == before


def test_match_waits_while_the_browser_is_away(unhurried, site, open_context):
    page = open_context(viewport=DESK).new_page()
    public_id = start_training(page, "short", length=3, cube="off", seconds="30")
    Player(page).play_until(is_own_roll)
    before = board_of(page)
    page.goto("about:blank")
    site.wait_until_quiet()
    assert Match.objects.get(public_id=public_id).state.clock.is_paused
    page.goto("/en/")
    page.locator(".resume a").click()
    Player(page).wait()
    assert board_of(page) == before
    match = Match.objects.get(public_id=public_id)
    assert match.state.clock.flag_at_ms() is not None
    assert_log_folds(match)


def test_undo_returns_the_checker(table):
    before = board_of(table)
    player = Player(table)
    player.move(player.look())
    table.get_by_test_id("undo").click()
    assert board_of(table) == before


def test_second_tab_takes_the_seat_and_the_first_can_take_it_back(table):
    second = table.context.new_page()
    second.set_viewport_size(DESK)
    second.goto(table.url)
    Player(second).wait()
    expect(table.locator(TABLE)).to_have_attribute("data-status", "held")
    expect(table.locator("[data-place][data-movable]")).to_have_count(0)
    table.get_by_test_id("line-button").click()
    expect(second.locator(TABLE)).to_have_attribute("data-status", "held")
    Player(table).wait()
    assert Player(table).look().movable


def test_refused_tap_is_explained(table):
    player = Player(table)
    movable = player.look().movable
    held = max(movable)
    reached = reached_by(board_of(table)[0])
    player.hold_place(held)
    assert player.look().selected == held
    unreached = (place for place in range(1, held) if held - place not in reached)
    player.press_place(next(place for place in unreached if place not in movable))
    reason = "Neither die reaches that point."
    expect(table.get_by_test_id("status")).to_contain_text(reason)
    expect(table.get_by_test_id("typed-answer")).not_to_contain_text(reason)


def test_letters_work_on_the_whole_page_unless_the_player_types(table):
    player = Player(table)
    player.move(player.look())
    undo = table.get_by_test_id("undo")
    box = table.get_by_test_id("typed-input")
    box.focus()
    table.keyboard.press("u")
    expect(box).to_have_value("u")
    expect(undo).to_be_enabled()
    table.get_by_test_id("more").focus()
    table.keyboard.press("u")
    expect(undo).to_be_disabled()
    player.move(player.look())
    table.get_by_test_id("more").click()
    table.keyboard.press("u")
    expect(undo).to_be_enabled()
    table.get_by_test_id("tab-dice").click()
    table.get_by_test_id("letter-keys").uncheck()
    table.keyboard.press("Escape")
    expect(table.get_by_test_id("more")).to_be_focused()
    table.keyboard.press("u")
    expect(undo).to_be_enabled()
    table.locator("[data-place][tabindex='0']").focus()
    table.keyboard.press("u")
    expect(undo).to_be_disabled()


def test_the_round_button_takes_no_press_in_its_first_moment(table):
    player = Player(table)
    player.move(player.wait())
    # Once something was undone, the turn does not end by itself, however slow this test is.
    table.get_by_test_id("undo").click()
    look = player.wait()
    while "done" not in look.open:
        player.move(look)
        look = player.wait()
    seq = look.seq
    table.get_by_test_id("undo").click()
    # The button appears with the last move: a second tap of the same finger is not meant for it.
    table.evaluate(PRESS_AT_ONCE)
    player.move(player.wait())
    table.wait_for_function("() => window.pressed")
    assert player.look().seq == seq
    table.wait_for_timeout(400)
    table.get_by_test_id("middle-done").click()
    player.await_answer(look)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_result_leaves_the_final_position_in_sight(open_context, size):
    page = open_context(viewport=size).new_page()
    start_training(page, "short", length=3)
    Player(page).play_until(is_own_roll)
    page.get_by_test_id("more").click()
    page.get_by_test_id("resign-match").click()
    page.get_by_test_id("confirm-yes").click()
    card = page.get_by_test_id("result-card")
    expect(card.get_by_role("heading")).to_have_text("Your opponent won the match")
    expect(card.locator("[data-part=result-score]")).to_be_hidden()
    expect(card).not_to_contain_text("0 : 0")
    hidden = page.evaluate(HIDDEN_SHARE)
    assert hidden <= 0.1
    for name in ("play-again", "play-otherwise", "review-link"):
        expect(page.get_by_test_id(name)).to_be_in_viewport()
    if size is PHONE:
        page.get_by_test_id("result-fold").click()
        expect(page.locator("[data-settling]")).to_have_count(0)  # taps are ignored until then
    expect(page.get_by_test_id("result-signup").get_by_role("link")).to_be_in_viewport()
    before = page.url
    page.get_by_test_id("play-again").click()
    expect(page).not_to_have_url(before)  # the old table is over, which ends `play_until` too
    assert not Player(page).play_until(is_own_roll).is_over


def test_resigned_game_scores_and_the_next_begins(unhurried, table):
    table.get_by_test_id("more").click()
    table.locator("[data-testid^=resign-]:visible:not([data-testid=resign-match])").first.click()
    table.get_by_test_id("confirm-yes").click()
    expect(table.get_by_test_id("result-card")).to_be_visible()
    table.get_by_test_id("next").click()
    look = Player(table).play_until(is_own_roll)
    assert look.phase == "to_play"
    assert Match.objects.get(public_id=table.public_id).snapshot["game"] == 2


def test_whole_match_can_be_resigned(table):
    table.get_by_test_id("more").click()
    table.get_by_test_id("resign-match").click()
    table.get_by_test_id("confirm-yes").click()
    expect(table.get_by_test_id("match-result")).to_be_visible()


def test_cube_is_offered_and_answered(open_context):
    page = open_context(viewport=PHONE).new_page()
    public_id = start_training(page, "short", length=5, cube="on")
    player = Player(page)
    double = page.get_by_test_id("double")
    player.play_until(lambda look: "roll" in look.open and double.is_enabled())
    page.get_by_test_id("double").click()
    page.get_by_test_id("double-yes").click()
    player.play_until(lambda look: is_own_roll(look) or "next" in look.open)
    match = Match.objects.get(public_id=public_id)
    verbs = list(match.actions.values_list("verb", flat=True))
    assert "double" in verbs
    assert {"take", "drop"} & set(verbs)
    assert_log_folds(match)


def test_typed_words_become_part_of_the_dice(open_context):
    page = open_context(viewport=DESK).new_page()
    page.goto("/en/")
    page.evaluate("localStorage.setItem('table-settings', JSON.stringify({entropy: 'ask'}))")
    public_id = start_training(page, "long")
    page.get_by_test_id("entropy-input").fill("привет")
    page.get_by_test_id("entropy-send").click()
    Player(page).wait()
    match = Match.objects.get(public_id=public_id)
    assert match.actions.get(verb="entropy").data["hex"] == "привет".encode().hex()
    assert_log_folds(match)


def test_dice_are_checked_in_the_browser(finished, open_context, live):
    context = open_context(viewport=DESK)
    come_as_guest(context, live, finished.guest)
    page = context.new_page()
    page.goto(f"/match/{finished.public_id}/")
    page.get_by_test_id("dice-check").click()
    expect(page.get_by_test_id("dice-verdict")).to_have_text(
        re.compile(r"^\d+ rolls recomputed in this browser: all of them match")
    )


def test_typed_questions_are_answered(table):
    player = TypingPlayer(table)
    assert "Opponent" in player.type("board")
    assert "Pip count" in player.type("pips")
    assert "/" in player.type("moves")
    assert "Unknown command" in player.type("castle")


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_typed_commands_work_in_the_language_of_the_page(open_context, live, language):
    context = open_context(viewport=DESK)
    set_language(context, live, language)
    page = context.new_page()
    start_training(page, "short", length=3, cube="off")
    Player(page).play_until(is_own_roll)
    player = TypingPlayer(page)
    unknown = player.type("castle")
    for word in {"ru": ["доска", "ходы", "помощь"], "tr": ["tahta", "hamleler", "yardım"]}[
        language
    ]:
        assert player.type(word) != unknown


class TestWithoutScript:
    @pytest.fixture
    def page(self, open_context):
        return open_context(java_script_enabled=False, viewport=PHONE).new_page()

    def test_table_says_that_it_needs_script(self, page):
        start_training(page, "long", length=5)
        page.wait_for_load_state()  # the address changes with the first bytes of the page
        # Chromium under a driver hides <noscript> anyway: search the page source.
        assert "The board needs JavaScript" in page.content()

    def test_language_is_switched(self, page):
        page.goto("/en/rules/long/")
        page.locator("summary", has_text="Language").click()
        page.get_by_role("button", name="Русский").click()
        expect(page.locator("h1")).to_have_text("Правила длинных нард")
        expect(page.locator(".diagram-position").first).to_contain_text("Белые: 24 (15).")

    def test_review_lists_the_moves(self, finished, open_context, live):
        context = open_context(java_script_enabled=False)
        come_as_guest(context, live, finished.guest)
        page = context.new_page()
        page.goto(f"/match/{finished.public_id}/review/")
        plays = finished.match.actions.filter(verb="play").exclude(data__text="-")
        for text in plays.values_list("data__text", flat=True)[:10]:
            expect(page.get_by_text(text).first).to_be_visible()


COUNTS = "texts => texts.map((each) => each.textContent).filter(Boolean)"


def test_the_count_of_a_stack_leaves_out_a_lifted_checker(open_context):
    page = open_context(viewport=DESK).new_page()
    start_training(page, "long")
    Player(page).play_until(is_own_roll)
    counts = page.locator(".board-host .checker-count")
    before, own = counts.evaluate_all(COUNTS), own_on_head(page)
    without = [*before, str(own - 1)]
    without.remove(str(own))
    x, y = page.evaluate(MIDDLE, HEAD)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 60, steps=4)
    lifted = page.locator(".board-host .is-dragged")
    expect(lifted.locator(".checker-count")).to_be_empty()
    assert sorted(counts.evaluate_all(COUNTS)) == sorted(without)
    page.mouse.move(x, y)
    page.mouse.up()
    assert sorted(counts.evaluate_all(COUNTS)) == sorted(before)


def own_on_head(page):
    """Return the number of the player's checkers on the head, from the label of that point."""
    name = page.get_by_test_id(f"point-{HEAD}").get_attribute("aria-label")
    return int(re.search(r", (\d+) ", name)[1])


FILLED = """() => {
  const area = document.querySelector('.board-area').getBoundingClientRect();
  const board = document.querySelector('.board-host .board').getBoundingClientRect();
  return { free: area.height - board.height, top: area.top };
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (414, 896)], ids=str)
def test_board_of_a_phone_fills_the_place_between_the_strips(open_context, live, size):
    page = open_context(viewport={"width": size[0], "height": size[1]}).new_page()
    start_training(page, "short")
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    expect(page.locator(".site-header")).to_be_hidden()
    found = page.evaluate(FILLED)
    assert found["free"] <= 8, "no band above or below the board"
    assert found["top"] <= 72
    page.get_by_test_id("more").click()
    page.locator(".sheet-home").click()
    expect(page.locator(".home-page")).to_be_visible()


BOX = """(selector) => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [x, y, width, height];
}"""


# Sum the layout shifts that no press of the player caused, as browsers report them.
SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (820, 1180), (1280, 800)], ids=str)
def test_the_first_load_of_the_table_hardly_shifts(open_context, live, size):
    page = open_context(viewport={"width": size[0], "height": size[1]}).new_page()
    start_training(page, "short")
    page.add_init_script(SHIFTS)
    page.reload()
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    assert page.evaluate("window.shift") <= 0.02


def test_a_move_does_not_restyle_the_whole_page(open_context, live, tmp_path):
    page = open_context(viewport=PHONE, has_touch=True).new_page()
    start_training(page, "short", length=3, cube="off")
    player = TouchPlayer(page)
    look = player.play_until(is_own_roll)
    # Wait for the scripts that are loaded after the first turn: each of them draws the table again.
    expect(page.locator("[data-news=kept]")).to_be_attached()
    elements = page.evaluate("document.querySelectorAll('*').length")
    traced = tmp_path / "trace.json"
    categories = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
    page.context.browser.start_tracing(page=page, path=traced, categories=categories)
    player.move(look)
    page.wait_for_timeout(500)
    page.context.browser.stop_tracing()
    restyled = [
        event["args"].get("elementCount", 0)
        for event in json.loads(traced.read_text())["traceEvents"]
        if event["name"] == "UpdateLayoutTree"
    ]
    assert any(restyled)
    # A rule such as body:has(...) > * restyles the whole page after every change.
    assert max(restyled) < elements / 2


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
@pytest.mark.parametrize("width", [360, 390, 1280])
def test_no_action_makes_the_action_bar_higher(open_context, live, width, language):
    context = open_context(viewport={"width": width, "height": 800})
    set_language(context, live, language)
    page = context.new_page()
    start_training(page, "short")
    expect(page.locator(f"{TABLE}[data-idle=true]")).to_be_attached()
    heights = page.locator(".action-bar").evaluate(
        """(bar) => [...bar.querySelectorAll("[data-action]")].map((button) => {
            for (const each of button.parentElement.children) each.hidden = each !== button;
            return bar.getBoundingClientRect().height;
        })"""
    )
    assert len(heights) > 5
    assert set(heights) == {52}


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (820, 1180), (1280, 800)], ids=str)
def test_the_placeholder_has_the_size_of_the_board(open_context, live, size):
    page = open_context(viewport={"width": size[0], "height": size[1]}).new_page()
    start_training(page, "short")
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    board = page.evaluate(BOX, ".board-host .board")
    page.route(
        "**/js/table/main*.js",
        lambda route: route.fulfill(body="", content_type="text/javascript"),
    )
    page.reload()  # waits for the stylesheets, which decide the size
    expect(page.locator(".skeleton")).to_be_visible()
    placeholder = page.evaluate(BOX, ".skeleton")
    assert placeholder == pytest.approx(board, abs=6)


def test_board_and_text_use_the_room_of_a_large_screen(open_context, live):
    page = open_context(viewport={"width": 1920, "height": 1080}).new_page()
    start_training(page, "short")
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    board = page.locator(".board-host .board").bounding_box()
    details = page.locator("[data-part=details]").bounding_box()
    assert board["width"] > 1200
    assert board["y"] + board["height"] <= 1080, "the lower rail is on the screen"
    assert details["x"] - board["x"] - board["width"] < 90
    assert details["x"] + details["width"] > 1880


SHORT_TABS = ("match", "moves", "play", "looks", "sounds", "dice")
OPTIONS = ("play", "looks", "sounds")


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=str)
def test_options_of_a_phone_need_no_scrolling(open_context, live, size):
    context = open_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    set_language(context, live, "ru")  # the longest words
    page = context.new_page()
    start_training(page, "short")
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    page.get_by_test_id("more").click()
    sheet = page.locator("dialog[open]")
    for name in OPTIONS:
        page.get_by_test_id(f"tab-{name}").click()
        assert sheet.evaluate("each => each.scrollHeight - each.clientHeight") <= 0, name


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_the_tip_of_the_first_turn_fits_its_line(open_context, live, language):
    context = open_context(viewport={"width": 360, "height": 640}, has_touch=True)
    set_language(context, live, language)
    page = context.new_page()
    start_training(page, "long")
    Player(page).play_until(lambda look: page.get_by_test_id("tip").is_visible())
    line = page.get_by_test_id("status")
    assert line.evaluate("each => each.scrollHeight - each.clientHeight") <= 0


def test_a_refusal_is_shown_in_place_of_the_tip(open_context):
    page = open_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    start_training(page, "long")
    player = Player(page)
    player.play_until(lambda look: page.get_by_test_id("tip").is_visible())
    reached = reached_by(board_of(page)[0])
    player.hold_place(HEAD)
    player.press_place(next(place for place in range(1, HEAD) if HEAD - place not in reached))
    expect(page.locator("[data-part=news]")).to_contain_text("Neither die reaches that point.")
    assert page.locator("[data-part=news]").bounding_box()["height"] > 10
    expect(page.get_by_test_id("tip")).to_be_hidden()


# Show a long event and a long prompt without the tip, all at once, since the table may be drawn
# again at any moment; return whether both are complete and apart.
FIT = """(line) => {
  line.querySelector('[data-part=tip]').hidden = true;
  const [news, prompt] = ['.news', '.prompt'].map((name) => line.querySelector(name));
  news.textContent = 'Rakip pes etmenizi kabul etmedi, bu yüzden oyun şimdi devam ediyor.';
  prompt.textContent = 'Sıra sizde: önce bardaki 1 pulu oyuna sokun.';
  const [all, first, last] = [line, news, prompt].map((each) => each.getBoundingClientRect());
  return first.top >= all.top && first.bottom <= last.top && last.bottom <= all.bottom
    && news.scrollHeight <= news.clientHeight && prompt.scrollHeight <= prompt.clientHeight;
}"""


@pytest.mark.parametrize("width", [360, 390, 500, 1024])
def test_the_latest_event_and_the_prompt_fit_their_place(open_context, width):
    page = open_context(viewport={"width": width, "height": 740}).new_page()
    start_training(page, "short")
    Player(page).play_until(is_own_roll)
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    assert page.get_by_test_id("status").evaluate(FIT)


# Fill the list of moves and open its tab, all at once, since a table that is drawn again removes
# the lines; return by how many px the list is scrolled, and how many are left.
SCROLLED = """(list) => {
  for (let at = 0; at < 80; at += 1) list.append(document.createElement('li'));
  for (const line of list.children) line.textContent ||= '31: 8/5 6/5';
  document.querySelector('[data-testid=tab-moves]').click();
  return [list.scrollTop, list.scrollHeight - list.clientHeight - list.scrollTop];
}"""


def test_the_tab_of_moves_opens_at_the_last_move_with_a_fresh_command_box(open_context):
    page = open_context(viewport=PHONE, has_touch=True).new_page()
    start_training(page, "short")
    Player(page).play_until(is_own_roll)
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    answer, moves = page.get_by_test_id("typed-answer"), page.locator("[data-part=moves]")
    fresh = answer.text_content()
    answer.evaluate("each => { each.textContent = 'An answer from before.'; }")
    page.get_by_test_id("more").click()
    scrolled, left = moves.evaluate(SCROLLED)
    expect(moves).to_be_visible()
    expect(answer).to_have_text(fresh)
    assert left < 2
    assert scrolled > 0


# End the turn behind the dialog; return by how many px the button moves until the next turn.
MOVED = """async (button) => {
  const { dataset } = document.querySelector('[data-part=table]'), seen = [], first = dataset.seq;
  document.querySelector('[data-testid=done]').click();
  do {
    await new Promise(requestAnimationFrame);
    seen.push(button.getBoundingClientRect().y);
  } while (dataset.seq === first || dataset.turn !== 'own' || dataset.idle !== 'true');
  return Math.max(...seen) - Math.min(...seen);
}"""


def test_buttons_of_the_dialog_stay_in_place_while_the_computer_plays(unhurried, open_context):
    page = open_context(viewport=PHONE, has_touch=True).new_page()
    page.goto("/en/")
    # No turn ends by itself before the dialog is open.
    page.evaluate("localStorage.setItem('table-settings', JSON.stringify({endOfTurn: 'confirm'}))")
    start_training(page, "short", length=3, cube="off", seconds="90")
    TouchPlayer(page).play_until(lambda look: "done" in look.open)
    page.get_by_test_id("more").click()
    expect(page.get_by_test_id("pause")).to_be_enabled()
    assert page.get_by_test_id("leave").evaluate(MOVED) <= 1


def test_dialog_more_has_short_tabs_on_a_phone(open_context, live):
    page = open_context(viewport=PHONE, has_touch=True).new_page()
    start_training(page, "short")
    expect(page.locator("[data-part=table][data-idle=true]")).to_be_attached()
    page.get_by_test_id("more").click()
    sheet = page.locator("dialog[open]")
    for name in SHORT_TABS:
        tab = page.get_by_test_id(f"tab-{name}")
        tab.click()
        expect(tab).to_have_attribute("aria-current", "true")
        expect(sheet.locator("[aria-current]")).to_have_count(1)
        assert sheet.evaluate("each => each.scrollHeight") <= 920, name
    expect(page.get_by_test_id("commitment")).to_be_visible()
