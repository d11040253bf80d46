// On every page: register the service worker, which stores the offline page, and remember the match
// in play for the offline page.

import { deviceStore } from "../lib/dom.js";
import { RUNNING_MATCH, readStored, writeStored } from "../lib/storage.js";

/** Store the table's path until the player's match is over; the table's script sets the phase. */
function remember(table) {
  const store = deviceStore();
  const note = () => {
    if (!table.dataset.phase) return; // not known yet
    if (table.dataset.phase !== "finished") writeStored(store, RUNNING_MATCH, location.pathname);
    else if (readStored(store, RUNNING_MATCH) === location.pathname) writeStored(store, RUNNING_MATCH, "");
  };
  new MutationObserver(note).observe(table, { attributes: true, attributeFilter: ["data-phase"] });
}

const table = document.querySelector('[data-part="table"][data-plays]');
if (table) remember(table);
// Wait until the page's own files are loaded.
addEventListener("load", () => {
  const url = `/sw.js?language=${document.documentElement.lang}`;
  navigator.serviceWorker?.register(url).catch(() => {}); // forbidden by the browser, or offline
});
