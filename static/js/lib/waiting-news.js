// News that waits while the player is in a match, such as a challenge: a badge on the button "More" and
// a list in its dialog. The lines above the page are hidden meanwhile (css/table/layout.css), since
// they would move the board.

import { part, setHidden, setText } from "./dom.js";

const LINES = ":is(#live, #friend-news) :is(.live-challenge, .live-asks, .live-friend)";

/** Return a copy that htmx knows too; its links open beside the table. */
function copyOf(line) {
  const copy = line.cloneNode(true);
  for (const link of copy.querySelectorAll("a")) Object.assign(link, { target: "_blank", rel: "noopener" });
  globalThis.htmx?.process(copy);
  return copy;
}

/** @param {(text:string) => void} say called with the text of news that has just come */
export function openWaitingNews(say) {
  let known = null; // ids in the list
  const draw = () => {
    const lines = [...document.querySelectorAll(LINES)];
    const ids = lines.map((line) => line.dataset.news);
    if (known?.join() === ids.join()) return;
    const added = known && lines.find((line) => !known.includes(line.dataset.news));
    known = ids;
    part("waiting-news").replaceChildren(...lines.map(copyOf));
    setText(part("waiting-count"), lines.length);
    for (const name of ["waiting-news", "waiting-badge"]) setHidden(part(name), lines.length === 0);
    if (added) say(added.querySelector("p").textContent.trim().replace(/\s+/g, " "));
  };
  document.body.addEventListener("htmx:afterSwap", draw);
  draw();
}
