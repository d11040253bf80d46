// The button that checks the dice of a finished match, and the result under it.

import { checkMatch } from "./verify.js";
import { setText } from "../lib/dom.js";
import { fetchMatch } from "./entropy.js";
import { verdict } from "../text/result-sentences.js";

/**
 * Recompute every roll of the exported match; write the result under the button.
 * @param {object} known facts about the match from other sources (see checkMatch in verify.js)
 */
export async function runDiceCheck(button, place, address, known) {
  button.disabled = true;
  delete place.dataset.ok;
  setText(place, gettext("Recomputing every roll…"));
  const match = await fetchMatch(address);
  const check = match && await checkMatch(match, known);
  if (check) place.dataset.ok = String(check.ok);
  setText(place, check ? verdict(check) : gettext("We could not load the match. Please try again."));
  button.disabled = false;
}
