// Modules that a page does not need before the reader uses the pointer or a key. `site/every-page`
// imports them then, or at htmx's first request.

import { ignoreRepeatedSubmits } from "./repeated-submits.js";
import { watchSwaps } from "./swaps.js";

/** @param {[HTMLElement,string][]} before see `watchSwaps` */
export function startFirstUse(before) {
  ignoreRepeatedSubmits();
  watchSwaps(before);
}
