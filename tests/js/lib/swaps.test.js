// News, focus and failed presses around htmx's swaps, on a page of a few fake elements.

import assert from "node:assert/strict";
import test from "node:test";

import { watchSwaps } from "../../../static/js/lib/swaps.js";

const listening = () => ({
  handlers: new Map(),
  addEventListener(type, act) { (this.handlers.get(type) ?? this.handlers.set(type, []).get(type)).push(act); },
});
const body = listening();
const line = {
  textContent: "", dataset: { failed: "That did not work." }, isShown: false,
  classList: { toggle: (name, isHidden) => { line.isShown = !isHidden; } },
};
const page = { spoken: [], controls: [], table: null, left: [] };

globalThis.document = {
  ...listening(), body, activeElement: body,
  querySelector: (selector) => (selector.includes("page-status") ? line : page.table),
  querySelectorAll: (selector) => (selector === "[data-spoken]" ? page.spoken : page.controls),
  createElement: () => ({ dataset: {}, append() {} }),
};
globalThis.location = { assign: (address) => page.left.push(address) };
globalThis.HTMLFormElement = class { submit() { page.left.push(this); } };

const says = (text, key = "", isVisible = true) => ({ dataset: { spoken: key }, textContent: text, checkVisibility: () => isVisible });

function fire(type, detail = { target: body, requestConfig: {} }, target = body) {
  for (const act of body.handlers.get(type)) act({ type, detail, target });
}

/** Create a link of a part; `part` is the id of the element around it. */
function link(href, part = "lists") {
  const made = {
    localName: "a", isConnected: true, closest: () => ({ id: part }), getAttribute: () => href,
    matches: () => false, focus: () => { document.activeElement = made; },
  };
  return made;
}

const pressed = (name, more = {}) => ({ matches: (selector) => selector.split(", ").includes(name), ...more });

page.spoken = [says("Anna wants to be your friend.")];
watchSwaps([...document.querySelectorAll("[data-spoken]")].map((news) => [news, news.textContent]));

test("news that comes with a swap is said once, and hidden news not at all", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  fire("htmx:afterSwap");
  assert.equal(line.textContent, "");
  page.spoken = [says("Anna wants to be your friend."), says(" Boris\n challenges you. "), says("Hidden.", "", false)];
  fire("htmx:afterSwap");
  assert.equal(line.textContent, "Boris challenges you.");
  assert.ok(!line.isShown);
  t.mock.timers.tick(8000);
  assert.equal(line.textContent, "");
  fire("htmx:afterSwap");
  assert.equal(line.textContent, "");
});

test("two messages with the same words are two messages", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  page.spoken = [says("Hello", "1")];
  fire("htmx:afterSwap");
  t.mock.timers.tick(8000);
  page.spoken = [says("Hello", "1"), says("Hello", "2")];
  fire("htmx:afterSwap");
  assert.equal(line.textContent, "Hello");
});

test("news is said by a browser that cannot tell what is hidden", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  page.spoken = [{ dataset: { spoken: "" }, textContent: "Boris has left." }];
  fire("htmx:afterSwap");
  assert.equal(line.textContent, "Boris has left.");
});

test("the successor of a replaced control gets the focus", () => {
  const before = link("/seek/a/");
  before.focus();
  fire("htmx:beforeSwap");
  Object.assign(before, { isConnected: false });
  document.activeElement = body;
  page.controls = [link("/seek/b/"), link("/seek/a/", "live"), link("/seek/a/")];
  fire("htmx:afterSwap");
  assert.equal(document.activeElement, page.controls[2]);
});

test("of two links to the same page the one that had the focus gets it back", () => {
  page.controls = [link("/seek/a/"), link("/seek/a/")];
  const [, before] = page.controls;
  before.focus();
  fire("htmx:beforeSwap");
  Object.assign(before, { isConnected: false });
  document.activeElement = body;
  page.controls = [link("/seek/a/"), link("/seek/a/")];
  fire("htmx:afterSwap");
  assert.equal(document.activeElement, page.controls[1]);
});

test("a focus that the swap has moved stays where it is", () => {
  link("/seek/a/").focus();
  fire("htmx:beforeSwap");
  const other = link("/elsewhere/");
  other.focus();
  page.controls = [link("/seek/a/")];
  fire("htmx:afterSwap");
  assert.equal(document.activeElement, other);
});

/** Create a part with folds, open or not, and a wide table that was panned. */
function foldedPart(areOpen, scrollLeft = 0) {
  const folds = areOpen.map((open, at) => ({
    id: "", className: "tournament-rounds", open, querySelector: () => ({ textContent: `Round ${at + 1}` }),
  }));
  const region = { scrollLeft, scrollTop: 0, getAttribute: (name) => (name === "aria-labelledby" ? "bracket-title" : null) };
  return { folds, region, querySelectorAll: (selector) => (selector === "details" ? folds : [region]) };
}

/** Replace a part by the answer to a request of `by`. */
function replace(before, after, by) {
  const detail = { target: before, requestConfig: { elt: by } };
  fire("htmx:beforeSwap", detail);
  fire("htmx:afterSettle", detail, after);
  return [after.folds.map((fold) => fold.open), after.region.scrollLeft];
}

test("a part that fetches itself keeps its folds and how far its tables were panned", () => {
  const before = foldedPart([true, false], 120);
  assert.deepEqual(replace(before, foldedPart([false, true, true]), before), [[true, false, true], 120]);
});

test("the answer to a press is shown as it comes", () => {
  assert.deepEqual(replace(foldedPart([true], 120), foldedPart([false]), link("/seek/a/")), [[false], 0]);
});

test("a page that the browser puts in again is shown as it comes", () => {
  const before = foldedPart([true], 120);
  replace(before, foldedPart([true]), before);
  const again = foldedPart([false], 5);
  fire("htmx:afterSettle", {}, again); // no request and no target
  assert.deepEqual([again.folds[0].open, again.region.scrollLeft], [false, 5]);
});

/** Open a popover by a link, replace the link, and close the popover with the focus on `last`. */
function passThroughPopover(last, inside) {
  const popover = { contains: (element) => element === inside };
  const toggle = (newState) => {
    for (const act of document.handlers.get("beforetoggle")) act({ target: popover, newState });
  };
  const opener = link("/seek/a/");
  opener.focus();
  toggle("open");
  Object.assign(opener, { isConnected: false });
  page.controls = [link("/seek/b/"), link("/seek/a/")];
  document.activeElement = last;
  toggle("closed");
}

test("a closing popover gives its focus, or a lost one, to the successor of its opener", () => {
  const inside = link("", "agreement");
  for (const last of [inside, body]) {
    passThroughPopover(last, inside);
    assert.equal(document.activeElement, page.controls[1]);
  }
});

test("a focus outside of a closing popover stays where it is", () => {
  const other = link("/elsewhere/");
  passThroughPopover(other, link("", "agreement"));
  assert.equal(document.activeElement, other);
});

test("a refused press loads the page that says why", () => {
  page.left = [];
  const appended = [];
  const form = Object.assign(new HTMLFormElement(), pressed("form", { append: (field) => appended.push(field) }));
  const submitter = { name: "action", value: "accept" };
  fire("htmx:responseError", { elt: pressed("a", { href: "/seek/a/" }), requestConfig: {} });
  fire("htmx:responseError", { elt: form, requestConfig: { triggeringEvent: { submitter } } });
  assert.deepEqual(page.left, ["/seek/a/", form]);
  assert.deepEqual(appended.map(({ type, name, value }) => [type, name, value]), [["hidden", "action", "accept"]]);
});

test("without a connection, and at a table, a press is answered on the page", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [type, table] of [["htmx:sendError", null], ["htmx:responseError", {}]]) {
    Object.assign(page, { left: [], table });
    line.textContent = "";
    fire(type, { elt: pressed("a", { href: "/seek/a/" }), requestConfig: {} });
    assert.deepEqual([page.left, line.textContent, line.isShown], [[], "That did not work.", true]);
  }
});

test("a part that fetches itself fails silently", () => {
  line.textContent = "";
  page.left = [];
  fire("htmx:sendError", { elt: pressed("div"), requestConfig: {} });
  fire("htmx:responseError", { elt: pressed("div"), requestConfig: {} });
  assert.deepEqual([page.left, line.textContent], [[], ""]);
});

/** Press an element and let an answer come; return the details of the swap. */
function answerDuringPress(element, target, elt = target) {
  for (const act of document.handlers.get("pointerdown")) act({ target: element });
  const detail = { target, requestConfig: { elt }, shouldSwap: true };
  fire("htmx:beforeSwap", detail);
  return detail;
}

/** Create a part that holds one element and fetches itself from an address. */
function partAround(element, address) {
  return Object.assign(foldedPart([]), {
    id: "lists", isConnected: true, contains: (each) => each === element, getAttribute: () => address,
    matches: () => true, querySelector: () => null,
  });
}

async function release(type) {
  for (const act of document.handlers.get(type)) act({ target: body });
  await new Promise((done) => setTimeout(done));
}

/** Record the addresses that htmx fetches. */
function fetching() {
  const fetched = [];
  globalThis.htmx = { ajax: async (verb, address, { source }) => fetched.push([verb, address, source]) };
  return fetched;
}

test("a part that is pressed is not replaced, and fetches itself again after the release", async () => {
  const fetched = fetching();
  const button = {};
  const lists = partAround(button, "/lists/");
  for (const type of ["pointerup", "pointercancel", "contextmenu"]) {
    assert.ok(!answerDuringPress(button, lists).shouldSwap);
    assert.deepEqual(fetched, []);
    await release(type);
    assert.deepEqual(fetched.splice(0), [["get", "/lists/", lists]]);
    const detail = { target: lists, requestConfig: { elt: lists }, shouldSwap: true };
    fire("htmx:beforeSwap", detail);
    assert.ok(detail.shouldSwap);
  }
});

test("a pressed part that comes with the answer of another is kept too", async () => {
  const fetched = fetching();
  const button = {};
  const lists = partAround(null, "/lists/");
  assert.ok(answerDuringPress(button, lists).shouldSwap);
  const detail = { target: partAround(button), shouldSwap: true };
  fire("htmx:oobBeforeSwap", detail);
  assert.ok(!detail.shouldSwap);
  const successor = partAround(null, "/lists/");
  lists.isConnected = false;
  document.getElementById = () => successor;
  await release("pointerup");
  assert.deepEqual(fetched, [["get", "/lists/", successor]]);
});

test("a pressed part inside of what an answer replaces is kept too", async () => {
  const fetched = fetching();
  const button = {};
  const card = partAround(null, "/gifts/");
  assert.ok(!answerDuringPress(button, partAround(button), card).shouldSwap);
  await release("pointerup");
  assert.deepEqual(fetched, [["get", "/gifts/", card]]);
});

test("a part whose press has sent a request is not fetched: the answer brings it up to date", async () => {
  const fetched = fetching();
  const button = {};
  const lists = Object.assign(partAround(button, "/lists/"), { querySelector: () => button });
  assert.ok(!answerDuringPress(button, lists).shouldSwap);
  await release("pointerup");
  assert.deepEqual(fetched, []);
});

test("the answer to an earlier press replaces the part that is pressed now", async () => {
  const button = {};
  assert.ok(answerDuringPress(button, partAround(button, "/lists/"), link("/seek/a/")).shouldSwap);
  await release("pointerup");
});
