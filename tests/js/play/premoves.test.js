// When the table offers to decide something in advance.

import assert from "node:assert/strict";
import test from "node:test";

import { isWorthOffering, mayDecide } from "../../../static/js/play/premoves.js";

const MODEL = {
  you: { side: "white", holder: true }, premove: { roll: false, cube: null },
  match: { seats: { white: { kind: "user" }, black: { kind: "user" } } },
  view: { phase: "to_play", to_act: "black", cube: { on: true }, crawford: false },
};

test("only the page that holds the seat decides, and only during a game", () => {
  assert.ok(mayDecide(MODEL));
  assert.ok(!mayDecide({ ...MODEL, you: { side: "white", holder: false } }));
  assert.ok(!mayDecide({ ...MODEL, premove: null }));
});

test("a premove is offered on a human opponent's turn if something can be decided", () => {
  const withView = (view) => ({ ...MODEL, view: { ...MODEL.view, ...view } });
  assert.ok(isWorthOffering(MODEL, false));
  assert.ok(!isWorthOffering(withView({ to_act: "white" }), false));
  assert.ok(!isWorthOffering(withView({ crawford: true }), false));
  assert.ok(isWorthOffering(withView({ crawford: true }), true));
  const bot = { ...MODEL, match: { seats: { ...MODEL.match.seats, black: { kind: "bot" } } } };
  assert.ok(!isWorthOffering(bot, true));
});
