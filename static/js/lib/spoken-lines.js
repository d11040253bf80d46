// The lines of a page that screen readers must hear when they are new (swaps.js).

import { isVisible } from "./dom.js";

/** Return the texts marked with `data-spoken`, whose value tells equal texts apart, by key; hidden lines say nothing. */
export function spokenLines() {
  const shown = [...document.querySelectorAll("[data-spoken]")].filter(isVisible);
  return new Map(shown.map((each) => {
    const text = each.textContent.trim().replace(/\s+/g, " ");
    return [`${each.dataset.spoken} ${text}`, text];
  }));
}
