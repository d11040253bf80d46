// The coach's sentences for the server's codes and numbers.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (context, text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));

const advice = await import("../../../static/js/text/coach-sentences.js");

const PLAY = {
  kind: "play", plies: 1, reason: "hits",
  plays: [
    { play: "8/5 6/5", equity: 0.17, loss: 0, chances: [0.546, 0.118, 0.006, 0.089, 0.005] },
    { play: "24/20", equity: 0.1, loss: 0.0721, chances: [0.5, 0.1, 0, 0.1, 0] },
  ],
};
const CUBE = {
  kind: "cube", plies: 2, reason: null, chances: [0.8, 0.2, 0, 0.1, 0],
  actions: [{ action: "double", equity: 0.9, loss: 0 }, { action: "roll", equity: 0.7, loss: 0.2 }],
};

test("a spoken hint has the best choice, its reason and the others' losses", () => {
  assert.equal(advice.spokenHint(PLAY, "It hits.", "en"),
    "The coach would play 8/5 6/5. It hits. Other choices: 24/20 (−0.072).");
  assert.equal(advice.spokenHint(CUBE, "", "ru"),
    "The coach would offer the cube. Other choices: Roll (−0,200).");
});

test("repeated moves are joined", () => {
  assert.equal(advice.choiceName("play", "13/9 24/20* 13/9 24/20*"), "13/9(2) 24/20*(2)");
});

test("chances are those of the best play, or of the position before the cube", () => {
  assert.equal(advice.chancesText(advice.chancesOf(PLAY), "en"), "Chance to win: 55%, 12% with mars; to lose a mars: 9%.");
  assert.equal(advice.chancesText(advice.chancesOf(PLAY), "en", false), "Chance to win: 55%.");
  assert.deepEqual(advice.chancesOf(CUBE), CUBE.chances);
});

test("a loss too small to show counts as best", () => {
  assert.equal(advice.lossText(0.0004, "en"), "best");
  assert.equal(advice.lossText(0.0006, "en"), "−0.001");
});

test("every action has a sentence of advice and a name", () => {
  for (const action of ["double", "roll", "take", "drop", "beaver", "accept", "refuse"]) {
    assert.match(advice.adviceText("cube", action), /^The coach would .*\.$/, action);
    assert.notEqual(advice.choiceName("cube", action), action);
  }
});

test("if no other reason is known, a play is explained by how often it wins", () => {
  assert.equal(advice.winsText({ ...PLAY, reason: "wins_more" }, "en"), "It wins 55% of the games, the next choice 50%.");
  assert.equal(advice.winsText(PLAY, "en"), "", "another reason says more");
  const equal = PLAY.plays.map((each) => ({ ...each, chances: [0.5, 0, 0, 0, 0] }));
  assert.equal(advice.winsText({ ...PLAY, reason: "wins_more", plays: equal }, "en"), "");
});
