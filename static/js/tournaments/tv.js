// The page "Watch the round" (TV): some seconds after the shown match is over, open the page again,
// which then shows the next table. A press on the result card prevents that.

import { part } from "../lib/dom.js";
import { Follower } from "./follower.js";

function say(line, name) {
  for (const text of line.querySelectorAll("[data-tv-says]")) text.hidden = text.dataset.tvSays !== name;
}

function start(line) {
  const table = part("table");
  const stay = line.querySelector("[data-tv-stay]");
  const follower = new Follower(table, {
    over: () => {
      line.dataset.over = "";
      say(line, "over");
      stay.hidden = false;
    },
    follow: () => location.assign(line.dataset.next),
  });
  part("result").addEventListener("pointerdown", () => {
    if (follower.stay()) say(line, "");
  });
  new MutationObserver(() => follower.check()).observe(table, { attributeFilter: ["data-phase"] });
  follower.check();
}

start(document.querySelector("[data-tv]"));
