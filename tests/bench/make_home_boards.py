"""Draw the boards of the home page: `python -m tests.bench.make_home_boards`.

Open the site's own board in Chromium, resolve its styles and write static/img/home-short.svg and
home-long.svg, so that the pictures look like the table. Run it after a change of the board.
"""

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.bench.board_frames import ROOT, open_board

# Replaces CSS by attributes; each kind of checker becomes one group that is reused.
DRAW = """async ([variant, white, black, dice]) => {
  const [{ Board }, { makeLayout }] = await Promise.all(
    ["board", "geometry"].map((name) => import(`/static/js/board/${name}.js`)));
  document.documentElement.dataset.theme = "dark";
  const host = document.getElementById("host");
  const board = new Board(host, { isInteractive: false });
  board.setLayout(makeLayout({ variant, hasTrays: false }), { hasNumbers: false });
  const put = (places) => Object.assign(Array(26).fill(0), places);
  board.setPosition({ white: put(white), black: put(black) }, "white");
  board.setDice({ own: dice.map((value) => ({ value, side: "white" })) });
  const NAMES = ["fill", "stroke", "stroke-width", "opacity", "filter"];
  const PLAIN = {
    fill: "rgb(0, 0, 0)", stroke: "none", "stroke-width": "1px", opacity: "1", filter: "none",
  };
  const short = (text) => text.replace(/url\\("?#/g, "url(#").replace(/"\\)/g, ")")
    .replace(/rgb\\((\\d+), (\\d+), (\\d+)\\)/g, (_, ...rgb) => "#" + rgb.slice(0, 3).map((each) =>
      Number(each).toString(16).padStart(2, "0")).join("")).replace(/px$/, "");
  const KEPT = ["d", "x", "y", "width", "height", "rx", "cx", "cy", "r", "transform"];
  function copy(element, inherited = PLAIN) {
    const style = getComputedStyle(element);
    const { localName } = element;
    const isSeen = style.display !== "none" && style.visibility === "visible" && +style.opacity;
    if (!isSeen || localName === "text") return "";
    const brief = (text) => text.replace(/\\d+\\.\\d{3,}/g, (number) => Number(number).toFixed(2));
    const attributes = KEPT.filter((name) => element.hasAttribute(name))
      .map((name) => `${name}="${brief(element.getAttribute(name))}"`);
    const own = {};
    for (const name of NAMES) {
      own[name] = style.getPropertyValue(name);
      const from = name === "opacity" || name === "filter" ? PLAIN[name] : inherited[name];
      if (own[name] !== from) attributes.push(`${name}="${short(own[name])}"`);
    }
    if (element.style.transform) {
      const moved = element.style.transform.replaceAll("px", "").replace("deg", "");
      attributes.push(`transform="${moved}"`);
    }
    const inner = [...element.children].map((child) => copy(child, own)).join("");
    if (localName === "g" && !inner) return "";
    const start = `<${localName} ${attributes.join(" ")}`;
    return inner ? `${start}>${inner}</${localName}>` : `${start}/>`;
  }
  const kinds = ["light", "dark"].map((paint) => {
    const face = host.querySelector(`[data-paint=${paint}] .checker-face`);
    return `<g id="${paint}">${[...face.children].map((child) => copy(child)).join("")}</g>`;
  });
  const checkers = [...host.querySelectorAll(".checker")].map((checker) => {
    const [, x, y] = /translate\\(([-\\d.]+)px, ([-\\d.]+)px\\)/.exec(checker.style.transform);
    return `<use href="#${checker.dataset.paint}" x="${x}" y="${y}"/>`;
  });
  const surface = [...board.surface.children].map((child) => copy(child)).join("");
  const drawn = [...host.querySelectorAll(".die")].map((die) => copy(die)).join("");
  const all = surface + kinds.join("") + drawn;
  const defs = [...document.querySelector(".relief-defs defs").children]
    .filter((each) => all.includes(`#${each.id})`)).map((each) => each.outerHTML).join("");
  const [, , width, height] = board.root.getAttribute("viewBox").split(" ").map(Number);
  const size = `width="560" height="${Math.round((560 * height) / width)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${size}>` +
    `<defs>${defs}${kinds.join("")}</defs>${surface}${checkers.join("")}${drawn}</svg>\\n`;
}"""
# By file name: variant, checkers of White and of Black by point, dice.
BOARDS = {
    "short": ("short", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, [3, 1]),
    "long": ("long", {24: 11, 18: 2, 15: 2}, {24: 11, 20: 2, 17: 2}, [6, 4]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=args.chromium, args=["--no-sandbox"], headless=True
        )
        page = open_board(browser, ROOT / "static")
        for name, what in BOARDS.items():
            Path(ROOT / f"static/img/home-{name}.svg").write_text(page.evaluate(DRAW, list(what)))
        browser.close()


if __name__ == "__main__":
    main()
