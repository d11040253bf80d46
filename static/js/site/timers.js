// Count down the timers of gifts and of the member's tournaments between the server's answers. When a
// gift becomes ready, the parts that show it are fetched again, as after a changed balance.

import { clockText, elapsedText } from "../lib/time-text.js";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const GIFT = "[data-gift-left]";
/** The end of each timer in ms of performance.now(); a new answer brings new elements. */
const ends = new WeakMap();
const ended = new WeakSet();

function tick() {
  for (const timer of document.querySelectorAll(`#tournament-alerts [data-left], ${GIFT}`)) {
    const given = Number(timer.dataset.left ?? timer.dataset.giftLeft);
    if (!ends.has(timer)) ends.set(timer, performance.now() + given * SECOND);
    const left = Math.max(0, ends.get(timer) - performance.now());
    const text = left >= HOUR ? elapsedText(left) : clockText(left);
    if (timer.textContent !== text) timer.textContent = text;
    if (!left && timer.matches(GIFT) && !ended.has(timer)) {
      ended.add(timer);
      document.body.dispatchEvent(new Event("nudge-balance"));
    }
  }
}

tick();
document.body.addEventListener("htmx:afterSwap", tick);
setInterval(tick, SECOND);
