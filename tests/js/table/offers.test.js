// The panels that ask for an answer, which may appear under a finger.

import assert from "node:assert/strict";
import test from "node:test";

import { drawNext, drawOffers, drawResult, foldResult } from "../../../static/js/table/offers.js";

/** Return fake panels by name, on a page that has no other elements. */
function panels() {
  const made = new Map();
  const panel = () => ({
    hidden: true, dataset: {}, contains: () => false, focus() {},
    querySelector: () => ({ setAttribute() {} }),
  });
  globalThis.document = {
    activeElement: null,
    querySelector: (selector) => {
      const [, name] = /"(.+)"/.exec(selector);
      return made.get(name) ?? made.set(name, panel()).get(name);
    },
  };
  return made;
}

const MODEL = { you: { side: "white" }, match: {} };

test("the buttons of a question ignore the pointer for a moment after it appears", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = panels();
  drawOffers({ ...MODEL, may: { double: true } }, {}, true);
  const asking = made.get("offer-double");
  assert.deepEqual([asking.hidden, asking.dataset.settling], [false, "true"]);
  t.mock.timers.tick(300);
  drawOffers({ ...MODEL, may: { double: true } }, {}, true);
  assert.equal(asking.dataset.settling, "true");
  t.mock.timers.tick(100);
  assert.equal(asking.dataset.settling, undefined);
});

for (const [hidden, checkVisibility, focused] of [["shown", () => true, 1], ["hidden", () => false, 0], ["unknown", undefined, 1]]) {
  test(`the focus returns from a question to a control that is not hidden: ${hidden}`, (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const made = panels();
    let times = 0;
    document.activeElement = { checkVisibility, focus: () => { times += 1; } };
    drawOffers({ ...MODEL, may: { double: true } }, {}, true);
    made.get("offer-double").contains = () => true;
    drawOffers({ ...MODEL, may: {} }, {}, false);
    assert.equal(times, focused);
  });
}

test("the result folds and unfolds at presses, and stays folded if it is to be folded", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = panels();
  foldResult();
  const card = made.get("result");
  assert.deepEqual([card.dataset.folded, card.dataset.settling], ["true", "true"]);
  foldResult(true);
  assert.equal(card.dataset.folded, "true");
  foldResult();
  assert.equal(card.dataset.folded, "false");
});

test("an offer leaves the focus where the player types", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.gettext = (text) => text;
  globalThis.ngettext = (text) => text;
  globalThis.interpolate = (text) => text;
  const focused = (isTyping) => {
    const made = panels();
    let times = 0;
    document.activeElement = { matches: () => isTyping };
    document.querySelector('[data-part="offer-resign"]');
    made.get("offer-resign").focus = () => { times += 1; };
    drawOffers({ you: { side: "white", holder: true }, match: {}, may: { accept: true } }, { offer: { factor: 1 }, cube: { value: 1 } }, false);
    assert.equal(made.get("offer-resign").hidden, false);
    return times;
  };
  assert.equal(focused(false), 1);
  assert.equal(focused(true), 0);
});

test("the result of a game leaves the focus where the player types", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.gettext = (text) => text;
  globalThis.ngettext = (text) => text;
  globalThis.interpolate = (text) => text;
  const view = { phase: "between_games", score: { white: 0, black: 1 }, result: { winner: "black", points: 1, kind: "single", cause: "bear_off" }, cube: {} };
  const model = { you: { side: "white", holder: true }, match: { seats: {}, stake: null }, may: {}, log: [] };
  const focused = (isTyping) => {
    const made = panels();
    let times = 0;
    document.activeElement = { matches: () => isTyping };
    document.querySelector('[data-part="result"]');
    const parts = new Map();
    const element = () => ({ hidden: true, dataset: {}, textContent: "", setAttribute() {} });
    Object.assign(made.get("result"), {
      focus: () => { times += 1; },
      querySelector: (selector) => parts.get(selector) ?? parts.set(selector, element()).get(selector),
    });
    drawResult(model, view);
    assert.equal(made.get("result").hidden, false);
    return times;
  };
  assert.equal(focused(false), 1);
  assert.equal(focused(true), 0);
});

test("the next game is asked for once: a second press waits for the answer", () => {
  globalThis.gettext = (text) => text;
  const made = panels();
  const button = {};
  document.querySelector('[data-part="result"]');
  made.get("result").querySelector = () => button;
  const model = { ...MODEL, may: { next: true }, view: { phase: "between_games", ready: [] }, log: [] };
  drawNext(model, 0, false);
  assert.equal(button.disabled, false);
  drawNext(model, 0, true);
  assert.equal(button.disabled, true);
});
