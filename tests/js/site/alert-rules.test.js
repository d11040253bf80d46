// Alerts for a member on any page: once for each match and challenge; a member at a table stays there.

import assert from "node:assert/strict";
import test from "node:test";

import { AlertRules } from "../../../static/js/site/alert-rules.js";

const BEGINS = { id: "m1", text: "the game begins", address: "/match/m1/" };
const CHALLENGE = { id: "s1", text: "anna challenges you" };

function onPage({ isAtTable = false, here = "" } = {}) {
  const done = [];
  const caller = new AlertRules({
    ring: () => done.push("ring"),
    title: (text) => done.push(text),
    open: (address) => done.push(address),
    isAtTable: () => isAtTable,
    isHere: (match) => match === here,
  });
  return { caller, done };
}

test("a starting match rings, changes the title and opens its table, once", () => {
  const { caller, done } = onPage();
  caller.hear(BEGINS, []);
  caller.hear(BEGINS, []);
  assert.deepEqual(done, ["ring", "the game begins", "/match/m1/"]);
});

test("at another table a starting match rings but does not leave the page", () => {
  const { caller, done } = onPage({ isAtTable: true });
  caller.hear(BEGINS, []);
  assert.deepEqual(done, ["ring", "the game begins"]);
});

test("at its own table a match does not alert", () => {
  const { caller, done } = onPage({ isAtTable: true, here: "m1" });
  caller.hear(BEGINS, []);
  assert.deepEqual(done, []);
});

test("a challenge alerts once, and not if it was there when the page was opened", () => {
  const { caller, done } = onPage();
  caller.know([CHALLENGE]);
  caller.hear(null, [CHALLENGE]);
  assert.deepEqual(done, []);
  caller.hear(null, [CHALLENGE, { id: "s2", text: "boris challenges you" }]);
  caller.hear(null, []);
  assert.deepEqual(done, ["ring", "boris challenges you"]);
});
