"""A process that starts with a wrong DICE_SEAL_KEY reports the key before it voids matches."""

import logging

import pytest
from django.core.management import CommandError, call_command

from accounts.shared.database_threads import run_in_db_thread
from config.seal_key import WRONG, Report, refuse_wrong_key
from games.engine.rules import Rules
from games.models import Match
from tests.games.factories import MatchFactory, Sitting

pytestmark = pytest.mark.django_db


def begin_match(settings, key):
    settings.DICE_SEAL_KEYS = [key]
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
    begin_match(settings, "new")
    refuse_wrong_key(is_lost=False)


def test_a_process_without_our_command_logs_a_wrong_key_once(settings, caplog):
    begin_match(settings, "right")
    settings.DICE_SEAL_KEYS = ["wrong"]
    report = Report()
    for _ in range(3):
        report.log_once()
    assert [line.message for line in caplog.records] == [WRONG]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_readiness_page_logs_a_wrong_key_once(settings, caplog, monkeypatch, async_client):
    monkeypatch.setattr("config.health.REPORT", Report())
    await run_in_db_thread(begin_match, settings, "right")
    settings.DICE_SEAL_KEYS = ["wrong"]
    for _ in range(2):
        await async_client.get("/readyz")
    assert [line.message for line in caplog.records].count(WRONG) == 1
