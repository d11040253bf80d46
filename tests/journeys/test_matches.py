"""Whole matches through the page's own controls: mouse, touch, keyboard, typed commands.

Each way plays one variant: short by mouse and keyboard, long by touch and typed commands. The long
form plays both by mouse and by touch.
"""

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.games.factories import assert_log_folds
from tests.journeys.player import (
    KeyboardPlayer,
    Player,
    TouchPlayer,
    TypingPlayer,
    start_training,
    start_training_by_keyboard,
)
from tests.journeys.visitors import DESK, PHONE
from tests.support.lengths import IS_LONG

VARIANTS = ["short", "long"]


def assert_finished(page, public_id):
    expect(page.get_by_test_id("match-result")).to_be_visible()
    match = Match.objects.get(public_id=public_id)
    assert match.snapshot["phase"] == "finished"
    assert_log_folds(match)


@pytest.mark.parametrize("variant", VARIANTS if IS_LONG else ["short"])
def test_a_guest_plays_a_match_by_mouse(open_context, variant):
    page = open_context(viewport=DESK).new_page()
    public_id = start_training(page, variant)
    Player(page).play_to_end()
    assert_finished(page, public_id)


@pytest.mark.parametrize("variant", VARIANTS if IS_LONG else ["long"])
def test_a_guest_plays_a_match_by_touch(open_context, variant):
    page = open_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    public_id = start_training(page, variant)
    TouchPlayer(page).play_to_end()
    assert_finished(page, public_id)


def test_a_guest_plays_a_match_by_keyboard(open_context):
    page = open_context(viewport=DESK).new_page()
    public_id = start_training_by_keyboard(page, "short")
    KeyboardPlayer(page).play_to_end()
    assert_finished(page, public_id)


def test_a_guest_plays_a_match_by_typed_commands(open_context):
    page = open_context(viewport=DESK).new_page()
    public_id = start_training(page, "long")
    TypingPlayer(page).play_to_end()
    assert_finished(page, public_id)
