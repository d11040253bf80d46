// Offers of notices ("Tell me when somebody joins") on any page, and the part for this device on
// the page of notices. Without this script an offer is a link to that page.

import { deviceStore } from "../lib/dom.js";
import { readStored, writeStored } from "../lib/storage.js";
import { hasPush, subscribe, unsubscribe } from "./browser.js";
import { afterPress, afterRefusal, stateOf } from "./permission.js";

const ASKED = "notices-asked"; // set once the browser's question was shown

const permission = () => (hasPush() ? Notification.permission : undefined);
const wasAsked = () => readStored(deviceStore(), ASKED) === "1";

/** Show one of the texts `data-says` beside an offer, and hide the others. */
function say(offer, name) {
  for (const text of offer.querySelectorAll("[data-says]")) text.hidden = text.dataset.says !== name;
}

/** Show a text instead of the button; if the button had the focus, the text gets it. */
function sayInstead(offer, button, name) {
  const hasFocus = [button, document.body].includes(document.activeElement); // Safari focuses no pressed button
  button.hidden = true;
  say(offer, name);
  const text = offer.querySelector(`[data-says="${name}"]`);
  text.tabIndex = -1;
  if (hasFocus) text.focus();
}

async function accept(offer) {
  const { key, url, token, kind, isPage } = offer.dataset;
  const button = offer.querySelector("[data-notice-ask]");
  writeStored(deviceStore(), ASKED, "1");
  const answer = await Notification.requestPermission();
  if (answer !== "granted") {
    // Another offer must not ask again; the button of the page of notices may, unless the browser
    // forbids it.
    const isUseless = isPage === undefined || answer === "denied";
    return isUseless ? sayInstead(offer, button, afterRefusal(answer)) : say(offer, afterRefusal(answer));
  }
  try {
    await subscribe({ key, url, token, kind: kind ?? "" });
  } catch {
    return say(offer, "failed");
  }
  if (isPage !== undefined) return location.reload();
  return sayInstead(offer, button, "done");
}

function pressed(event) {
  const button = event.target.closest?.("[data-notice-ask]");
  const offer = button?.closest("[data-notice-offer]");
  if (!offer) return;
  // Let the link open the page of notices.
  if (afterPress(permission(), wasAsked(), "isPage" in offer.dataset) === "page") return;
  event.preventDefault();
  accept(offer);
}

/** When the member removes this device, end its subscription in the browser too. */
function removed(event) {
  if (event.submitter?.name === "remove" && event.target.matches("[data-this-device]") && hasPush()) unsubscribe().catch(() => {});
}

const page = document.querySelector("[data-notice-offer][data-is-page]");
if (page) {
  const state = stateOf(permission(), hasPush());
  say(page, state);
  page.querySelector("[data-notice-ask]").hidden = state !== "offer";
}
document.addEventListener("click", pressed);
document.addEventListener("submit", removed);
