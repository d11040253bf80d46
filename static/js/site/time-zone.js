// Run on every page: store the device's time zone in a cookie, by which the next pages are rendered
// (accounts/times/middleware.py), and correct the times of a page that was rendered without it.

import { deviceZone, momentText } from "../lib/local-time.js";

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

const root = document.documentElement;
const zone = deviceZone();
if (zone && !("keepsZone" in root.dataset) && root.dataset.zone !== zone) {
  remember(zone);
  correct(zone);
}
