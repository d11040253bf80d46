// Count down the timers of gifts and of the member's tournaments between the server's answers. A
// gift that becomes ready fetches what shows it, as a changed balance does.

import { clockText, elapsedText } from "../lib/time-text.js";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const GIFT = "[data-gift-left]";
/** When each timer ends, in ms of performance.now(): a new element is a new answer. */
const ends = new WeakMap();
const ended = new WeakSet();

function tick() {
  for (const timer of document.querySelectorAll(`#cups [data-left], ${GIFT}`)) {
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
