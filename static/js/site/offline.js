// On every page: register the service worker, which stores the offline page, and remember the match in
// play. On the offline page: link to that match and reload once the site answers.

import { readStored, writeStored } from "../lib/storage.js";

const KEY = "running-match"; // path of the table; empty if no match is in play
const RETRY = 5000; // ms; the browser has no event for a site that answers again
const TABLE = /^\/[\w/-]+$/;

/** Store the table's path until the player's match is over; the table's script sets the phase. */
function remember(table) {
  const note = () => {
    if (!table.dataset.phase) return; // not known yet
    if (table.dataset.phase !== "finished") writeStored(localStorage, KEY, location.pathname);
    else if (readStored(localStorage, KEY) === location.pathname) writeStored(localStorage, KEY, "");
  };
  new MutationObserver(note).observe(table, { attributes: true, attributeFilter: ["data-phase"] });
}

function leadBack(link) {
  const path = readStored(localStorage, KEY);
  if (!path || !TABLE.test(path)) return;
  link.href = path;
  link.hidden = path === location.pathname; // "Try again" opens it
}

async function retry() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

const link = document.querySelector("[data-offline-match]");
if (link) {
  leadBack(link);
  addEventListener("online", retry);
  setInterval(retry, RETRY);
} else {
  const table = document.querySelector('[data-part="table"][data-plays]');
  if (table) remember(table);
  // Wait until the page's own files are loaded.
  addEventListener("load", () => {
    const url = `/sw.js?language=${document.documentElement.lang}`;
    navigator.serviceWorker?.register(url).catch(() => {}); // forbidden by the browser, or offline
  });
}
