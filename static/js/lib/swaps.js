// Watch htmx replace parts of a page. The reader must see that a press has failed, the focus must
// not get lost, a press under way must count, open folds must stay open, and screen readers must
// announce news.

import { html, isVisible, part } from "./dom.js";
import { nextTask } from "./next-task.js";

const CONTROLS = "a, button, input, select, textarea, summary, [tabindex]";
const STAYS = 8000; // ms, after which the page's status line is empty again

let held = null; // what `focused` returned before the swap
const openers = new WeakMap(); // popover -> what `focused` returned before it opened
let spoken = new Map(); // texts of the lines with `data-spoken` that are on the page, by key
let emptying; // the timer that empties the status line

/**
 * Write a text into the page's status line, which no swap replaces. Only screen readers read the
 * text, unless `isShown`.
 */
function say(text, isShown = false) {
  const line = part("page-status");
  const write = (content, isSeen) => {
    line.textContent = content;
    line.classList.toggle("visually-hidden", !isSeen);
  };
  clearTimeout(emptying);
  write(text, isShown);
  emptying = setTimeout(write, STAYS, "", false);
}

// --- News ----------------------------------------------------------------------------------------

/**
 * Return the key and the text of a line marked with `data-spoken`. The value of this attribute
 * tells lines with the same text apart.
 */
function entryOf(line, content) {
  const text = content.trim().replace(/\s+/g, " ");
  return [`${line.dataset.spoken} ${text}`, text];
}

function sayNews() {
  const shown = [...document.querySelectorAll("[data-spoken]")].filter(isVisible);
  const now = new Map(shown.map((line) => entryOf(line, line.textContent)));
  const news = [...now.keys()].filter((key) => !spoken.has(key));
  spoken = now;
  if (news.length) say(news.map((key) => now.get(key)).join(" "));
}

// --- Focus ---------------------------------------------------------------------------------------

/** Return a text that is equal for a control and its successor after a swap. */
function keyOf(control) {
  const about = [control.closest("[id]")?.id, control.getAttribute("href"), control.form?.getAttribute("action")];
  return [control.localName, ...about, control.name, control.value].join(" ");
}

const controlsOf = (key) => [...document.querySelectorAll(CONTROLS)].filter((each) => keyOf(each) === key);

/** Return the focused control, its key, and its place among the controls with this key. */
function focused() {
  const control = document.activeElement;
  if (!control || control === document.body) return null;
  const key = keyOf(control);
  return { control, key, place: controlsOf(key).indexOf(control) };
}

/** Focus a control again, or its successor. */
function focusAgain({ control, key, place }) {
  const successors = controlsOf(key);
  const found = control.isConnected ? control : successors[place] ?? successors.at(-1);
  found?.focus({ preventScroll: true });
}

function hold() {
  held = focused();
}

/** Give the focus back; htmx itself does so only for an element with an id. */
function giveBack() {
  if (held && document.activeElement === document.body) focusAgain(held);
}

/**
 * Remember the control that opens a popover, and give it the focus when the popover closes, unless
 * the focus is elsewhere on the page. The browser itself does so only if the control was not
 * replaced meanwhile; else the focus stays in the hidden popover for a moment and is then lost.
 */
function followPopover({ target, newState }) {
  const { activeElement, body } = document;
  const opener = openers.get(target);
  if (newState === "open") openers.set(target, focused());
  else if (opener && (activeElement === body || target.contains(activeElement))) focusAgain(opener);
}

// --- Presses -------------------------------------------------------------------------------------

let pressed = null; // the element under the pointer at the beginning of a press, until its end
let own = null; // the part that fetched itself, if the last answer was to such a request
const overdue = new Set(); // parts to fetch again, since their answer came during a press

const fetchesItself = (element) => element.matches("[hx-get][hx-trigger]:not(a, button, form, input, select)");

function press({ target }) {
  pressed = target;
}

/**
 * Keep a part that fetched itself, or another that came with it, while the pointer presses it: the
 * browser makes no click of a press whose element was replaced.
 */
function keepPressed({ type, detail }) {
  if (!pressed) return;
  const { target, requestConfig } = detail;
  if (type === "htmx:beforeSwap") own = fetchesItself(requestConfig.elt) ? requestConfig.elt : null;
  if (!own || !detail.shouldSwap || !target.contains(pressed)) return;
  detail.shouldSwap = false;
  overdue.add(own);
}

/** Fetch a part, unless the press has sent a request from it, whose answer brings it up to date. */
function fetchAgain(part) {
  if (!part || part.querySelector(".htmx-request")) return;
  htmx.ajax("get", part.getAttribute("hx-get"), { source: part }).catch(() => {});
}

/** Fetch the kept parts once the click has had its turn; a part that fails tries again by itself. */
async function release() {
  await nextTask();
  pressed = null;
  for (const each of overdue) fetchAgain(each.isConnected ? each : document.getElementById(each.id));
  overdue.clear();
}

// --- Place ---------------------------------------------------------------------------------------

let place = null; // the folds and panned regions of a part that fetches itself, before the swap

/** Return the folds of a part by a text that is equal for a fold and its successor. */
function foldsOf(part) {
  const nameOf = (fold) => fold.id || `${fold.className} ${fold.querySelector("summary")?.textContent}`;
  return new Map([...part.querySelectorAll("details")].map((fold) => [nameOf(fold), fold]));
}

/** Return the regions of a part that the reader can pan, by their names. */
function regionsOf(part) {
  const nameOf = (region) => region.getAttribute("aria-labelledby") ?? region.getAttribute("aria-label");
  return new Map([...part.querySelectorAll('[role="region"]')].map((region) => [nameOf(region), region]));
}

function holdPlace({ detail: { target, requestConfig } }) {
  const isOwn = requestConfig.elt === target; // any other answer is what the reader has asked for
  place = isOwn ? { folds: foldsOf(target), regions: regionsOf(target) } : null;
  for (const [name, region] of place?.regions ?? []) place.regions.set(name, [region.scrollLeft, region.scrollTop]);
}

/** Keep open what was open in the part that was replaced, and the reader's place in wide tables. */
function restorePlace({ target, detail }) {
  // The browser's Back button makes htmx swap in a page without a target.
  if (!place || !detail.target || detail.requestConfig?.elt !== detail.target) return;
  for (const [name, fold] of foldsOf(target)) fold.open = place.folds.get(name)?.open ?? fold.open;
  for (const [name, region] of regionsOf(target)) [region.scrollLeft, region.scrollTop] = place.regions.get(name) ?? [0, 0];
}

// --- Failures ------------------------------------------------------------------------------------

/** Submit a form without htmx, with the button that was pressed. */
function submitPlainly(form, button) {
  if (button?.name) form.append(html("input", { type: "hidden", name: button.name, value: button.value }));
  HTMLFormElement.prototype.submit.call(form);
}

/**
 * Handle a failed request of htmx. After a press, let the browser load the page of the link or
 * form, which shows the reason. Without a connection, or at a table, which the player must not
 * leave, only say that the press has failed. A part that fetches itself fails silently: it tries
 * again later.
 */
function failed({ type, detail: { elt, requestConfig } }) {
  if (!elt.matches("a, form")) return;
  if (type === "htmx:sendError" || part("table")) say(part("page-status").dataset.failed, true);
  else if (elt.matches("a")) location.assign(elt.href);
  else submitPlainly(elt, requestConfig.triggeringEvent?.submitter);
}

/**
 * Listen to htmx, whose events reach the body.
 * @param {[HTMLElement,string][]} before the lines with `data-spoken` and their texts when the
 *   import of this module began: parts may have been replaced since
 */
export function watchSwaps(before) {
  const on = (types, act) => types.forEach((type) => document.body.addEventListener(type, act));
  spoken = new Map(before.map(([line, text]) => entryOf(line, text)));
  on(["htmx:beforeSwap", "htmx:oobBeforeSwap"], keepPressed);
  on(["htmx:beforeSwap"], hold);
  on(["htmx:beforeSwap"], holdPlace);
  on(["htmx:afterSettle"], restorePlace);
  on(["htmx:afterSwap", "htmx:oobAfterSwap"], giveBack);
  document.addEventListener("beforetoggle", followPopover, true); // the event does not bubble
  document.addEventListener("pointerdown", press, true);
  // A menu takes the end of its press.
  for (const type of ["pointerup", "pointercancel", "contextmenu"]) document.addEventListener(type, release, true);
  on(["htmx:afterSwap"], sayNews);
  on(["htmx:responseError", "htmx:sendError"], failed);
  sayNews();
}
