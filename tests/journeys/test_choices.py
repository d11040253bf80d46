"""A member's choices for tables, made at a table or on the profile, and how boards show them."""

import re

import pytest
from playwright.sync_api import expect

from accounts.selectors import preferences_of
from tests.accounts.factories import member
from tests.journeys.player import KeyboardPlayer, Player, start_training, tab_until
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, come_as_member, open_table_settings

TABLE = "[data-part=table]"
SAVED = re.compile(r"/profile/table/$")
# The table follows the account once it has loaded this script.
FOLLOWS_ACCOUNT = """() => performance.getEntriesByType("resource")
  .some((each) => each.name.includes("/table/settings-sync"))"""
LIT = "[data-place]:is([data-movable], [data-target], [data-selected])"
MARKS = ":is(.layer-hints, .layer-dots) > *"


@pytest.fixture
def anna(live, on_site):
    return on_site(member, "Anna77")


@pytest.fixture
def visit(open_context, live, anna):
    """Return a function that opens a page of the member on a separate device."""

    def make(viewport=DESK, **options):
        context = open_context(viewport=viewport, **options)
        come_as_member(context, live, anna)
        return context.new_page()

    return make


def sit_down(page, variant="short"):
    """Start a training match, and play until the player has a move to make."""
    start_training(page, variant, length=3, cube="off")
    Player(page).play_until(lambda look: look.phase == "to_play" and bool(look.movable))


def await_account(page):
    """Wait until the table applies choices that are made elsewhere."""
    expect(page.locator("body")).to_have_attribute("data-site-line", "live")
    page.wait_for_function(FOLLOWS_ACCOUNT)


def is_saved(answer):
    return SAVED.search(answer.url) and answer.request.method == "POST"


def open_tab_of(field):
    """Press the tab of the table's dialog that shows the field."""
    if not field.is_visible():
        group = field.evaluate(
            "each => [...document.querySelectorAll('.options')].indexOf(each.closest('.options'))"
        )
        field.page.get_by_test_id(f"tab-{('play', 'looks', 'sounds')[group]}").click()


def choose(page, **choices):
    """Choose in the table's dialog and wait until the account has the choices."""
    page.get_by_test_id("more").click()
    for name, value in choices.items():
        with page.expect_response(is_saved) as answer:
            field = page.locator(f"[data-setting={name}]")
            open_tab_of(field)
            field.set_checked(value) if isinstance(value, bool) else field.select_option(value)
        assert answer.value.status == 204
    page.get_by_test_id("close-more").click()


def test_choice_on_the_phone_applies_on_the_desktop(visit):
    phone = visit(PHONE)
    sit_down(phone)
    choose(phone, board="night", checkers="ruby", numbers=False, checkerColor="dark")
    desk = visit(DESK)
    desk.goto(phone.url)
    Player(desk).wait()
    table = desk.locator(TABLE)
    expect(table).to_have_attribute("data-board", "night")
    expect(table).to_have_attribute("data-checkers", "ruby")
    expect(desk.locator(".numbers")).to_have_count(0)
    expect(desk.locator("[data-part=strip-own]")).to_have_attribute("data-paint", "dark")
    expect(desk.locator("[data-part=strip-enemy]")).to_have_attribute("data-paint", "light")
    own = desk.locator("[data-place][data-movable]").first
    expect(own).to_have_attribute("aria-label", re.compile(r"\bdark checker"))


def test_looks_change_the_colors(visit):
    page = visit()
    sit_down(page)
    colors = """() => ['.felt', '.point-a', '[data-paint=light] .checker-body',
        '[data-paint=dark] .checker-body']
      .map((name) => getComputedStyle(document.querySelector(name)).fill)"""
    seen = [page.evaluate(colors)]
    for board, checkers in [("night", "ruby"), ("sand", "sea"), ("contrast", "contrast")]:
        choose(page, board=board, checkers=checkers)
        seen.append(page.evaluate(colors))
    for part in zip(*seen, strict=True):
        assert len(set(part)) == len(seen), part


def test_open_table_takes_over_a_choice_made_at_another(visit):
    desk = visit(DESK)
    sit_down(desk)
    await_account(desk)
    phone = visit(PHONE)
    sit_down(phone, "long")
    choose(phone, board="sand", pips=False)
    expect(desk.locator(TABLE)).to_have_attribute("data-board", "sand")
    expect(desk.locator("[data-part=strip-own] [data-part=pips-row]")).to_be_hidden()


def test_open_table_takes_over_a_choice_made_on_the_profile(visit):
    desk = visit(DESK)
    sit_down(desk)
    await_account(desk)
    phone = visit(PHONE)
    open_table_settings(phone)
    phone.locator("[name=board][value=night]").check()
    phone.locator(".profile-form [type=submit]").last.click()
    expect(desk.locator(TABLE)).to_have_attribute("data-board", "night")


def test_failed_request_loses_no_choice(visit, watch, anna):
    watch.expect_error("Failed to load resource")
    page = visit()
    sit_down(page)
    page.route(SAVED, lambda route: route.abort())
    page.get_by_test_id("more").click()
    with page.expect_event("requestfailed"):
        page.get_by_test_id("tab-looks").click()
        page.locator("[data-setting=board]").select_option("night")
    page.get_by_test_id("close-more").click()
    expect(page.locator(TABLE)).to_have_attribute("data-board", "night")
    Player(page).move(Player(page).look())
    assert preferences_of(anna).board == "classic"
    with page.expect_response(is_saved):  # sent again by the old page or by the reloaded one
        page.unroute(SAVED)
        page.reload()
    assert preferences_of(anna).board == "night"


def test_guest_choices_are_taken_into_the_account(open_context, live, anna):
    context = open_context(viewport=DESK)
    page = context.new_page()
    sit_down(page)
    page.get_by_test_id("more").click()
    page.get_by_test_id("tab-play").click()
    page.locator("[data-setting=endOfTurn]").select_option("confirm")
    come_as_member(context, live, anna)
    with page.expect_response(is_saved):
        sit_down(page)
    assert preferences_of(anna).end_of_turn == "confirm"
    assert preferences_of(anna).board == "classic"


def test_no_hint_stays_after_resigning_in_mid_turn(visit):
    page = visit()
    sit_down(page)
    player = Player(page)
    player.press_place(max(player.look().movable))
    expect(page.locator(LIT)).not_to_have_count(0)
    expect(page.locator(MARKS)).not_to_have_count(0)
    page.get_by_test_id("more").click()
    page.get_by_test_id("resign-match").click()
    page.get_by_test_id("confirm-yes").click()
    expect(page.get_by_test_id("match-result")).to_be_visible()
    expect(page.locator(LIT)).to_have_count(0)
    expect(page.locator(MARKS)).to_have_count(0)


MAKE_BOARD = """
  const [{ Board }, { makeLayout }] = await Promise.all(
    ["board/board", "board/geometry"].map((name) => import(`/static/js/${name}.js`)));
  const board = new Board(document.body.appendChild(document.createElement("div")));
  board.setLayout(makeLayout({ isWide: false }));
  const put = (places) => Object.assign(Array(26).fill(0), places);
"""


def on_board(page, script):
    """Run a script with a new `board`, `makeLayout`, and `put`, which makes an array of counts."""
    return page.evaluate(f"async () => {{{MAKE_BOARD}{script}}}")


def test_offered_cube_replaces_the_dice(visit):
    page = visit(PHONE)
    sit_down(page)
    count = on_board(
        page,
        """
      board.setDice({ own: [{ value: 6, side: "white" }, { value: 4, side: "white" }] });
      board.setCube({ where: "to_own", value: 2 });
      return board.root.querySelectorAll(".die").length;
    """,
    )
    assert count == 0


MOVE_ONE = """
  board.setPosition({ white: put({ 13: 5, 6: 5 }), black: put({ 20: 4 }) }, "white");
  const { checkers } = board.layers;
  const watch = new MutationObserver(() => {});
  watch.observe(checkers, { childList: true });
  board.moveChecker("white", { source: 13, target: 6 }, false, 5000);
  const again = watch.takeRecords().flatMap((record) => [...record.addedNodes]);
  const flying = [...checkers.children].filter((each) => each.getAnimations().length);
  const mover = board.topChecker(6);
  return { again: new Set(again).size, flying: flying.length,
           isMover: flying[0] === mover && again.includes(mover) && checkers.lastChild === mover };
"""


def test_a_move_draws_only_the_checker_that_moves(visit):
    page = visit(PHONE)
    sit_down(page)
    assert on_board(page, MOVE_ONE) == {"again": 1, "flying": 1, "isMover": True}


SHOW_AGAIN = """
  const areUnnamed = !board.root.querySelector("[role=button]");
  const place = (white) => board.setPosition({ white: put(white), black: put({ 20: 4 }) }, "white");
  const shown = (layer) => [...board.layers[layer].children];
  // Return the dice after `change`, and how many of them were there before.
  const dice = (change) => {
    const before = shown("dice");
    change();
    const now = shown("dice");
    return [
      now.map((die) => [die.dataset.value, die.dataset.used === "true",
        die.querySelectorAll(".die-pips circle:not(.relief)").length,
        die.querySelectorAll(".die-left .is-left").length, die.ariaLabel]),
      now.filter((die) => before.includes(die)).length];
  };
  const die = (value, isUsed, side = "white") => ({ value, isUsed, side });
  const doublet = (used) => [0, 1, 2, 3].map((at) => die(3, at < used));
  place({ 13: 5, 6: 5 });
  const steps = [
    dice(() => { board.setDice({ own: [die(6), die(4)] }); board.dice.name(() => "open"); }),
    dice(() => board.setDice({ own: [die(6, true), die(4)] })),
    dice(() => board.setDice({ own: [die(5), die(4)] })),
    dice(() => board.setDice({ enemy: [die(5), die(4)] })),
    dice(() => board.setDice({ enemy: [die(5, false, "black"), die(4, false, "black")] })),
    dice(() => board.setDice({ own: doublet(0) })),
    dice(() => board.setDice({ own: doublet(3) })),
    dice(() => board.setDice({ own: doublet(3) }, 5000)),
    dice(() => board.setDice({ own: doublet(3) })),
  ];
  const dots = (change) => {
    const before = shown("dots");
    change();
    return [shown("dots").length, shown("dots").filter((dot) => before.includes(dot)).length];
  };
  const hint = (...movable) => board.setHints({ movable: new Set(movable) });
  return {
    areUnnamed, steps,
    dots: [
      dots(() => hint(13, 6)), dots(() => hint(6)), dots(() => { place({ 6: 4 }); hint(6); }),
      dots(() => { board.setLayout(makeLayout({ isWide: true })); }), dots(() => hint(6)),
    ],
  };
"""


def test_dice_and_dots_that_stay_are_not_drawn_again(visit):
    page = visit(PHONE)
    page.goto("/")
    found = on_board(page, SHOW_AGAIN)
    assert found["areUnnamed"]

    def die(value, is_used=False, left=0, name=None, pips=None):
        return [str(value), is_used, pips or value, left, name]

    assert found["steps"] == [
        [[die(6, name="open"), die(4, name="open")], 0],
        [[die(6, True), die(4)], 2],  # played: the same dice, no longer named as open
        [[die(5), die(4)], 0],  # another roll
        [[die(5), die(4)], 0],  # at the other end of the board
        [[die(5), die(4)], 0],  # of the other side
        [[die(3, left=2), die(3, left=2)], 0],
        [[die(3, True), die(3, left=1)], 2],
        [[die(3, True, pips=4), die(3, left=1, pips=5)], 0],  # thrown: other faces on the way
        [[die(3, True), die(3, left=1)], 0],  # at rest after a throw
    ]
    # After each step, the number of dots and how many of them stayed: hints for two checkers, for
    # one, for one whose stack is lower; a new layout, which removes them; a hint for one.
    assert found["dots"] == [[2, 0], [1, 1], [1, 0], [0, 0], [1, 0]]


CELEBRATE = """
  board.setPosition({ white: put({ 0: 3 }), black: put({ 20: 4 }) }, "white");
  await board.celebrate("white", 50);
  const glowing = (side) => board.stacks[side].flat()
    .filter((checker) => checker.getAnimations({ subtree: true }).length).length;
  return [board.root.querySelectorAll(".star path").length, glowing("white"), glowing("black")];
"""


def test_a_won_game_is_celebrated_with_stars_and_the_winners_checkers(visit):
    page = visit(PHONE)
    page.goto("/")
    assert on_board(page, CELEBRATE) == [5, 3, 0]


DRAW_TWO = """async () => {
  const [{ Board }, { makeLayout }] = await Promise.all(
    ["board/board", "board/geometry"].map((name) => import(`/static/js/${name}.js`)));
  for (const isWide of [true, false]) {
    const host = document.body.appendChild(document.createElement("div"));
    host.className = "drawn";
    const board = new Board(host, { isInteractive: false });
    board.setLayout(makeLayout({ isWide }));
    const stack = Object.assign(Array(26).fill(0), { 6: 15 });
    board.setPosition({ white: stack, black: stack }, "white");
  }
}"""
COUNT_RELIEF = """() => [...document.querySelectorAll(".drawn .relief")]
  .filter((each) => getComputedStyle(each).display !== "none").length"""


def test_light_and_texture_are_drawn_and_high_contrast_has_none_of_them(visit):
    page = visit(PHONE)
    sit_down(page)
    page.evaluate(DRAW_TWO)
    assert page.locator("#board-relief").count() == 1  # shared by all boards of a page
    assert page.evaluate(COUNT_RELIEF) > 200
    unknown = page.evaluate("""() => [...document.querySelectorAll(".drawn [fill^=url]")]
      .filter((each) => !document.querySelector(each.getAttribute("fill").slice(4, -1))).length""")
    assert unknown == 0
    page.emulate_media(contrast="more")
    assert page.evaluate(COUNT_RELIEF) == 0
    page.emulate_media(contrast="no-preference")
    page.evaluate("document.documentElement.dataset.theme = 'contrast'")
    assert page.evaluate(COUNT_RELIEF) == 0


# --- The small board of the profile ---------------------------------------------------------------


def open_practice_board(page, lesson):
    open_table_settings(page)
    page.locator(f"[data-lesson={lesson}]").first.click()


def expect_status(page, text):
    expect(page.get_by_test_id("tryout-status")).to_contain_text(text)


# Record the texts of an element that shows each one only for a moment.
LISTEN = """element => {
  window.heard = [];
  const hear = () => window.heard.push(element.textContent);
  new MutationObserver(hear).observe(element, { childList: true, subtree: true });
}"""


def expect_said(page, text):
    page.wait_for_function("text => window.heard.some((each) => each.includes(text))", arg=text)


def test_unsaved_choices_can_be_tried_by_keyboard(visit, anna):
    page = visit()
    page.goto("/profile/")
    tab_until(page, "document.activeElement?.parentElement?.id === 'behavior-turn'")
    page.keyboard.press("Enter")
    tab_until(page, "document.activeElement?.name === 'tap'")
    page.keyboard.press("ArrowRight")  # from "at once" to "choose first"
    tab_until(page, "document.activeElement?.dataset.lesson === 'tap'")
    page.keyboard.press("Enter")
    expect_status(page, "Your turn: move your checkers.")
    player = KeyboardPlayer(page)
    player.press_place(13)
    player.press_place(7)
    expect(page.get_by_test_id("die-0")).to_have_attribute("data-used", "true")
    player.press_place(8)
    player.press_place(7)
    expect_status(page, "Press Done to end your turn.")
    page.keyboard.press("u")
    expect(page.get_by_test_id("die-1")).not_to_have_attribute("data-used", "true")
    player.press_place(8)
    player.press_place(7)
    page.keyboard.press("e")
    expect_status(page, "Your turn is over.")
    tab_until(page, "document.activeElement?.dataset.practice === 'next'")
    page.keyboard.press("Enter")
    expect_status(page, "Your turn: move your checkers.")
    expect(page.locator("[data-testid^=die-]")).to_have_count(2)
    assert preferences_of(anna).tap == "play"


def test_manual_dice_wait_for_the_player(visit):
    page = visit(PHONE, has_touch=True)
    open_table_settings(page)
    page.locator("[name=dice][value=manual]").check()
    page.locator("[data-lesson=dice]").tap()
    expect_status(page, "Your turn: roll the dice.")
    page.get_by_test_id("tryout-roll").tap()
    expect_status(page, "You rolled 6-1.")


FIRST_MOMENT_MS = 400  # a round button that has just appeared takes no press for 350 ms


def test_round_buttons_roll_undo_and_end_a_turn_on_the_practice_board(visit):
    page = visit(PHONE, has_touch=True)
    open_table_settings(page)
    page.locator("[name=dice][value=manual]").check()
    page.locator("[name=end_of_turn][value=confirm]").check()
    page.locator("[data-lesson=dice]").tap()
    roll, undo, done = (page.get_by_test_id(f"middle-{name}") for name in ("roll", "undo", "done"))
    expect(roll).to_be_visible()
    page.wait_for_timeout(FIRST_MOMENT_MS)
    roll.tap()
    expect_status(page, "You rolled 6-1.")
    player = Player(page, page.touchscreen.tap)
    for source in (13, 8):  # the 6, then the 1
        expect(done).to_be_hidden()
        player.press_place(source)
    expect(undo).to_be_visible()
    page.wait_for_timeout(FIRST_MOMENT_MS)
    undo.tap()
    expect(done).to_be_hidden()
    player.press_place(8)
    expect(done).to_be_visible()
    page.wait_for_timeout(FIRST_MOMENT_MS)
    done.tap()
    expect_status(page, "Your turn is over.")
    expect(page.locator(".middle-button:visible")).to_have_count(0)


def test_the_other_die_bears_off_by_itself_once_the_first_is_played_by_touch(visit):
    page = visit(PHONE, has_touch=True)
    open_table_settings(page)
    page.locator("[name=bear_off][value=automatic]").check()
    page.locator("[data-lesson=bear-off]").tap()
    expect_status(page, "Your turn: move your checkers.")
    player = Player(page, page.touchscreen.tap)
    page.get_by_test_id("tray").scroll_into_view_if_needed()
    page.get_by_test_id("tryout-status").evaluate(LISTEN)
    player.press_place(2)
    expect_said(page, "Your turn ends in 2 seconds unless you undo.")
    expect(page.get_by_test_id("tray")).to_have_attribute("aria-label", re.compile("5 light"))


def test_choice_applies_to_the_open_board_at_once(visit):
    page = visit()
    open_practice_board(page, "end-of-turn")
    expect_status(page, "Your turn: move your checkers.")
    page.locator("[name=end_of_turn][value=timed]").check()
    expect_status(page, "Your turn: move your checkers.")
    page.get_by_test_id("tray").scroll_into_view_if_needed()
    player = Player(page)
    for source in (13, 8):  # the 6, then the 1
        player.press_place(source)
    expect_status(page, "Your turn is over.")
    page.locator("[name=end_of_turn][value=forced]").check()
    expect_status(page, "Your turn: move your checkers.")
    page.locator("[name=checker_color][value=dark]").check()
    expect(page.get_by_test_id("die-0")).to_have_attribute("data-paint", "dark")
    page.locator(".profile-form [type=reset]").click()
    expect(page.get_by_test_id("die-0")).to_have_attribute("data-paint", "light")


def test_forced_play_is_shown_and_can_be_repeated(visit):
    page = visit()
    open_table_settings(page)
    page.locator("[name=end_of_turn][value=forced]").check()  # other turns end only by Done
    page.locator("[data-lesson=end-of-turn]").first.click()
    expect_status(page, "Your turn: move your checkers.")
    page.get_by_test_id("tray").scroll_into_view_if_needed()
    player = Player(page)
    for source in (13, 8):  # the 6, then the 1
        player.press_place(source)
    page.get_by_test_id("tryout-done").click()
    for button in ("tryout-next", "tryout-again"):
        page.get_by_test_id("tryout-status").evaluate(LISTEN)
        page.get_by_test_id(button).click()
        expect_said(page, "The only legal play: bar/24.")
        expect_status(page, "Your turn is over.")


def test_only_one_board_is_open_and_closing_it_focuses_its_button(visit):
    page = visit()
    open_practice_board(page, "tap")
    expect_status(page, "Your turn")
    page.locator("[data-lesson=home-long]").click()
    expect(page.locator(".board")).to_have_count(1)
    expect(page.locator("[data-lesson=tap]")).to_have_attribute("aria-expanded", "false")
    expect_status(page, "You rolled 6-4.")
    page.get_by_test_id("tryout-close").click()
    expect(page.locator(".board")).to_be_hidden()
    expect(page.locator("[data-lesson=home-long]")).to_be_focused()


def test_open_board_is_accessible(visit):
    page = visit()
    open_practice_board(page, "looks")
    expect_status(page, "Your turn")
    assert_accessible(page, "en", is_only_language=True)


def test_without_script_choices_work_without_a_board(visit, anna):
    page = visit(java_script_enabled=False)
    open_table_settings(page)
    expect(page.locator("[data-lesson]").first).to_be_hidden()
    page.locator("[name=tap][value=select]").check()
    page.locator(".profile-form [type=submit]").last.click()
    expect(page.get_by_text("Your profile is saved.")).to_be_visible()
    assert preferences_of(anna).tap == "select"
