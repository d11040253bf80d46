"""Compare the board's frame times with those of an earlier revision or another look, in one run.

`python -m tests.bench.board_frames REVISION` draws both boards in Chromium on a phone's screen with
the processor slowed down four times, repeats a throw, a move, a hit and a bear-off on both boards,
and prints a JSON line for each of these four acts: the 95th percentile of the milliseconds between
two frames on each board, their ratio, the ratio of the means, and that of the main thread's
processor time (which includes putting the pieces back). A frame lasts whole sixtieths of a second,
so the percentile changes in steps and depends on other work on the machine; processor time still
shows which board has more to do. Without REVISION it compares two looks: the plainest ("before")
and the one that takes longest to draw, or the board and checkers named by `--looks` ("now"). Only
times of the same run can be compared.
"""

import argparse
import io
import json
import mimetypes
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
ORIGIN = "http://board.test"
ROUNDS, SLOWDOWN = 24, 4
PHONE = {"width": 390, "height": 640}
ACTS = ("throw", "move", "hit", "bear_off")
PAGE = """<!doctype html><meta name=viewport content="width=device-width">
<link rel=stylesheet href="/static/css/base/tokens.css">
<link rel=stylesheet href="/static/css/board/looks.css">
<link rel=stylesheet href="/static/css/board/board.css">
<link rel=stylesheet href="/static/css/board/pieces.css">
<link rel=stylesheet href="/static/css/board/goods-boards.css">
<link rel=stylesheet href="/static/css/board/goods-checkers.css">
<body data-board={board} data-checkers={checkers}>
<div id=host style="width:390px;height:600px"></div>"""
Look = tuple[str, str]
CLASSIC: Look = ("classic", "classic")
PLAINEST: Look = ("contrast", "contrast")  # flat colors
SLOWEST: Look = ("pearl", "pearl")
SCRIPT = """async () => {
  const [{ Board }, { makeLayout }] = await Promise.all(
    ["board", "geometry"].map((name) => import(`/static/js/board/${name}.js`)));
  const board = new Board(document.getElementById("host"));
  board.setLayout(makeLayout({ isWide: false, aspect: 600 / 390 }));
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const put = (places) => Object.assign(Array(26).fill(0), places);
  const reset = () => {
    board.setPosition({ white: put({ 24: 1, 13: 5, 8: 3, 6: 5, 2: 1 }),
                        black: put({ 24: 2, 13: 5, 8: 3, 6: 4, 4: 1 }) }, "white");
    board.setDice({});
  };
  const faces = [{ value: 6, side: "white" }, { value: 3, side: "white" }];
  const acts = {
    throw: () => board.setDice({ own: faces }, 450),
    move: () => board.moveChecker("white", { source: 13, target: 7 }, false, 180),
    hit: () => board.moveChecker("white", { source: 24, target: 21 }, true, 180),
    bear_off: () => board.moveChecker("white", { source: 2, target: 0 }, false, 180),
  };
  window.measure = async (name) => {
    reset();
    await rest(60);
    const gaps = [];
    let last = performance.now(), isOn = true;
    const tick = (now) => {
      gaps.push(now - last);
      last = now;
      if (isOn) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    acts[name]();
    await rest(name === "throw" ? 520 : 420);
    isOn = false;
    return gaps.slice(1);
  };
}"""


def static_of(revision: str, folder: Path) -> Path:
    archive = subprocess.run(
        ["git", "archive", revision, "static"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder / "static"


def open_board(browser: Any, static: Path, look: Look = CLASSIC) -> Page:
    page: Page = browser.new_page(viewport=PHONE, device_scale_factor=3)

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            board, checkers = look
            body = PAGE.format(board=board, checkers=checkers)
            route.fulfill(content_type="text/html", body=body)
            return
        file = static / path.removeprefix("/static/")
        if not file.exists():  # an earlier revision may lack styles of goods
            route.fulfill(content_type="text/css", body="")
            return
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        route.fulfill(content_type=kind, body=file.read_bytes())

    page.route(f"{ORIGIN}/**", serve)
    page.goto(f"{ORIGIN}/")
    page.evaluate(SCRIPT)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    return page


def open_meter(page: Page) -> CDPSession:
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    return meter


def main_thread_seconds(meter: CDPSession) -> float:
    metrics = meter.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


def p95(gaps: list[float]) -> float:
    return sorted(gaps)[int(len(gaps) * 0.95)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?", help="the earlier revision, such as HEAD~10")
    parser.add_argument("--looks", nargs="*", metavar="NAME", help="board and checkers")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        static = ROOT / "static"
        browser = playwright.chromium.launch(
            executable_path=args.chromium, args=["--no-sandbox"], headless=True
        )
        if args.revision:
            before = open_board(browser, static_of(args.revision, Path(folder)))
            pages = {"before": before, "now": open_board(browser, static)}
        else:
            board, checkers = args.looks or SLOWEST
            plain = open_board(browser, static, PLAINEST)
            pages = {"before": plain, "now": open_board(browser, static, (board, checkers))}
        gaps: dict[str, dict[str, list[float]]] = {
            name: {act: [] for act in ACTS} for name in pages
        }
        work = {name: dict.fromkeys(ACTS, 0.0) for name in pages}
        meters = {name: open_meter(page) for name, page in pages.items()}
        for number in range(ROUNDS):
            for act in ACTS:
                # Each board goes first as often as the other.
                for name in list(pages)[:: 1 if number % 2 else -1]:
                    pages[name].bring_to_front()
                    start = main_thread_seconds(meters[name])
                    gaps[name][act] += pages[name].evaluate("name => window.measure(name)", act)
                    work[name][act] += main_thread_seconds(meters[name]) - start
        for act in ACTS:
            before_ms, now_ms = p95(gaps["before"][act]), p95(gaps["now"][act])
            mean = {name: sum(found[act]) / len(found[act]) for name, found in gaps.items()}
            print(
                json.dumps(
                    {
                        "act": act,
                        "before_p95_ms": round(before_ms, 1),
                        "now_p95_ms": round(now_ms, 1),
                        "ratio": round(now_ms / before_ms, 2),
                        "ratio_of_means": round(mean["now"] / mean["before"], 2),
                        "ratio_of_work": round(work["now"][act] / work["before"][act], 2),
                    }
                )
            )
        browser.close()


if __name__ == "__main__":
    main()
