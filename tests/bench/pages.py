"""Weigh and time the first visit to the home page, the lobby and a table in Chromium.

    python -m tests.bench.pages [--language ru] [--visits 5] [--taps 60] [--weights-only]

Collect the static files, serve the site as visitors get it and print a line of JSON for each page
and visitor: the requests and KiB on the wire, headers included, in all and by type. Sockets
and requests of the service worker are not counted. At a table only the loads up to the first turn
count; "later" has the loads after it. The line also has the medians of a slow phone (a processor
four times slower, 150 ms latency, 1.6 Mbit/s): first and largest contentful paint, the first turn
(the board is ready), in ms, and the layout shift. The last line is about a match: the 98th
percentile of the ms from a tap to the next paint. Times depend on the machine and its other work;
weights do not.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.bench.spectators import quantile
from tests.journeys.player import HAS_REST, LOADED_LATER, TouchPlayer, start_training
from tests.support.site_process import SiteProcess

KIB = 1024
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
SLOWDOWN = 4
SLOW_LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
TIMEOUT_MS = 60_000
LOOK_EVERY_MS = 300
REST_MS = 1000  # time in which a table loads its other files after the first turn
# Two members play for credits, three wait in the lobby.
_ARRANGE = """
import json
from lobby.services import announcing
from tests.accounts.factories import session_key
from tests.games.factories import StakeSitting
from tests.lobby.factories import announcement
from tests.wallet.factories import player
users = [player("anna55"), player("boris7")]
sitting = StakeSitting(*users, length=5).sit().start_game().both_move()
for login in ("cem123", "deniz5", "elena9"):
    announcing.announce(player(login), announcement(), sitting.now)
print(json.dumps([sitting.public_id, session_key(users[0]), session_key(player("vera11"))]))
"""
# Script that records paints and shifts of the page, and the milliseconds of each interaction.
_WATCH = """
window.shown = { lcp: 0, shift: 0, taps: {} };
const watch = (type, each, options = {}) => new PerformanceObserver((list) =>
  list.getEntries().forEach(each)).observe({ type, buffered: true, ...options });
watch("largest-contentful-paint", (entry) => { shown.lcp = entry.startTime; });
watch("layout-shift", (entry) => { if (!entry.hadRecentInput) shown.shift += entry.value; });
watch("event", ({ interactionId: id, duration }) => {
  if (id) shown.taps[id] = Math.max(shown.taps[id] ?? 0, duration);
}, { durationThreshold: 16 });
"""
_SHOWN = """() => ({
  fcp_ms: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  lcp_ms: shown.lcp, turn_ms: performance.getEntriesByName("first-turn")[0]?.startTime ?? 0,
  shift: shown.shift })"""


class Visitors:
    """Browsers of a guest, who plays the computer, and of two members, one of them at a table."""

    def __init__(self, browser: Browser, site: SiteProcess, language: str) -> None:
        self._browser = browser
        self._base = site.base
        self._language = language
        arranged = site.manage("shell", "-v0", "-c", _ARRANGE)
        assert arranged.returncode == 0, arranged.stderr
        self.match, *self._keys = json.loads(arranged.stdout.splitlines()[-1])
        with self.page() as page:
            self.training = start_training(page, "short", length=5)
            self._guest = page.context.cookies()

    def pages(self) -> dict[str, tuple[str, list[Any]]]:
        """Return the path of each page to visit, and the cookies of its visitor."""
        seated, member = map(self._session, self._keys)
        return {
            "home, guest": (f"/{self._language}/", []),
            "home, member": (f"/{self._language}/", [member]),
            "lobby, guest": ("/play/", []),
            "lobby, member": ("/play/", [member]),
            "table, guest": (f"/match/{self.training}/", self._guest),
            "table, member": (f"/match/{self.match}/", [seated]),
        }

    @contextmanager
    def page(self, cookies: list[Any] | None = None) -> Iterator[Page]:
        """Open a page of a browser that has stored nothing but the cookies."""
        context: BrowserContext = self._browser.new_context(
            base_url=self._base, has_touch=True, is_mobile=True, service_workers="block", **PHONE
        )
        context.set_default_timeout(TIMEOUT_MS)
        context.add_cookies([*(cookies or []), self._cookie("django_language", self._language)])
        context.add_init_script(_WATCH)
        yield context.new_page()
        context.close()

    def slow_page(self, cookies: list[Any] | None = None) -> Any:
        return slowed(self.page(cookies))

    def _session(self, key: str) -> Any:
        return self._cookie("sessionid", key)

    def _cookie(self, name: str, value: str) -> Any:
        host = urlsplit(self._base).hostname
        return {"name": name, "value": value, "domain": host, "path": "/"}


@contextmanager
def slowed(opened: Any) -> Iterator[Page]:
    with opened as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW_LINE)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        yield page


def weigh(page: Page, path: str, *, lists: bool) -> dict[str, Any]:
    """Return the requests and KiB of a visit, in all and by type; with `lists` print every load."""
    urls: dict[str, tuple[str, str]] = {}
    loads: list[tuple[str, str, float]] = []

    def answered(event: Any) -> None:
        if not event["response"]["url"].startswith("data:"):
            urls[event["requestId"]] = event["type"].lower(), event["response"]["url"]

    def loaded(event: Any) -> None:
        if event["requestId"] in urls:
            loads.append((*urls[event["requestId"]], event["encodedDataLength"] / KIB))

    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", loaded)
    page.goto(path, wait_until="networkidle")
    if is_table(path):
        page.wait_for_function(HAS_REST)
        page.wait_for_timeout(REST_MS)
    later = set(page.evaluate(LOADED_LATER))
    if lists:
        for kind, url, kib in loads:
            print(f"    {kib:6.1f} KiB {kind:10} {'later ' if url in later else ''}{url}")
    first = [load for load in loads if load[1] not in later]
    by_type = {kind: totals(load for load in first if load[0] == kind) for kind, *_ in first}
    requests, kib = totals(first)
    after = totals(load for load in loads if load[1] in later)
    return {"requests": requests, "kib": kib, **by_type, "later": after}


def is_table(path: str) -> bool:
    return path.startswith("/match/")


def totals(loads: Iterable[tuple[str, str, float]]) -> tuple[int, float]:
    sizes = [kib for *_, kib in loads]
    return len(sizes), round(sum(sizes), 1)


def time_visit(page: Page, path: str) -> dict[str, float]:
    """Return the times and the layout shift of a visit."""
    page.goto(path, wait_until="networkidle")
    if is_table(path):
        page.wait_for_function(HAS_REST)
    shown: dict[str, float] = page.evaluate(_SHOWN)
    return shown


def medians(visits: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(each[name] for each in visits), 3) for name in visits[0]}


def play(page: Page, path: str, taps: int) -> list[float]:
    """Play against the computer; return the ms from each tap to the next paint, 0 if under 16."""
    page.goto(path, wait_until="load")
    player, count = TouchPlayer(page), 0
    # Looking at the page at each paint would cost more than the page's own work.
    player.polling = LOOK_EVERY_MS
    tap = player.press

    def counted(x: float, y: float) -> None:
        nonlocal count
        count += 1
        tap(x, y)
        page.wait_for_timeout(LOOK_EVERY_MS)

    player.press = counted
    player.play_until(lambda look: count >= taps)
    page.wait_for_timeout(500)
    slow: list[float] = page.evaluate("Object.values(shown.taps)")
    return slow + [0.0] * (count - len(slow))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="ru")
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--taps", type=int, default=60)
    parser.add_argument("--weights-only", action="store_true")
    parser.add_argument("--lists", action="store_true", help="name every request")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = SiteProcess(Path(folder), DEBUG="0")
        site.manage("collectstatic", "--noinput", "--clear", "-v0")
        browser = playwright.chromium.launch(
            executable_path=args.chromium, args=["--no-sandbox"], headless=True
        )
        with site:
            measure(Visitors(browser, site, args.language), args)
        browser.close()


def measure(visitors: Visitors, args: argparse.Namespace) -> None:
    for name, (path, cookies) in visitors.pages().items():
        with visitors.page(cookies) as page:
            found = weigh(page, path, lists=args.lists)
        if not args.weights_only:
            visits = []
            for _ in range(args.visits):
                with visitors.slow_page(cookies) as page:
                    visits.append(time_visit(page, path))
            found |= medians(visits)
        print(json.dumps({"page": name, **found}), flush=True)
    if not args.weights_only:
        path, cookies = visitors.pages()["table, guest"]
        with visitors.slow_page(cookies) as page:
            taps = play(page, path, args.taps)
        print(json.dumps({"taps": len(taps), "p98_ms": quantile(taps, 0.98)}))


if __name__ == "__main__":
    main()
