// Disable a button while the time beside it runs down. The server checks the time as well: without
// this script, the answer to an early press says how much time is left.

import { elapsedText } from "../lib/time-text.js";

const SECOND = 1000;

for (const button of document.querySelectorAll("[data-countdown]")) {
  const note = document.getElementById(button.getAttribute("aria-describedby"));
  const text = note.querySelector("[data-countdown-text]");
  const end = Date.now() + Number(button.dataset.countdown) * SECOND;
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / SECOND);
    button.disabled = left > 0;
    note.hidden = left <= 0;
    if (left <= 0) return;
    text.textContent = elapsedText(left * SECOND);
    setTimeout(tick, SECOND);
  };
  tick();
}
