// The tip of the first turn is shown once, and never over something more important.

import assert from "node:assert/strict";
import test from "node:test";

import { FirstTurnTip } from "../../../static/js/play/tip.js";

function store() {
  const map = new Map();
  return { getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value) };
}

const turn = (changes = {}) => ({
  isActive: true, canUndo: false, deadDice: [], side: "white", position: { white: Array(26).fill(0) }, ...changes,
});

test("the tip disappears with the first move and is never shown again", () => {
  const device = store();
  const element = { hidden: true };
  const tip = new FirstTurnTip(element, device);
  tip.draw(turn({ isActive: false }), true);
  assert.equal(element.hidden, true);
  tip.draw(turn(), true);
  assert.equal(element.hidden, false);
  tip.draw(turn({ canUndo: true }), true);
  assert.equal(element.hidden, true);
  tip.draw(turn(), true);
  assert.equal(element.hidden, true);
  const later = { hidden: true };
  new FirstTurnTip(later, device).draw(turn(), true);
  assert.equal(later.hidden, true);
});

test("the tip waits while a tap only selects a checker, a checker is on the bar, a die is dead or the play is forced", () => {
  const element = { hidden: true };
  const tip = new FirstTurnTip(element, null);
  const onBar = { white: [...Array(25).fill(0), 1] };
  for (const [now, playsByTap] of [[turn(), false], [turn({ position: onBar }), true], [turn({ deadDice: [6] }), true],
    [turn({ forced: [{ source: 24, target: 20 }] }), true]]) {
    tip.draw(now, playsByTap);
    assert.equal(element.hidden, true);
  }
  tip.draw(turn(), true);
  assert.equal(element.hidden, false);
});

test("the tip makes room for an event that comes after it; one that came before does not prevent it", () => {
  const element = { hidden: true };
  const device = store();
  const tip = new FirstTurnTip(element, device);
  tip.close();
  new FirstTurnTip(element, device).draw(turn(), true);
  assert.equal(element.hidden, false);
  tip.draw(turn(), true);
  assert.equal(element.hidden, false);
  tip.close();
  assert.equal(element.hidden, true);
  tip.draw(turn(), true);
  assert.equal(element.hidden, true);
});
