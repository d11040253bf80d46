"""A process with a wrong DICE_SEAL_KEY does not start or, if it runs already, is not ready."""

import logging

import pytest
from django.core.management import CommandError, call_command

from accounts.shared.database_threads import run_in_db_thread
from config.seal_key import WRONG, Report, refuse_wrong_key
from games.engine.rules import Rules
from games.models import Match
from tests.games.factories import MatchFactory, Sitting

pytestmark = pytest.mark.django_db


def begin_match(settings, *keys):
    settings.DICE_SEAL_KEYS = list(keys)
    return MatchFactory()


@pytest.mark.parametrize("command", ["worker", "serve"])
def test_a_key_that_opens_no_match_is_refused(settings, command):
    begin_match(settings, "right")
    settings.DICE_SEAL_KEYS = ["wrong", "wrong too"]
    with pytest.raises(CommandError, match=r"DICE_SEAL_KEY_FALLBACKS.*--lost-seal-key"):
        call_command(command)


def test_a_fallback_that_opens_the_match_is_enough(settings):
    begin_match(settings, "right")
    settings.DICE_SEAL_KEYS = ["new", "right"]
    refuse_wrong_key(is_lost=False)


def test_a_lost_key_is_logged_and_not_refused(settings, caplog):
    begin_match(settings, "right")
    settings.DICE_SEAL_KEYS = ["wrong"]
    refuse_wrong_key(is_lost=True)
    assert [(line.levelno, line.message) for line in caplog.records] == [(logging.ERROR, WRONG)]


def test_a_site_without_a_match_in_play_starts(settings):
    settings.DICE_SEAL_KEYS = ["first"]
    Sitting(Rules.of("short")).sit().start_game().do("resign_match")
    settings.DICE_SEAL_KEYS = ["other"]
    assert Match.objects.get().is_finished
    refuse_wrong_key(is_lost=False)


def test_lost_older_key_does_not_matter_once_a_match_began_under_the_new_key(settings):
    begin_match(settings, "lost")
    settings.DICE_SEAL_KEY_IS_LOST = True
    begin_match(settings, "new")
    settings.DICE_SEAL_KEY_IS_LOST = False
    refuse_wrong_key(is_lost=False)


def test_lost_older_key_does_not_matter_after_the_match_under_the_new_key_has_ended(settings):
    begin_match(settings, "lost")
    settings.DICE_SEAL_KEY_IS_LOST = True
    settings.DICE_SEAL_KEYS = ["new"]
    Sitting(Rules.of("short")).sit().start_game().do("resign_match")
    settings.DICE_SEAL_KEY_IS_LOST = False
    refuse_wrong_key(is_lost=False)
    assert Report().is_right()
    begin_match(settings, "new")


def test_a_process_without_our_command_logs_a_wrong_key_once(settings, caplog):
    begin_match(settings, "right")
    settings.DICE_SEAL_KEYS = ["wrong"]
    report = Report()
    assert [report.is_right() for _ in range(3)] == [False] * 3
    assert [line.message for line in caplog.records] == [WRONG]
    refuse_wrong_key(is_lost=True)
    assert report.is_right()


def test_a_running_process_is_not_right_any_more_once_another_has_a_new_key(settings):
    begin_match(settings, "old")
    report = Report()
    assert report.is_right()
    begin_match(settings, "new", "old")
    settings.DICE_SEAL_KEYS = ["old"]
    assert not report.is_right()
    settings.DICE_SEAL_KEYS = ["new", "old"]
    assert report.is_right()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_readiness_page_names_a_wrong_key_and_logs_it_once(
    settings, caplog, monkeypatch, async_client
):
    monkeypatch.setattr("config.health.REPORT", Report())
    await run_in_db_thread(begin_match, settings, "right")
    settings.DICE_SEAL_KEYS = ["wrong"]
    for _ in range(2):
        assert (await async_client.get("/readyz")).json()["dice"] is False
    assert [line.message for line in caplog.records].count(WRONG) == 1
