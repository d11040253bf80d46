// Alerts on every page of a member: the bell, the page title, opening the table.

import { deviceStore } from "../lib/dom.js";
import { MUTED, readStoredJson } from "../lib/storage.js";
import { AlertRules } from "./alert-rules.js";

const RESULT_MS = 6000;
const ownTitle = document.title;
const textOf = (element) => element.textContent.trim().replace(/\s+/g, " ");

function ring() {
  const { bell } = document.body.dataset; // absent if the member switched the sound off
  if (!bell || readStoredJson(deviceStore(), MUTED) === true) return;
  new Audio(bell).play().catch(() => {}); // browsers refuse sound before the first gesture
}

const alertRules = new AlertRules({
  ring,
  title: (text) => { document.title = `★ ${text}`; },
  open: (address) => location.assign(address),
  // A table that the member only watches does not count, nor does one whose match is over: then the
  // table of a new match may open.
  isAtTable: () => document.querySelector('[data-plays]:not([data-phase="finished"])') !== null,
  isHere: (match) => location.pathname.includes(match),
});

const begins = (within = "#live, #tournament-alerts") => [...document.querySelectorAll(`:is(${within}) [data-begins]`)]
  .map((link) => ({ id: link.dataset.begins, text: textOf(link.closest("p").querySelector("span")), address: link.href }));

const news = () => [...document.querySelectorAll("#live [data-news], #friend-news [data-news]")]
  .map((line) => ({ id: line.dataset.news, text: textOf(line.querySelector("p")) }));

// Only the tables of tournaments are marked as known, since they wait for minutes and every page
// shows them. Other games begin within seconds.
alertRules.know(begins("#tournament-alerts"), news());
function update() {
  for (const match of begins()) alertRules.update(match, []);
  alertRules.update(null, news());
}
document.body.addEventListener("htmx:afterSwap", update);
// When the match at this table is over, give the player time to read the result.
const table = document.querySelector('[data-part="table"]');
if (table) {
  new MutationObserver(() => {
    if (table.dataset.phase === "finished") setTimeout(update, RESULT_MS);
  }).observe(table, { attributes: true, attributeFilter: ["data-phase"] });
}
for (const type of ["pointerdown", "keydown"]) {
  document.addEventListener(type, () => { if (document.title.startsWith("★")) document.title = ownTitle; }, true);
}
