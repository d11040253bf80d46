// A press on the dice: it rolls, swaps the dice before the first move, and ends a complete turn.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.interpolate = (text) => text;

const { parseGraph } = await import("../../../static/js/board/plays.js");
const { MiddleButtons } = await import("../../../static/js/play/middle.js");
const { Settings } = await import("../../../static/js/play/settings.js");
const { TurnInProgress } = await import("../../../static/js/play/turn.js");

/** Hex of a long-nardy position: one white checker on a point, all others off. */
const hex = (point) => `${"0".repeat(point - 1)}1${"0".repeat(48 - point)}ef`;

// White's 3-1 with a checker on 13: 13/10/9 or 13/12/9.
const GRAPH = {
  nodes: [hex(13), hex(10), hex(12), hex(9)],
  edges: [[[13, 10, 3, 0, 1], [13, 12, 1, 0, 2]], [[10, 9, 1, 0, 3]], [[12, 9, 3, 0, 3]], []], finals: [3],
};

/** Return the middle buttons, a turn that has not begun, and the names of the clicked buttons. */
function setUp() {
  const clicked = [];
  const made = (name) => [name, { hidden: true, dataset: {}, click: () => clicked.push(name) }];
  const buttons = Object.fromEntries(["roll", "done", "undo"].map(made));
  const root = { querySelector: (selector) => buttons[/"(.+)"/.exec(selector)[1]] };
  const turn = new TurnInProgress({
    board: { setPosition() {} }, settings: new Settings(null), ms: () => 0,
    onChange() {}, onMoved() {}, onRefused() {},
  });
  return { middle: new MiddleButtons(root, null, null), turn, clicked };
}

const show = (middle, ...names) => middle.draw({
  roll: names.includes("roll"), done: names.includes("done"), undo: names.includes("undo"), isEnding: false,
});

function move(turn, place) {
  turn.press(place);
  turn.tap(place, false, true);
}

test("a press on the dice rolls if the button for it is shown", () => {
  const { middle, turn, clicked } = setUp();
  show(middle);
  middle.pressDice(turn);
  assert.deepEqual(clicked, []);
  show(middle, "roll");
  middle.pressDice(turn);
  assert.deepEqual(clicked, ["roll"]);
});

test("before the first move a press on the dice swaps them", () => {
  const { middle, turn, clicked } = setUp();
  turn.begin(parseGraph(GRAPH), [1, 3], "white");
  assert.deepEqual(turn.dice.map((die) => die.value), [3, 1]);
  middle.pressDice(turn);
  assert.deepEqual(turn.dice.map((die) => die.value), [1, 3]);
  move(turn, 13);
  assert.equal(turn.text, "13/12");
  assert.deepEqual(clicked, []);
});

test("after a move a press on the dice swaps nothing, and ends the turn once it is complete", () => {
  const { middle, turn, clicked } = setUp();
  turn.begin(parseGraph(GRAPH), [1, 3], "white");
  move(turn, 13);
  show(middle, "undo");
  middle.pressDice(turn);
  assert.deepEqual(turn.dice.map((die) => die.value), [3, 1]);
  assert.deepEqual(clicked, []);
  move(turn, 10);
  show(middle, "undo", "done");
  middle.pressDice(turn);
  assert.deepEqual(clicked, ["done"]);
});
