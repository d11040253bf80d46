"""The coach at a training table: a hint is shown and played, a blunder causes a warning."""

import re

import pytest
from playwright.sync_api import expect

from games.coach import advice, process
from games.coach.process import COACH
from games.models import Match
from tests.games.factories import assert_log_folds
from tests.journeys.player import PATIENCE_MS, KeyboardPlayer, Player, start_training
from tests.journeys.test_access import LOOKS, assert_accessible
from tests.journeys.visitors import DESK, PHONE, SIDEWAYS, set_language
from tests.support.compiled import compile_all
from tests.support.lengths import length

ALL, NONE = -1.0, 99.0  # loss from which a play counts as a blunder


@pytest.fixture(autouse=True)
def _coach(site, monkeypatch):
    """Let the coach warn on a slow machine too; end its process after the test."""
    compile_all()
    for module, name in ((advice, "PATIENCE_S"), (process, "TIMEOUT_S")):
        monkeypatch.setattr(module, name, PATIENCE_MS / 1000)
    yield
    site.run(COACH.stop())


def has_choice(look):
    return look.turn == "own" and look.phase == "to_play" and len(look.movable) > 1


def want_warnings(page):
    page.get_by_test_id("more").click()
    page.get_by_test_id("tab-play").click()
    page.get_by_test_id("warn-blunders").check()
    page.locator("[data-setting=endOfTurn]").select_option("forced")  # Done is pressed below
    page.get_by_test_id("close-more").click()


# Names of the visible buttons that something else covers, so that a press would miss them.
COVERED = """() => [...document.querySelectorAll('button, a.button')].filter((button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  if (!width || !button.checkVisibility({ visibilityProperty: true })) return false;
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  return at && !button.contains(at);
}).map((button) => button.textContent.trim() || button.ariaLabel)"""


def play_up_to_done(page, player):
    """Make any moves until the turn can be ended."""
    look = player.wait()
    while "done" not in look.open:
        player.move(look)
        look = player.wait()
    return look


@pytest.mark.parametrize(
    ("variant", "language"), [("short", "en"), ("long", "ru"), ("short", "tr")][: length(2, 3)]
)
def test_hint_is_played_and_blunder_is_undone_or_confirmed(
    open_context, live, monkeypatch, variant, language
):
    context = open_context(viewport=PHONE)
    set_language(context, live, language)
    page = context.new_page()
    public_id = start_training(page, variant, length=1)
    player = Player(page)
    player.wait()
    want_warnings(page)
    usual = advice.BLUNDER
    monkeypatch.setattr(advice, "BLUNDER", NONE)
    player.play_until(has_choice)

    page.get_by_test_id("hint").click()
    panel = page.get_by_test_id("hint-panel")
    expect(panel).to_be_visible()
    expect(page.locator(".layer-arrows .arrow").first).to_be_attached()
    assert_accessible(page, language)
    best = page.get_by_test_id("hint-choice-0").get_attribute("data-play")
    page.get_by_test_id("hint-put").click()
    expect(panel).to_be_hidden()
    expect(page.locator(".layer-arrows .arrow")).to_have_count(0)
    monkeypatch.setattr(advice, "BLUNDER", usual)
    player.push("done", player.wait())  # the best play is not a blunder
    match = Match.objects.get(public_id=public_id)
    assert best in match.actions.filter(verb="play").values_list("data__text", flat=True)

    monkeypatch.setattr(advice, "BLUNDER", NONE)
    player.play_until(has_choice)
    monkeypatch.setattr(advice, "BLUNDER", ALL)
    seq = play_up_to_done(page, player).seq
    page.get_by_test_id("done").click()
    warning = page.get_by_test_id("blunder-panel")
    expect(warning).to_be_visible()
    expect(page.get_by_test_id("blunder-back")).to_be_focused()
    assert_accessible(page, language, LOOKS[:1])
    page.get_by_test_id("blunder-back").press("Enter")
    expect(warning).to_be_hidden()
    assert page.evaluate("Boolean(document.activeElement.dataset.place)")
    look = player.wait()
    assert (look.seq, "done" in look.open) == (seq, False)

    look = play_up_to_done(page, player)
    page.get_by_test_id("done").click()
    page.get_by_test_id("blunder-anyway").click()
    player.await_answer(look)
    assert_log_folds(match)


def test_coach_answers_keys_and_typed_commands(open_context):
    page = open_context(viewport=DESK).new_page()
    start_training(page, "short", length=1)
    player = KeyboardPlayer(page)
    player.play_until(has_choice)
    player.reach_board()
    page.keyboard.press("h")
    panel = page.get_by_test_id("hint-panel")
    expect(panel).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator("[data-place]:focus")).to_have_count(1)

    box = page.get_by_test_id("typed-input")
    box.fill("hint")
    box.press("Enter")
    expect(page.get_by_test_id("typed-answer")).to_have_text(
        re.compile(r"The coach would play .+\.")
    )
    expect(box).to_be_focused()
    expect(page.get_by_test_id("hint-choice-0")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESK], ids=["phone", "sideways", "desk"])
def test_the_hint_covers_no_button_and_closes_with_the_first_move(open_context, size):
    page = open_context(viewport=size).new_page()
    start_training(page, "short", length=5)
    player = Player(page)
    player.play_until(has_choice)
    panel, arrows = page.get_by_test_id("hint-panel"), page.locator(".layer-arrows .arrow")
    page.get_by_test_id("hint").click()
    expect(panel).to_be_visible()
    assert page.evaluate(COVERED) == []
    player.move(player.look())
    expect(panel).to_be_hidden()
    expect(arrows).to_have_count(0)
    # Escape closes the panel wherever the focus is, and the focus returns to the panel's button.
    player.play_until(has_choice)
    page.get_by_test_id("hint").focus()
    page.keyboard.press("Enter")
    expect(panel).to_be_focused()
    page.get_by_test_id("more").focus()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(arrows).to_have_count(0)
    expect(page.get_by_test_id("hint")).to_be_focused()


def test_a_hint_on_the_cube_does_not_cover_the_question_about_doubling(open_context):
    page = open_context(viewport=PHONE).new_page()
    start_training(page, "short", length=5)
    double = page.get_by_test_id("double")
    Player(page).play_until(lambda look: "roll" in look.open and double.is_enabled())
    double.click()
    page.locator("[data-part=offer-double] [data-action=hint]").click()
    expect(page.get_by_test_id("hint-panel")).to_be_visible()
    yes = page.get_by_test_id("double-yes")
    assert yes.evaluate(
        "(yes) => { const { x, y, width, height } = yes.getBoundingClientRect();"
        " return yes.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"
    )
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("hint-panel")).to_be_hidden()
    expect(yes).to_be_visible()
    page.keyboard.press("Escape")
    expect(yes).to_be_hidden()
