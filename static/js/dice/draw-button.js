// The button that repeats a tournament's draw in this browser, and the result under it.

import { checkDraw } from "./draw.js";
import { fetchJson } from "../lib/browser.js";
import { part, setText } from "../lib/dom.js";

/** Return the sentence for a check's result. */
function verdict({ ok, rounds, fault, round }) {
  if (ok) {
    const text = ngettext("%(rounds)s round was drawn exactly as promised.", "%(rounds)s rounds were drawn exactly as promised.", rounds);
    return interpolate(text, { rounds }, true);
  }
  if (fault === "commitment") return gettext("The secret does not match the seal.");
  if (fault === "record") return gettext("The file does not match what this page shows.");
  return interpolate(gettext("Round %(round)s does not follow from the secret."), { round }, true);
}

async function check(place) {
  const [button, words] = [place.querySelector("button"), place.querySelector("[role=status]")];
  const { address, id, kind, commitment } = place.dataset;
  button.disabled = true;
  setText(words, gettext("Drawing again…"));
  const file = await fetchJson(address);
  // A file of another form cannot be checked.
  const result = file && await checkDraw(file, { id, kind, commitment }).catch(() => ({ ok: false, fault: "record" }));
  if (result) words.dataset.ok = String(result.ok);
  setText(words, result ? verdict(result) : gettext("We could not load the draw. Please try again."));
  button.disabled = false;
}

/** Show the button if the browser can compute hashes; called again when htmx replaces this part. */
function prepare() {
  const place = part("draw-check");
  if (place && globalThis.crypto?.subtle) place.querySelector("button").hidden = false;
}

document.addEventListener("click", (event) => {
  const place = event.target.closest("[data-testid=draw-check]")?.closest("[data-part=draw-check]");
  if (place) check(place);
});
document.body.addEventListener("htmx:afterSettle", prepare);
prepare();
