"""Count the taps that a new guest, with the default choices, needs for a turn on a phone.

The short form counts a few turns, enough to find a tap that is superfluous in every turn; the long
form counts thirty turns of each variant. `pytest -n0 -s` prints the figures.
"""

import sys
from statistics import median

import pytest

from tests.journeys.player import Look, TouchPlayer, start_training
from tests.journeys.visitors import PHONE
from tests.support.lengths import length

TURNS = length(8, 30)
FACES = "dice => dice.map((die) => die.dataset.value)"
# The end of a turn as the page shows it at one moment: it may pass while this test is slow.
ENDING = """() => {
  const { seq, idle } = document.querySelector('[data-part=table]').dataset;
  const used = document.querySelectorAll('[data-testid^=die-][data-used=true]').length;
  const prompt = document.querySelector('[data-part=prompt]').innerText;
  return { seq: Number(seq), isIdle: idle === 'true', used, prompt };
}"""


class CountingPlayer(TouchPlayer):
    """Tap only what a turn needs, wait for automatic actions, count the taps of each turn."""

    def __init__(self, page):
        super().__init__(page)
        touch = self.press
        self.press = lambda x, y: (self.taps.append((x, y)), touch(x, y))
        self.taps = []
        self.usual, self.doublets = [], []
        self.faces = []  # the two values of the roll that is being played
        self.roll_taps = 0  # taps that the roll of this turn took
        self.seq = -1  # number of the roll that is being played

    @property
    def counted(self):
        return len(self.usual) + len(self.doublets)

    def act(self, look: Look) -> None:
        if look.turn != "own" or {"next", "take", "accept"} & set(look.open):
            super().act(look)
        elif look.movable:
            if look.seq != self.seq:  # drop taps of a turn that ended while this player was slow
                del self.taps[self.roll_taps :]
                self.seq = look.seq
            self.faces = self.page.locator("[data-testid^=die-]").evaluate_all(FACES)
            self.move(look)
        elif "roll" in look.open:
            self.taps.clear()
            super().act(look)
            self.roll_taps = len(self.taps)
        else:
            self.end_turn(look)

    def end_turn(self, look: Look) -> None:
        """Let the turn end automatically, or press Done; do not count a turn that has ended."""
        ending = self.page.evaluate(ENDING)
        prompt, is_open = ending["prompt"], ending["seq"] == look.seq and ending["isIdle"]
        if is_open and "automatically" not in prompt and "in 2 seconds" not in prompt:
            self.push("done", look)
        else:
            self.await_answer(look)
        is_whole = ending["used"] == len(self.faces)
        if is_open and is_whole and "automatically" not in prompt:
            is_doublet = len(set(self.faces)) == 1
            (self.doublets if is_doublet else self.usual).append(len(self.taps))
        self.taps.clear()
        self.roll_taps = 0


# Note what the status line says whenever it changes.
LISTEN = """() => {
  window.heard = [];
  const line = document.querySelector('[data-part=status]');
  const note = () => window.heard.push(line.innerText);
  new MutationObserver(note).observe(line, { childList: true, subtree: true, characterData: true });
}"""


def assert_no_contradiction(page) -> None:
    """Check that the status line never says two things that contradict each other."""
    for line in page.evaluate("window.heard"):
        assert not ("You played" in line and "Your turn:" in line), line
        assert not ("Press Done" in line and "only legal play" in line), line


@pytest.mark.parametrize("variant", ["short", "long"])
def test_a_usual_turn_takes_three_taps_and_a_doublet_five(open_context, variant):
    page = open_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    start_training(page, variant, length=7 if variant == "short" else 3)
    player = CountingPlayer(page)
    player.wait()
    page.evaluate(LISTEN)
    player.play_until(lambda look: player.counted >= TURNS and bool(player.doublets))
    assert_no_contradiction(page)
    usual, doublets = sorted(player.usual), sorted(player.doublets)
    sys.stdout.write(f"{variant}: usual turns {usual}, doublets {doublets}\n")
    assert median(player.usual) <= 3
    assert doublets, "no doublet was played"
    assert doublets[-1] <= 5
