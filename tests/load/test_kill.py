"""After kill -9 in any phase the site resumes with the same board, clock and offers."""

import hashlib
import http.cookiejar
import json
import re
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.support.lengths import IS_LONG
from tests.support.site_process import SiteProcess

pytestmark = pytest.mark.slow

ENTROPY = bytes(range(16))
PATIENCE_S = 120
NEVER_MS = "3600000"  # pace of a bot that does not act during a test


class Guest:
    """A guest's browser: its cookies and newest frame outlive a restart of the server."""

    def __init__(self, site: SiteProcess, **choices: str) -> None:
        self.site = site
        self.jar = http.cookiejar.CookieJar()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.public_id = self._create(choices)
        self.socket: ClientConnection | None = None
        self._open = ExitStack()
        self.newest: dict[str, Any] = {}

    def _create(self, choices: dict[str, str]) -> str:
        address = self.site.base + "/training/"
        page = self.browser.open(address).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token is not None
        form = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **choices}).encode()
        answer = self.browser.open(
            urllib.request.Request(address, form, headers={"Referer": address})
        )
        return answer.geturl().rstrip("/").split("/")[-1]

    def join(self) -> dict[str, Any]:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)
        address = self.site.base.replace("http", "ws") + f"/ws/match/{self.public_id}/"
        self._open.close()
        self.socket = self._open.enter_context(
            connect(address, origin=self.site.base, additional_headers={"Cookie": cookies})
        )
        self._send(t="join", v=1, since=-1, hold=True)
        return self.until(lambda frame: frame["t"] == "state")

    def close(self) -> None:
        self._open.close()

    def _send(self, **frame: Any) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(frame))

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        assert self.socket is not None
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE_S))
            if frame["t"] in ("state", "event"):
                self.newest = frame
            if wanted(frame):
                return frame

    def command(self, t: str, **fields: Any) -> None:
        """Send a command; receive its ack and every frame up to its action."""
        id = str(uuid4())
        self._send(t=t, id=id, seq=self.newest["seq"], **fields)
        answer = self.until(lambda frame: frame.get("id") == id)
        assert answer["t"] == "ack", answer
        while self.newest["seq"] < answer["seq"]:
            self.until(lambda frame: True)

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.newest["view"]
        return view

    def send_entropy(self) -> None:
        self.command("entropy_hash", hash=hashlib.sha256(ENTROPY).hexdigest())
        self.command("entropy", entropy=ENTROPY.hex())

    def play_until(self, wanted: Callable[[dict[str, Any]], bool], pause_s: float = 0) -> None:
        """Take the first permitted action again and again until the newest frame is `wanted`.

        A whole game needs pauses: the site closes a socket that sends more than 5 frames a second.
        """
        while not wanted(self.newest):
            if self.act():
                time.sleep(pause_s)
            else:
                self.until(lambda frame: frame["t"] in ("state", "event"))

    def act(self) -> bool:
        """Take the first permitted action; return whether there was one."""
        may = self.newest["may"]
        if may and may["roll"]:
            self.command("roll")
        elif may and may["play"]:
            self.command("play", d=self._first_play())
        elif may and may["take"]:
            self.command("take")
        elif may and may["refuse"]:
            self.command("refuse")
        elif may and may["next"]:
            self.command("next")
        else:
            return False
        return True

    def _first_play(self) -> str:
        plays, node, moves = self.newest["plays"], 0, []
        while node not in plays["finals"]:
            source, target, _die, _hit, node = plays["edges"][node][0]
            moves.append(f"{'bar' if source == 25 else source}/{target or 'off'}")
        return " ".join(moves)


def kill_and_come_back(site: SiteProcess, guest: Guest) -> None:
    """Check that kill -9 and a new start leave board, clock, offers and plays unchanged.

    Only the rest of the turn's delay may shrink, by the time for which the site ran meanwhile.
    """
    began = time.monotonic()
    guest._send(t="sync", since=-1)
    guest.until(lambda frame: frame["t"] == "state")
    before, plays = dict(guest.view), guest.newest["plays"]
    site.kill()
    used_s = time.monotonic() - began
    site.start()
    began = time.monotonic()
    after = dict(guest.join()["view"])
    used_s += time.monotonic() - began
    clocks = before.pop("clock"), after.pop("clock")
    assert after == before
    assert guest.newest["plays"] == plays
    if clocks[0] is not None:
        left_ms = [clock.pop("delay_left_ms") for clock in clocks]
        assert clocks[1] == {**clocks[0], "paused": False}
        # After an outage the turn gets time back, perhaps more than its full delay. Time that an
        # earlier outage gave back is lost, so that only the full delay is sure.
        assert left_ms[1] >= min(left_ms[0], clocks[1]["delay_ms"]) - 1000 * used_s


def check_all_logs_fold(site: SiteProcess) -> None:
    report = site.manage("checkreplays")
    assert report.returncode == 0, report.stderr


@pytest.mark.parametrize("variant", ["short", "long"])
def test_kill_9_loses_nothing_in_any_phase(tmp_path: Path, variant: str) -> None:
    """Kill the site in each phase of short backgammon, and after a roll of long nardy.

    The other phases do not depend on the variant; --long kills in each phase of both.
    """
    site, kills_in_each_phase = SiteProcess(tmp_path), variant == "short" or IS_LONG
    with site:
        guest = Guest(site, variant=variant, length="5", cube="on", seconds="90", mars="on")
        guest.join()
        guest.command("entropy_hash", hash=hashlib.sha256(ENTROPY).hexdigest())
        if kills_in_each_phase:
            kill_and_come_back(site, guest)  # waiting for entropy
        guest.command("entropy", entropy=ENTROPY.hex())
        guest.play_until(lambda frame: bool(frame["may"]) and frame["may"]["play"])
        kill_and_come_back(site, guest)  # after the roll
        if not kills_in_each_phase:
            check_all_logs_fold(site)
            guest.close()
            return
        guest.play_until(lambda frame: bool(frame["may"]) and frame["may"]["double"])
        site.environment["BOT_PACE_MS"] = NEVER_MS  # so that the double stays offered
        kill_and_come_back(site, guest)  # before the roll
        guest.command("double")
        assert guest.view["cube"]["offered"]
        kill_and_come_back(site, guest)  # the cube is offered
        site.environment["BOT_PACE_MS"] = "0"
        end_bot_wait(site, guest)
        guest.play_until(lambda frame: bool(frame["may"]) and bool(frame["may"]["resign"]))
        site.environment["BOT_PACE_MS"] = NEVER_MS  # so that the resignation stays offered
        kill_and_come_back(site, guest)  # before the resignation
        guest.command("resign", factor=max(guest.newest["may"]["resign"]))
        kill_and_come_back(site, guest)  # a resignation is offered
        check_all_logs_fold(site)
        guest.close()


def end_bot_wait(site: SiteProcess, guest: Guest) -> None:
    """Restart the site and make the bot's turn due at once, instead of in an hour."""
    site.kill()
    site.manage("shell", "-c", WAKE_BOTS)
    site.start()
    guest.join()


WAKE_BOTS = (
    "from django.utils import timezone; from games.models import Match;"
    "Match.objects.filter(awaits_bot=True).update(wake_at=timezone.now())"
)


def test_kill_9_between_games_loses_nothing(tmp_path: Path) -> None:
    site = SiteProcess(tmp_path)
    with site:
        guest = Guest(site, variant="short", length="25", seconds="90", mars="on")
        guest.join()
        guest.send_entropy()
        guest.play_until(lambda frame: bool(frame["may"]) and bool(frame["may"]["resign"]))
        guest.command("resign", factor=max(guest.newest["may"]["resign"]))
        guest.play_until(lambda frame: frame["view"]["phase"] == "between_games")
        kill_and_come_back(site, guest)
        guest.command("next")  # at once: after a while the next game starts by itself
        guest.until(lambda frame: guest.view["game"] == 2)
        check_all_logs_fold(site)
        guest.close()
