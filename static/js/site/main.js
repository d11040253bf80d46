// Every page of a member: opens the site's socket and tells the page what it hears, as events on
// the body (`nudge-balance`, `nudge-any`, `signed-out`) that htmx and other scripts wait for.

import { SiteSocket } from "./site-socket.js";

const PAUSE = 500;
const PAUSE_WHILE_LEAVING = 10_000;

let isLeaving = false;

const tell = (name) => document.body.dispatchEvent(new CustomEvent(name));

/**
 * The session has ended, here or elsewhere. What the page shows may be nobody else's business: it is
 * asked for anew, which leads to the sign-in page where one is needed. A table says it itself
 * (line.js), and a page that is just being left for another is not called back.
 */
function signedOut(wasKnown) {
  tell("signed-out");
  if (!wasKnown || document.querySelector('[data-part="table"]')) return;
  setTimeout(() => location.replace(location.pathname + location.search), isLeaving ? PAUSE_WHILE_LEAVING : PAUSE);
}

/**
 * From here on news comes. What came after the page was made and before is asked for by who waits
 * for some (`line-live`), once htmx knows him.
 */
function onGreeted() {
  document.body.dataset.siteLine = "live"; // for tests
  if (document.readyState === "complete") tell("line-live");
  else addEventListener("load", () => tell("line-live"), { once: true });
}

const line = new SiteSocket({
  open: () => new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${document.body.dataset.siteSocket}`),
  isOnline: () => navigator.onLine,
  topics: ["seeks"],
  onGreeted,
  onNudge: (what) => tell(`nudge-${what}`),
  onSignedOut: signedOut,
  random: Math.random,
  timers: { set: (act, ms) => setTimeout(act, ms), clear: (timer) => clearTimeout(timer) },
});

addEventListener("beforeunload", () => {
  isLeaving = true;
  setTimeout(() => { isLeaving = false; }, PAUSE_WHILE_LEAVING);
});
addEventListener("pagehide", () => line.stop());
addEventListener("pageshow", (event) => event.persisted && line.start());
addEventListener("online", () => line.hurry());
document.addEventListener("visibilitychange", () => document.hidden || line.hurry());

line.start();
