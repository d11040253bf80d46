// The questions before leaving a table and giving up its match; the factors of a resignation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

globalThis.gettext = (text) => text;

const { MoreDialog, factorsToOffer, factorsToShow } = await import("../../../static/js/table/more-dialog.js");
const questions = await import("../../../static/js/text/questions.js");
const { giveUpQuestion, leaveQuestion } = questions;

const table = ({ losesMatch = false, losesStake = false, isBeforeRoll = false, isOver = false } = {}) => ({
  losesMatch: () => losesMatch, losesStake: () => losesStake, isBeforeRoll: () => isBeforeRoll, isOver: () => isOver,
});
const STAKED = { losesMatch: true, losesStake: true };

test("a match against the computer waits under Training", () => {
  assert.match(leaveQuestion(table()), /The match waits for you: you can find it under Training/);
});

test("a match between people goes on in the window that plays it", () => {
  assert.match(leaveQuestion(table(STAKED)), /The match goes on in your other window\.$/);
});

test("after the match leaving asks nothing", () => {
  assert.equal(leaveQuestion(table({ ...STAKED, isOver: true })), "");
  assert.equal(leaveQuestion(table({ isOver: true })), "");
});

test("giving up says that the opponent wins, and what becomes of the stake", () => {
  assert.match(giveUpQuestion(table({ losesMatch: true })), /Your opponent wins it\.$/);
  assert.match(giveUpQuestion(table(STAKED)), /Your opponent wins it, and you lose your stake\.$/);
  assert.match(giveUpQuestion(table({ ...STAKED, isBeforeRoll: true })), /called off, both stakes are returned/);
  assert.match(giveUpQuestion(table({ losesMatch: true, isBeforeRoll: true })), /so it is called off\.$/);
});

/**
 * Open the dialog at a table. `question` returns the question that it asks, `sent` has the
 * commands, `settled` the question at each call of `settle`.
 */
function opened(t, facts) {
  const parts = {};
  const element = () => ({
    dataset: {}, hidden: false, textContent: "", addEventListener() {}, append() {}, focus() {}, close() {},
    querySelector: (selector) => (parts[selector] ??= element()),
  });
  globalThis.document = element();
  const queries = [];
  globalThis.matchMedia = (query) => {
    queries.push(query);
    return { matches: false, addEventListener() {} };
  };
  t.after(() => {
    delete globalThis.document;
    delete globalThis.matchMedia;
  });
  const sent = [];
  const settled = [];
  const question = () => parts['[data-part="text"]'].textContent;
  const acts = { command: (verb) => sent.push(verb), leave: () => sent.push("leave"), settle: () => settled.push(question()) };
  const dialog = new MoreDialog(element(), { ...facts, ...acts });
  dialog.questions = questions;
  return { dialog, sent, settled, queries, question };
}

test("the dialog has the details, with their tabs and the button of the chat, wherever there is no column", (t) => {
  const { queries: [wide] } = opened(t, table());
  assert.match(wide, /min-height: 521px/); // css/table/layout.css hides the column of a lower page
  for (const name of ["chat", "details", "strips"]) {
    const styles = readFileSync(new URL(`../../../static/css/table/${name}.css`, import.meta.url), "utf8");
    assert.ok(styles.includes(`@media ${wide} {`), name);
  }
});

test("a match that began after the question about its stake is given up only after another question", (t) => {
  let isBeforeRoll = true;
  const { dialog, sent, question } = opened(t, { ...table(STAKED), isBeforeRoll: () => isBeforeRoll });
  dialog.act("resign-match", { hidden: false });
  assert.match(question(), /both stakes are returned/);
  isBeforeRoll = false;
  dialog.act("confirm-yes");
  assert.deepEqual(sent, []);
  assert.match(question(), /you lose your stake\.$/);
  dialog.act("confirm-yes");
  assert.deepEqual(sent, ["resign_match"]);
});

test("the buttons ignore the second press of a double click whenever a question appears", (t) => {
  let isBeforeRoll = true;
  const { dialog, settled } = opened(t, { ...table(STAKED), isBeforeRoll: () => isBeforeRoll });
  dialog.act("resign-match", { hidden: false });
  assert.equal(settled.length, 1);
  isBeforeRoll = false;
  dialog.act("confirm-yes");
  assert.match(settled[1], /you lose your stake\.$/);
});

test("the question before a resignation has the price by the newest action, not that of the board", (t) => {
  globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
  globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
  let cube = 1;
  const { dialog, sent, question } = opened(t, { ...table(STAKED), cubeValue: () => cube });
  const button = { hidden: false, dataset: { factor: "2" }, textContent: "Mars (gammon): you lose 2 points" };
  dialog.act("resign", button);
  assert.match(question(), /you lose 2 points\./);
  cube = 2; // the board still shows the cube before
  dialog.act("confirm-yes");
  assert.deepEqual(sent, []);
  assert.match(question(), /you lose 4 points\./);
  dialog.act("confirm-yes");
  assert.deepEqual(sent, ["resign"]);
});

test("giving up may be repeated only as long as its question says the same", (t) => {
  let isBeforeRoll = true;
  const { dialog } = opened(t, { ...table(STAKED), isBeforeRoll: () => isBeforeRoll });
  assert.ok(!dialog.isStillAgreed());
  dialog.act("resign-match", { hidden: false });
  dialog.act("confirm-yes");
  assert.ok(dialog.isStillAgreed());
  isBeforeRoll = false;
  assert.ok(!dialog.isStillAgreed());
});

test("a window that has got the seat does not leave, which would lose the match", (t) => {
  const { dialog, sent } = opened(t, table(STAKED));
  const button = { hidden: false };
  dialog.act("leave", button);
  button.hidden = true;
  dialog.act("confirm-yes");
  assert.deepEqual(sent, []);
});

const viewOf = (length, blackScore = 0, cubeValue = 1) => ({
  length, score: { white: 0, black: blackScore }, cube: { value: cubeValue },
});

test("a resignation is offered up to the first factor that loses the match", () => {
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(1), "white"), [1]);
  assert.deepEqual(factorsToOffer([2, 3], viewOf(1), "white"), [2]);
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(7, 5), "white"), [1, 2]);
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(5, 1, 2), "white"), [1, 2]);
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(5, 4), "black"), [1, 2, 3]);
});

test("every factor is offered without a match length", () => {
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(null), "white"), [1, 2, 3]);
});

const LONG = { mars: true, koks: false, jacoby: false };
const viewWith = (cube, blackScore) => ({ ...viewOf(7, blackScore), cube });

test("resignations that are not possible now keep their places", () => {
  const view = viewWith({ value: 1, owner: null });
  assert.deepEqual(factorsToShow([], LONG, view, "white"), [1, 2]);
  assert.deepEqual(factorsToShow([2], LONG, view, "white"), [1, 2]);
  assert.deepEqual(factorsToShow([1, 2, 3], { ...LONG, koks: true }, view, "white"), [1, 2, 3]);
  assert.deepEqual(factorsToShow([], { ...LONG, mars: false }, view, "white"), [1]);
});

test("the places of resignations follow the cube and the score", () => {
  const rules = { mars: true, koks: true, jacoby: true };
  assert.deepEqual(factorsToShow([], rules, viewWith({ value: 1, owner: null }), "white"), [1]);
  assert.deepEqual(factorsToShow([], rules, viewWith({ value: 2, owner: "black" }), "white"), [1, 2, 3]);
  assert.deepEqual(factorsToShow([], rules, viewWith({ value: 2, owner: "black" }, 4), "white"), [1, 2]);
});

test("a legal resignation is shown even if a lower, illegal one would lose the match", () => {
  const view = viewWith({ value: 1, owner: null }, 6);
  assert.deepEqual(factorsToShow([2], LONG, view, "white"), [1, 2]);
});
