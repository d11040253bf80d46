// On the offline page: link to the match in play and reload once the site answers.

import { deviceStore } from "../lib/dom.js";
import { RUNNING_MATCH, readStored } from "../lib/storage.js";

const RETRY = 5000; // ms; the browser has no event for a site that answers again
const PROBE = "/robots.txt"; // small, and every proxy passes it on, unlike /healthz
const TABLE = /^\/[\w/-]+$/;

function leadBack(link) {
  const path = readStored(deviceStore(), RUNNING_MATCH);
  if (!path || !TABLE.test(path)) return;
  link.href = path;
  link.hidden = path === location.pathname; // the link "Try again" opens the same page
}

async function retry() {
  const answer = await fetch(PROBE, { cache: "no-store", redirect: "error" }).catch(() => null);
  // A proxy without the site, or a network's own sign-in, answers something else.
  const isSite = answer?.ok && (await answer.text().catch(() => "")).startsWith("User-agent");
  if (isSite) location.reload();
}

leadBack(document.querySelector("[data-offline-match]"));
addEventListener("online", retry);
setInterval(retry, RETRY);
