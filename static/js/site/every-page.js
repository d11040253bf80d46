// The modules of every page.

import "./keep-offline.js";
import "./menus.js";
import "./popovers.js";
import "./time-zone.js";

// lib/first-use.js is not part of the first load: no form is sent and no part of the page is replaced
// before the reader uses the pointer or a key, or htmx sends a request by itself.
const MOVES = ["pointermove", "pointerdown", "keydown", "focusin", "click", "htmx:beforeRequest"];

function open() {
  for (const type of MOVES) removeEventListener(type, open, true);
  const again = () => addEventListener("online", open, { once: true });
  const before = [...document.querySelectorAll("[data-spoken]")].map((line) => [line, line.textContent]);
  import("../lib/first-use.js").then(({ startFirstUse }) => startFirstUse(before), again);
}

for (const type of MOVES) addEventListener(type, open, true);
