import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (context, text) => text;

const { Scenes } = await import("../../../static/js/play/scenes.js");

/** Return the dice on White's board after a state frame. */
function diceShown(view) {
  const shown = [];
  const board = { clearTrace() {}, setPosition() {}, setCube() {}, setDice: (dice) => shown.push(dice) };
  const whole = { white: [], black: [], cube: { value: 1, owner: null, offered: false }, ...view };
  new Scenes({ board, side: () => "white" }).snapshot(whole);
  return shown.at(-1);
}

test("the dice of a match that ends after a roll keep their side's color", () => {
  for (const phase of ["to_play", "finished"]) {
    assert.deepEqual(diceShown({ phase, turn: "white", dice: [2, 5] }),
      { own: [{ value: 5, color: "white", isUsed: false }, { value: 2, color: "white", isUsed: false }] }, phase);
  }
});

test("without a side on turn no dice are shown", () => {
  assert.deepEqual(diceShown({ phase: "finished", turn: null, dice: [2, 5] }), { enemy: [] });
  assert.deepEqual(diceShown({ phase: "to_roll", turn: "black", dice: null }), { enemy: [] });
});
