// News that comes while the player is in a match, such as a challenge: a badge on the button "More"
// and a list in its dialog. Meanwhile css/table/layout.css hides the lines above the page, since
// they would move the board.

import { html, part, setHidden, setText } from "./dom.js";

const LINES = ":is(#live, #friend-news) :is(.live-challenge, .live-asks, .live-friend)";
const ANSWERS = ":is(#live, #friend-news) .live-answer"; // the site's answers to presses there

const textOf = (element) => element.textContent.trim().replace(/\s+/g, " ");

/** Return a copy of a line in which htmx works too; its links open in a new tab. */
function copyOf(line) {
  const copy = line.cloneNode(true);
  // When the copy before this one is removed, this copy gets the focus, and not its button: a key
  // that was meant for the removed copy would press the button.
  copy.tabIndex = -1;
  for (const link of copy.querySelectorAll("a")) Object.assign(link, { target: "_blank", rel: "noopener" });
  globalThis.htmx?.process(copy);
  return copy;
}

/** Show copies of the lines. A copy that stays is not replaced, since it may have the focus. */
function redraw(list, lines) {
  const ids = lines.map((line) => line.dataset.news);
  for (const copy of [...list.children]) if (!ids.includes(copy.dataset.news)) copy.remove();
  for (const [at, line] of lines.entries()) {
    const there = list.children[at] ?? null;
    if (there?.dataset.news !== line.dataset.news) list.insertBefore(copyOf(line), there);
  }
  while (list.children.length > lines.length) list.lastElementChild.remove();
}

/**
 * At a player's table, show the news in the dialog; at a spectator's, it stays above the page.
 * @param {(text:string) => void} say called with the text of news that has just come
 */
export function openWaitingNews(say) {
  const table = part("table");
  if (!("plays" in table.dataset)) return;
  const [more, list, answer] = ["more", "waiting-list", "waiting-answer"].map((name) => part(name));
  const shown = new WeakSet(); // answers already shown or said
  let known = null; // ids in the list
  const sayInPlay = (line) => table.dataset.phase !== "finished" && say(textOf(line));

  const showAnswers = () => {
    const fresh = [...document.querySelectorAll(ANSWERS)].filter((line) => !shown.has(line));
    for (const line of fresh) {
      shown.add(line);
      // A nudge soon removes the answer above the page; in the dialog the answer stays until the
      // dialog closes.
      if (more.open) answer.replaceChildren(html("p", { className: "notice live-line" }, textOf(line)));
      else sayInPlay(line);
    }
  };
  const showCount = () => {
    setText(part("waiting-count"), list.children.length);
    setHidden(part("waiting-badge"), !list.firstChild);
    setHidden(part("waiting-news"), !list.firstChild && !answer.firstChild);
  };
  const draw = () => {
    const lines = [...document.querySelectorAll(LINES)];
    const added = known && lines.find((line) => !known.includes(line.dataset.news));
    known = lines.map((line) => line.dataset.news);
    const focusAt = [...list.children].findIndex((copy) => copy.contains(document.activeElement));
    redraw(list, lines);
    showAnswers();
    showCount();
    if (focusAt >= 0 && !list.contains(document.activeElement)) {
      (list.children[focusAt] ?? list.lastElementChild ?? more.querySelector("[data-action=close-more]")).focus();
    }
    if (added) sayInPlay(added.querySelector("p"));
  };
  more.addEventListener("close", () => {
    answer.replaceChildren();
    showCount();
  });
  document.body.addEventListener("htmx:afterSwap", draw);
  draw();
  table.dataset.news = "kept";
}
