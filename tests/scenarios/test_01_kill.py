"""Scenario 1: SIGKILL while two play for credits and a third member waits for an opponent."""

import hashlib
import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from tests.load.test_kill import ENTROPY, Guest, check_all_logs_fold, kill_and_come_back
from tests.support.site_process import SiteProcess

pytestmark = pytest.mark.slow
# The site has its own database: a run of all tests on PostgreSQL would only repeat this.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

PATIENCE_S = 300


class Member(Guest):
    """A signed-in player of an existing match."""

    def _create(self, choices: dict[str, str]) -> str:
        cookie = SimpleNamespace(name=settings.SESSION_COOKIE_NAME, value=choices["key"])
        self.jar = [cookie]
        return choices["match"]

    def catch_up(self, seq: int) -> None:
        while self.newest["seq"] < seq:
            self.until(lambda frame: frame["t"] in ("state", "event"))


def call_staging(site: SiteProcess, function: str) -> dict[str, Any]:
    """Run a function of staging.py in a separate process; return the JSON it prints, or {}."""
    ran = site.manage("shell", "-c", f"from tests.scenarios import staging; staging.{function}()")
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}


def play_until_one_may(players: list[Member], action: str) -> Member:
    """Play on until a player may take this action; return that player."""
    while True:
        newest = max(player.newest["seq"] for player in players)
        for player in players:
            player.catch_up(newest)
        for player in players:
            may = player.newest["may"]
            if may and may[action]:
                return player
        if not any(player.act() for player in players):  # an automatic action comes next
            players[0].until(lambda frame: frame["t"] in ("state", "event"))


def kill_and_restart(site: SiteProcess, players: list[Member]) -> None:
    """Kill and restart the site; assert the same board, cube, offer, score and clock."""
    newest = max(player.newest["seq"] for player in players)
    for player in players:
        player.catch_up(newest)
    kill_and_come_back(site, players[0])
    players[1].join()
    assert without_clock(players[1].view) == without_clock(players[0].view)


def without_clock(view: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name != "clock"}


def test_01_match_survives_sigkill_and_a_long_outage_refunds_all_credits(
    tmp_path: Path,
) -> None:
    site = SiteProcess(tmp_path)
    with site:
        staged = call_staging(site, "stage")
        in_play = {"outcome": "", "announcement": "OPEN"}
        in_play |= {"funds": [[900, 0], [900, 0], [1000, 50]]}
        players = [Member(site, key=key, match=staged["match"]) for key in staged["keys"]]
        for player in players:
            player.join()
        for t, fields in (
            ("entropy_hash", {"hash": hashlib.sha256(ENTROPY).hexdigest()}),
            ("entropy", {"entropy": ENTROPY.hex()}),
        ):
            for player in players:
                player.catch_up(max(one.newest["seq"] for one in players))
                player.command(t, **fields)

        doubler = play_until_one_may(players, "double")
        doubler.command("double")
        kill_and_restart(site, players)
        answerer = play_until_one_may(players, "take")
        assert answerer is not doubler
        assert answerer.view["cube"]["offered"]
        answerer.command("take")

        resigner = play_until_one_may(players, "resign")
        resigner.command("resign", factor=max(resigner.newest["may"]["resign"]))
        kill_and_restart(site, players)
        answerer = play_until_one_may(players, "refuse")
        assert answerer is not resigner
        assert answerer.view["cube"]["value"] == 2
        # The stakes are in the pot; the third member's is still reserved.
        assert call_staging(site, "report") == in_play
        answerer.command("refuse")

        # After a long outage the match is void, and all credits are returned once.
        site.kill()
        call_staging(site, "let_time_pass")
        site.start()
        deadline = time.monotonic() + PATIENCE_S
        while (found := call_staging(site, "report"))["announcement"] == "OPEN":
            assert time.monotonic() < deadline, found
        assert found == {
            "outcome": "void",
            "announcement": "EXPIRED",
            "funds": [[1000, 0], [1000, 0], [1000, 0]],
        }
        check_all_logs_fold(site)
        for player in players:
            player.close()
