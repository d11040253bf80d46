"""A match played only by what a screen reader offers: roles, names, live regions, focus, keys.

No place on the screen, no class and no state of the script is read or used.
"""

import re

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.games.factories import assert_log_folds
from tests.journeys.visitors import DESK
from tests.support.lengths import IS_LONG

MAX_ACTS = 600
# Note what each live region says whenever it changes, as a screen reader does.
LISTEN = """() => {
  window.said = [];
  for (const region of document.querySelectorAll('[role=status]')) {
    const note = () => {
      if (region.checkVisibility({ visibilityProperty: true })) window.said.push(region.innerText);
    };
    new MutationObserver(note).observe(region, {
      childList: true, subtree: true, characterData: true,
    });
  }
}"""
CAN_MOVE = re.compile(r", can move$")
OVER = re.compile(r"^(You|Your opponent) won the match$")


class Listener:
    """Play by the accessibility tree. `heard` has what the status line said at each act.

    `said` returns what live regions have said at any time: some news is soon replaced by the next.
    """

    def __init__(self, page):
        self.page = page
        self.heard = []
        board = page.get_by_role("group", name="Backgammon board")
        self.places = board.get_by_role("button", name=CAN_MOVE)
        self.dice = board.get_by_role("img", name=re.compile(r"^Die [1-6]"))
        self.status = page.get_by_role("status").filter(has_text=re.compile(r"\w")).first
        self.roll = page.get_by_role("button", name="Roll", exact=True, disabled=False)
        self.done = page.get_by_role("button", name="Done", exact=True, disabled=False)
        self.accept = page.get_by_role("button", name="Accept", exact=True, disabled=False)
        self.result = page.get_by_role("heading", name=OVER)
        controls = self.roll.or_(self.done).or_(self.accept)
        self.anything = controls.or_(self.places).or_(self.result)

    def press(self, control, key="Enter"):
        control.focus()
        self.page.keyboard.press(key)

    def set_up(self, variant):
        """Fill in the form, finding its fields by their names."""
        self.page.goto("/training/")
        name = {"short": "Short backgammon", "long": "Long nardy"}[variant]
        self.press(self.page.get_by_role("radio", name=name), "Space")
        length = self.page.get_by_role("spinbutton").first
        length.focus()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type("1")
        self.press(self.page.get_by_role("radio", name=re.compile("Beginner")), "Space")
        self.press(self.page.get_by_role("button", name="Start the match"))
        expect(self.page).to_have_url(re.compile(r"/match/[A-Za-z0-9]{12}/$"))
        return self.page.url.rstrip("/").rsplit("/", 1)[-1]

    def said(self):
        return " ".join(self.page.evaluate("window.said"))

    def play_to_end(self):
        expect(self.anything.first).to_be_visible()
        self.page.evaluate(LISTEN)
        for _ in range(MAX_ACTS):
            expect(self.anything.first).to_be_visible()
            if self.result.is_visible():
                return
            self.heard.append(self.status.inner_text())
            self.act()
        raise AssertionError("the match does not come to an end")

    def act(self):
        for control in (self.accept, self.roll, self.done):
            if control.is_visible():
                self.press_once(control)
                return
        names = re.findall(r'"((?:Bar|Point \d+), [^"]*, can move)"', self.board_text())
        if names:
            assert self.dice.count() >= 2, "the dice of a turn have names"
            rear = max(
                names, key=lambda name: int((re.findall(r"^Point (\d+)", name) or ["25"])[0])
            )
            self.press_once(self.page.get_by_role("button", name=rear, exact=True))

    def press_once(self, control):
        """Press the control if it is still there: the dice may roll by themselves meanwhile."""
        if control.evaluate_all("all => { all[0]?.focus(); return all.length; }"):
            self.page.keyboard.press("Enter")

    def board_text(self):
        return self.page.get_by_role("group", name="Backgammon board").aria_snapshot()


@pytest.mark.parametrize("variant", ["short", "long"] if IS_LONG else ["short"])
def test_a_guest_plays_a_match_by_screen_reader(open_context, variant):
    page = open_context(viewport=DESK).new_page()
    listener = Listener(page)
    public_id = listener.set_up(variant)
    listener.play_to_end()
    heard = " ".join(listener.heard)
    for sentence in ("Your turn: move your checkers.", "Press Done"):
        assert sentence in heard, sentence
    assert "Your opponent played" in listener.said()
    match = Match.objects.get(public_id=public_id)
    assert match.snapshot["phase"] == "finished"
    assert_log_folds(match)
