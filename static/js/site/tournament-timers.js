// Count down the timers of the member's tournaments between the server's answers.

import { clockText } from "../lib/time-text.js";

const SECOND = 1000;
/** When each timer ends, in ms of performance.now(): a new element is a new answer. */
const ends = new WeakMap();

function tick() {
  for (const timer of document.querySelectorAll("#cups [data-left]")) {
    if (!ends.has(timer)) ends.set(timer, performance.now() + Number(timer.dataset.left) * SECOND);
    const text = clockText(Math.max(0, ends.get(timer) - performance.now()));
    if (timer.textContent !== text) timer.textContent = text;
  }
}

tick();
document.body.addEventListener("htmx:afterSwap", tick);
setInterval(tick, SECOND);
