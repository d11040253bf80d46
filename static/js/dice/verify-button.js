// The button that checks the dice of a finished match, and the result under it.

import { checkMatch } from "./verify.js";
import { setText } from "../lib/dom.js";
import { fetchJson } from "../lib/browser.js";
import { verdict } from "../text/result-sentences.js";

/**
 * Recompute every roll of the exported match; write the outcome into the element `result`.
 * @param {string} address of the match's export
 * @param {object} known facts about the match from other sources (see checkMatch in verify.js)
 */
export async function runDiceCheck(button, result, address, known) {
  button.disabled = true;
  delete result.dataset.ok;
  setText(result, gettext("Recomputing every roll…"));
  const match = await fetchJson(address);
  // A file of another form cannot be checked.
  const check = match && await checkMatch(match, known).catch(() => ({ ok: false, fault: "record" }));
  if (check) result.dataset.ok = String(check.ok);
  setText(result, check ? verdict(check) : gettext("We could not load the match. Please try again."));
  button.disabled = false;
}
