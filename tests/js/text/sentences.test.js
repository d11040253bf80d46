// Sentences at the table: dice that cannot be played, the bar, the prompt, the pip counts.

import assert from "node:assert/strict";
import test from "node:test";

import { ENEMY_TRAY, OFF } from "../../../static/js/board/geometry.js";

globalThis.gettext = (text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
const { deadDiceText, passed, pipDifference, placeName, prompt } = await import("../../../static/js/text/sentences.js");

const ON_MOVE = { isMine: true, isPlayer: true, may: {} };

test("a dead die is named; for a doublet, the number of possible moves", () => {
  assert.equal(deadDiceText([6, 1], []), "");
  assert.equal(deadDiceText([6, 1], [6]), "You rolled 6-1. No legal move with the 6.");
  assert.match(deadDiceText([5, 5], [5, 5, 5]), /^You rolled 5-5\. Only 1 move with the 5/);
  assert.match(deadDiceText([5, 5], [5]), /^You rolled 5-5\. Only 3 moves with the 5/);
});

test("a pass from the bar says that nothing enters", () => {
  assert.match(passed(true, [6, 6], true), /^You cannot enter from the bar with 6-6/);
  assert.match(passed(false, [6, 6], true), /^Your opponent cannot enter/);
  assert.match(passed(true, [6, 6]), /^You have no legal move/);
});

test("the prompt asks to enter while a checker is on the bar", () => {
  const view = { phase: "to_play", offer: null };
  assert.match(prompt(view, { ...ON_MOVE, onBar: 1 }), /enter your checker/);
  assert.match(prompt(view, { ...ON_MOVE, onBar: 2 }), /enter your 2 checkers/);
  assert.match(prompt(view, ON_MOVE), /move your checkers/);
});

test("the difference of the pip counts says who is ahead", () => {
  assert.deepEqual([-12, 1, 0].map(pipDifference), ["12 pips ahead", "1 pip behind", "level"]);
});

test("a spectator hears whose tray it is; a player, that it is theirs", () => {
  const spoken = (place, names) => placeName(place, { own: 0, enemy: 0 }, { color: "light", names });
  const names = { own: "Anna", enemy: "Boris" };
  assert.equal(spoken(OFF, names), "Tray of Anna, empty");
  assert.equal(spoken(ENEMY_TRAY, names), "Tray of Boris, empty");
  assert.equal(spoken(OFF, null), "Your tray, empty");
  assert.equal(spoken(ENEMY_TRAY, null), "Opponent’s tray, empty");
});
