// Run on every page of a member: open the site's socket and dispatch its messages as events on the
// body (`nudge-balance`, `nudge-any`, `signed-out`) for htmx and other scripts.

import { browserTimers, openSocket } from "../lib/browser.js";
import { SiteSocket } from "./site-socket.js";

const PAUSE = 500; // ms before the reload
const PAUSE_WHILE_LEAVING = 10_000; // ms; the page is usually gone by then

let isLeaving = false;

/** Dispatch an event as soon as htmx has loaded: a table loads it late. */
function dispatch(name) {
  const act = () => document.body.dispatchEvent(new CustomEvent(name));
  if (globalThis.htmx) act();
  else document.body.addEventListener("htmx:load", act, { once: true });
}

/**
 * Reload after the session ended, here or elsewhere, because the page may show private data; if the
 * page needs a member, the reload leads to the sign-in. A table shows its own notice instead
 * (table/connection.js). If the page is being left, the reload is delayed.
 * @param {boolean} wasKnown this page was signed in before; otherwise it is not reloaded
 */
function signedOut(wasKnown) {
  dispatch("signed-out");
  if (!wasKnown || document.querySelector('[data-part="table"]')) return;
  setTimeout(() => location.replace(location.pathname + location.search), isLeaving ? PAUSE_WHILE_LEAVING : PAUSE);
}

/**
 * Dispatch `line-live` when the socket is live and htmx is ready. Elements that listen for it fetch
 * changes that were made since the page was rendered.
 */
function onGreeted() {
  document.body.dataset.siteLine = "live"; // for tests
  if (document.readyState === "complete") dispatch("line-live");
  else addEventListener("load", () => dispatch("line-live"), { once: true });
}

const siteSocket = new SiteSocket({
  open: () => openSocket(document.body.dataset.siteSocket),
  isOnline: () => navigator.onLine,
  topics: ["seeks", "tournaments", "running"],
  onGreeted,
  onNudge: (what) => dispatch(`nudge-${what}`),
  onSignedOut: signedOut,
  random: Math.random,
  timers: browserTimers,
});

addEventListener("beforeunload", () => {
  isLeaving = true;
  setTimeout(() => { isLeaving = false; }, PAUSE_WHILE_LEAVING);
});
addEventListener("pagehide", () => siteSocket.stop());
addEventListener("pageshow", (event) => event.persisted && siteSocket.start());
addEventListener("online", () => siteSocket.hurry());
document.addEventListener("visibilitychange", () => document.hidden || siteSocket.hurry());

siteSocket.start();
