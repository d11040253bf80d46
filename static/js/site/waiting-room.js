// The waiting room: count down between the server's answers, and copy the link.

import { clockText } from "../lib/time-text.js";

function tick() {
  const shown = document.querySelector("[data-countdown]");
  if (!shown) return;
  const left = Math.max(0, Number(shown.dataset.countdown) - 1);
  shown.dataset.countdown = String(left);
  shown.textContent = clockText(left * 1000);
}

setInterval(tick, 1000);

/** Copy the field; the Clipboard API exists on secure origins only. */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await copy(document.getElementById(button.dataset.copy));
  const note = document.querySelector('[data-part="copied"]');
  note.textContent = note.dataset.text;
});
