// Run on every page: store the device's time zone in a cookie, by which the next pages are rendered
// (accounts/times/middleware.py), and correct the times of a page that was rendered without it.

import { deviceZone, momentText } from "../lib/local-time.js";
import { nextTask } from "../lib/next-task.js";

const YEAR = 365 * 24 * 3600; // seconds

function remember(zone) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `zone=${zone}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}

function correct(zone) {
  for (const time of document.querySelectorAll("time[data-form]")) {
    time.textContent = momentText(time.dateTime, time.dataset.form, document.documentElement.lang, zone);
  }
}

async function check(root) {
  if ("keepsZone" in root.dataset) return;
  // If no shown time waits for the zone, ask for it later: a browser without Temporal takes a while.
  if (root.dataset.zone || !document.querySelector("time[data-form]")) await nextTask();
  const zone = deviceZone();
  if (!zone || root.dataset.zone === zone) return;
  remember(zone);
  correct(zone);
}

check(document.documentElement);
