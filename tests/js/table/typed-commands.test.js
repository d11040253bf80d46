// Typed commands at a table that allows some of them.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (context, text) => text;

const { runTypedCommand } = await import("../../../static/js/table/typed-commands.js");

/** Type a command where the table allows `may`; return the answer and the sent verbs. */
function typed(name, may) {
  const sent = [];
  const table = { wake() {}, mayNow: () => may, command: (verb) => sent.push(verb) };
  return { answer: runTypedCommand(table, { name }), sent };
}

test("accept and take both answer the cube and a resignation", () => {
  for (const name of ["accept", "take"]) {
    assert.deepEqual(typed(name, { take: true, drop: true }), { answer: "Sent.", sent: ["take"] });
    assert.deepEqual(typed(name, { accept: true, refuse: true }), { answer: "Sent.", sent: ["accept"] });
  }
});

const BUSY = "That is not possible right now.";

test("after the turn was sent nothing is claimed to be undone, played or sent again", () => {
  const acts = [];
  const turn = { isActive: true, isComplete: true, canUndo: true, moves: [], text: "6/5", playTyped: () => acts.push("play") };
  const table = { wake() {}, turn, isBusy: true, coach: null, done: () => acts.push("done"), undo: () => acts.push("undo") };
  assert.equal(runTypedCommand(table, { name: "undo" }), BUSY);
  assert.equal(runTypedCommand(table, { name: "play", written: [] }), BUSY);
  assert.equal(runTypedCommand(table, { name: "done" }), "Your turn is over.");
  assert.deepEqual(acts, []);
  assert.equal(runTypedCommand({ ...table, isBusy: false }, { name: "done" }), "Sent.");
  assert.deepEqual(acts, ["done"]);
});

test("done does not send a play of which the coach has warned", () => {
  const turn = { isActive: true, isComplete: true };
  const table = { wake() {}, turn, isBusy: false, coach: { isWarning: true }, done: () => assert.fail("sent") };
  assert.match(runTypedCommand(table, { name: "done" }), /“anyway”/);
});

test("drop and refuse run no other command", () => {
  for (const name of ["drop", "refuse"]) {
    const may = { take: true, accept: true, resume: true };
    assert.deepEqual(typed(name, may), { answer: "That is not possible right now.", sent: [] });
  }
});

test("the roll is named as the player's own also in a window without the seat", () => {
  globalThis.interpolate = (text) => text;
  const dice = (turn) => {
    const model = { you: { side: "black", holder: false }, view: { turn, to_act: turn, dice: [3, 1] } };
    return runTypedCommand({ wake() {}, model, turn: { isActive: false } }, { name: "dice" });
  };
  assert.match(dice("black"), /^You rolled/);
  assert.match(dice("white"), /^Your opponent rolled/);
});
