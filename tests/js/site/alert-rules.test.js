// Alerts for a member on any page: once for each match and challenge; a member at a table stays there.

import assert from "node:assert/strict";
import test from "node:test";

import { AlertRules } from "../../../static/js/site/alert-rules.js";

const BEGINS = { id: "m1", text: "the game begins", address: "/match/m1/" };
const CHALLENGE = { id: "s1", text: "anna challenges you" };

function onPage(page = {}) {
  const done = [];
  const alertRules = new AlertRules({
    ring: () => done.push("ring"),
    title: (text) => done.push(text),
    open: (address) => done.push(address),
    isAtTable: () => page.isAtTable ?? false,
    isHere: (match) => match === page.here,
  });
  return { alertRules, done };
}

test("a starting match rings, changes the title and opens its table, once", () => {
  const { alertRules, done } = onPage();
  alertRules.update(BEGINS, []);
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, ["ring", "the game begins", "/match/m1/"]);
});

test("at another table a starting match rings but does not leave the page", () => {
  const { alertRules, done } = onPage({ isAtTable: true });
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, ["ring", "the game begins"]);
});

test("the table opens when the match at the other one is over", () => {
  const page = { isAtTable: true };
  const { alertRules, done } = onPage(page);
  alertRules.update(BEGINS, []);
  page.isAtTable = false;
  alertRules.update(BEGINS, []);
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, ["ring", "the game begins", "/match/m1/"]);
});

test("at its own table a match does not alert", () => {
  const { alertRules, done } = onPage({ isAtTable: true, here: "m1" });
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, []);
});

test("a challenge alerts once, and not if it was there when the page was opened", () => {
  const { alertRules, done } = onPage();
  alertRules.know([], [CHALLENGE]);
  alertRules.update(null, [CHALLENGE]);
  assert.deepEqual(done, []);
  alertRules.update(null, [CHALLENGE, { id: "s2", text: "boris challenges you" }]);
  alertRules.update(null, []);
  assert.deepEqual(done, ["ring", "boris challenges you"]);
});

test("a match that began before the page was opened does not open its table", () => {
  const { alertRules, done } = onPage();
  alertRules.know([BEGINS], []);
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, []);
});

test("a match known from the first load opens its table when the match at this one is over", () => {
  const page = { isAtTable: true };
  const { alertRules, done } = onPage(page);
  alertRules.know([BEGINS], []);
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, []);
  page.isAtTable = false;
  alertRules.update(BEGINS, []);
  assert.deepEqual(done, ["/match/m1/"]);
});
