"""Players that do not know the rules: they do what the page offers until the match is over.

They read the hooks of the table (static/js/README.md) and act by real presses, keys or typed text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Page, expect

BAR, OFF = 25, 0
# Limits against hanging: other browsers run at the same time, and a machine may stall.
PATIENCE_MS = 120_000
MAX_ACTS = 2500
MAX_PRESSES = 200
PRESS_AGAIN_AFTER_MS = 100

# One look at the table. A button counts if it is visible and enabled.
LOOK = """() => {
  const table = document.querySelector('[data-part=table]');
  if (!table?.dataset.seq) return null;
  const open = (id) => {
    const element = document.querySelector(`[data-testid="${id}"]`);
    return Boolean(element?.checkVisibility({ visibilityProperty: true }) && !element.disabled);
  };
  const places = (mark) => [...document.querySelectorAll(`[data-place][${mark}]`)]
    .map((element) => Number(element.dataset.place));
  const buttons = ['roll', 'double', 'done', 'take', 'accept', 'next', 'match-result',
    'line-button'];
  return {
    status: table.dataset.status, phase: table.dataset.phase, turn: table.dataset.turn,
    seq: Number(table.dataset.seq), isIdle: table.dataset.idle === 'true',
    movable: places('data-movable'), targets: places('data-target'),
    selected: places('data-selected')[0] ?? null, open: buttons.filter(open),
  };
}"""

# A look if the player has something to do and the page is at rest, or if the match is over.
READY = f"""() => {{
  const look = ({LOOK})();
  if (!look) return null;
  if (look.open.includes('match-result')) return look;
  if (!look.isIdle) return null;
  const acts = look.open.some((id) => ['roll', 'done', 'take', 'accept', 'next'].includes(id));
  return acts || (look.turn === 'own' && look.movable.length) ? look : null;
}}"""

# Effect of a press: the log has grown, or the button can be pressed again.
PRESS_EFFECT = f"""([seq, name]) => {{
  const look = ({LOOK})();
  if (!look) return null;
  if (look.seq > seq) return 'logged';
  return look.isIdle && look.open.includes(name) ? 'none' : null;
}}"""

MIDDLE = """(place) => {
  const box = document.querySelector(`[data-place="${place}"] .place-box`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""

# The first turn of a table is ready, and the table has loaded htmx, as it does after the turn.
HAS_REST = "() => Boolean(performance.getEntriesByName('first-turn').length && window.htmx)"

# The addresses that a table has loaded after its first turn; none on another page.
LOADED_LATER = """() => {
  const turn = performance.getEntriesByName("first-turn")[0]?.startTime ?? Infinity;
  return performance.getEntriesByType("resource").filter((each) => each.startTime > turn)
    .map((each) => each.name);
}"""


@dataclass(frozen=True)
class Look:
    """The visible state of the page; see LOOK."""

    status: str
    phase: str
    turn: str
    seq: int
    isIdle: bool
    movable: list[int]
    targets: list[int]
    selected: int | None
    open: list[str]

    @property
    def is_over(self) -> bool:
        return "match-result" in self.open


def start_training(page: Page, variant: str, length: int = 1, **choices: str) -> str:
    """Fill in and send the form of a training match; return the match's public id."""
    page.goto(f"/training/?variant={variant}")
    page.locator("[name=length]").fill(str(length))
    page.locator("form.setup details.advanced").evaluate("details => { details.open = true; }")
    for name, value in {"level": "beginner", **choices}.items():
        field = page.locator(f"[name={name}]").first
        if field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(value)
        else:
            page.locator(f"[name={name}][value={value}]").check(force=True)
    page.locator("form.setup [type=submit], form.setup button:not([type])").last.click()
    expect(page).to_have_url(re.compile(r"/match/[A-Za-z0-9]{12}/$"))
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def start_training_by_keyboard(page: Page, variant: str) -> str:
    """Set up a match to 1 point without a pointer: Tab to the length, type, Enter."""
    page.goto(f"/training/?variant={variant}")
    tab_until(page, "document.activeElement?.name === 'length'")
    page.keyboard.press("Control+A")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/match/[A-Za-z0-9]{12}/$"))
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def tab_until(page: Page, condition: str) -> None:
    for _ in range(80):
        if page.evaluate(condition):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead there: {condition}")


class Player:
    """Play by pressing places and buttons. `press` presses at a point (x, y) of the window.

    `polling`: milliseconds between two looks at the page during a wait; "raf" is Playwright's name
    for a look in each animation frame.
    """

    polling: float | Literal["raf"] = "raf"

    def __init__(self, page: Page, press: Callable[[float, float], Any] | None = None) -> None:
        self.page = page
        self.press = press or page.mouse.click

    def look(self) -> Look:
        return Look(**self.page.evaluate(LOOK))

    def wait(self) -> Look:
        """Wait until there is something to do."""
        handle = self.page.wait_for_function(READY, timeout=PATIENCE_MS, polling=self.polling)
        return Look(**handle.json_value())

    def play_to_end(self) -> None:
        self.play_until(lambda look: False)

    def play_until(self, is_enough: Callable[[Look], bool]) -> Look:
        """Play until the match is over, or until `is_enough` accepts a look at the table."""
        for _ in range(MAX_ACTS):
            look = self.wait()
            if look.is_over or is_enough(look):
                return look
            self.act(look)
        raise AssertionError("the match does not come to an end")

    def act(self, look: Look) -> None:
        """Do the next thing that the page offers."""
        for name in ("next", "take", "accept", "roll", "done"):
            if name in look.open:
                self.push(name, look)
                return
        self.move(look)

    def push(self, name: str, look: Look) -> None:
        """Press until the press has an effect: it has none while the connection is down."""
        for _ in range(MAX_PRESSES):
            self.press_button(name)
            handle = self.page.wait_for_function(
                PRESS_EFFECT,
                arg=[look.seq, name],
                timeout=PATIENCE_MS,
                polling=self.polling,
            )
            if handle.json_value() == "logged":
                return
            self.page.wait_for_timeout(PRESS_AGAIN_AFTER_MS)
        raise AssertionError(f"pressing {name} has no effect")

    def await_answer(self, look: Look) -> None:
        """Wait until the log is longer than in the look."""
        self.page.wait_for_function(
            f"seq => {{ const look = ({LOOK})(); return look && look.seq > seq; }}",
            arg=look.seq,
            timeout=PATIENCE_MS,
            polling=self.polling,
        )

    def press_button(self, name: str) -> None:
        box = self.page.get_by_test_id(name).bounding_box()
        if box is None:
            return  # the page may be faster: the dice can roll automatically
        self.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def move(self, look: Look) -> None:
        """Press the rearmost checker; if that only picks it up, move it as far as possible."""
        source = max(look.movable)
        self.press_place(source)
        chosen = self.look()
        if chosen.selected is None or not chosen.targets:
            return  # the press has played the checker
        self.press_place(min(chosen.targets))

    def press_place(self, place: int) -> None:
        self.press(*self.page.evaluate(MIDDLE, place))

    def hold_place(self, place: int) -> None:
        """Press and hold a checker with the mouse, which picks it up."""
        x, y = self.page.evaluate(MIDDLE, place)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.wait_for_function(
            "place => document.querySelector(`[data-place='${place}']`).dataset.selected", arg=place
        )
        self.page.mouse.up()


class TouchPlayer(Player):
    """Play by touch. The context must have touch."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, page.touchscreen.tap)


class KeyboardPlayer(Player):
    """Play with the keys alone: Tab to the board, arrows, Enter, letters."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, self._no_pointer)

    def _no_pointer(self, x: float, y: float) -> None:
        raise AssertionError("the keyboard player has no pointer")

    LETTERS = {"roll": "r", "done": "e"}

    def press_button(self, name: str) -> None:
        letter = self.LETTERS.get(name)
        if letter:
            self.reach_board()
            self.page.keyboard.press(letter)
        else:
            self.page.get_by_test_id(name).press("Enter")

    def focused_place(self) -> int | None:
        place = self.page.evaluate("document.activeElement?.dataset?.place ?? null")
        return None if place is None else int(place)

    def reach_board(self) -> None:
        tab_until(self.page, "Boolean(document.activeElement?.dataset?.place)")

    def press_place(self, place: int) -> None:
        self.reach_board()
        self.walk_to(place)
        self.page.keyboard.press("Enter")

    def walk_to(self, place: int) -> None:
        """Move the focus up or down to the row, then along it."""
        if place != BAR:
            self.page.keyboard.press("ArrowUp" if place > 12 else "ArrowDown")
        wanted = column_of(place)
        for _ in range(30):
            here = self.focused_place()
            if here == place:
                return
            assert here is not None, "the focus left the board"
            key = "ArrowRight" if column_of(here) < wanted else "ArrowLeft"
            self.page.keyboard.press(key)
        raise AssertionError(f"the arrows do not lead to {place}")


def column_of(place: int) -> float:
    """Return the column from left to right, unmirrored; both trays (0 and 26) are at the right."""
    if place == BAR:
        return 6.5
    if place in (OFF, 26):
        return 13
    return place - 12 if place > 12 else 13 - place


class TypingPlayer(Player):
    """Play by typed commands alone: ask `moves` and type one of the answers."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, self._no_pointer)
        self.box = page.get_by_test_id("typed-input")
        self.answer = page.get_by_test_id("typed-answer")

    def _no_pointer(self, x: float, y: float) -> None:
        raise AssertionError("the typing player has no pointer")

    def type(self, text: str) -> str:
        """Type a line; return the immediate answer."""
        self.box.fill(text)
        expect(self.page.locator("[data-part=typed][data-open]")).to_be_attached()
        self.box.press("Enter")
        return self.answer.inner_text()

    def press_button(self, name: str) -> None:
        self.type(name)

    def move(self, look: Look) -> None:
        moves = re.findall(r"(?:bar|\d+)/(?:off|\d+)\*?", self.type("moves"))
        assert moves, f"no moves in {self.answer.inner_text()!r}"
        self.type(moves[0])
