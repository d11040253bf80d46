// The panels that ask for an answer, which may appear under a finger.

import assert from "node:assert/strict";
import test from "node:test";

import { drawOffers, foldResult } from "../../../static/js/table/offers.js";

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
