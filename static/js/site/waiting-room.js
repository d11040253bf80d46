// The waiting room: count down between the server's answers, and copy the link.

import { listenForCopies } from "../lib/copy.js";
import { clockText } from "../lib/time-text.js";

function tick() {
  const shown = document.querySelector("[data-countdown]");
  if (!shown) return;
  const left = Math.max(0, Number(shown.dataset.countdown) - 1);
  shown.dataset.countdown = String(left);
  shown.textContent = clockText(left * 1000);
}

setInterval(tick, 1000);
listenForCopies();
