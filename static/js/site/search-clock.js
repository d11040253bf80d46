// The bar of Play now: count the waiting time up between the server's answers.

import { clockText } from "../lib/time-text.js";

setInterval(() => {
  const shown = document.querySelector("[data-elapsed]");
  if (!shown) return;
  shown.dataset.elapsed = String(Number(shown.dataset.elapsed) + 1);
  shown.textContent = clockText(Number(shown.dataset.elapsed) * 1000);
}, 1000);
