import assert from "node:assert/strict";
import test from "node:test";

import { diceOf, restingTurn } from "../../../static/js/board/dice-layer.js";
import { throwDie, throwFrames } from "../../../static/js/board/motion.js";

const view = (value, isUsed = false) => ({ value, isUsed, side: "white" });

test("two different dice stay as they are", () => {
  const views = [view(6), view(3, true)];
  assert.equal(diceOf(views), views);
});

test("a doublet is two dice that show how many of its four moves are left", () => {
  const left = (used) => diceOf([0, 1, 2, 3].map((at) => view(4, at < used))).map((die) => die.left);
  assert.deepEqual([0, 1, 2, 3, 4].map(left), [[2, 2], [1, 2], [0, 2], [0, 1], [0, 0]]);
});

test("a die of a doublet is used when both of its moves are", () => {
  const dice = diceOf([view(4, true), view(4, true), view(4, true), view(4)]);
  assert.deepEqual(dice.map((die) => die.isUsed), [true, false]);
});

test("dice rest a little turned, by angles that differ between dice and never change", () => {
  const all = () => [1, 2, 3, 4, 5, 6].flatMap((value) => [0, 1].map((index) => restingTurn(value, index)));
  const turns = all();
  assert.deepEqual(all(), turns);
  for (const turn of turns) assert.ok(Math.abs(turn) <= 6);
  assert.ok(new Set(turns).size > 3);
});

test("a throw comes from the player's edge, bounces twice and ends at rest in its place", () => {
  for (const isOwn of [true, false]) {
    for (const isMirrored of [true, false]) {
      const [one, other] = [0, 1].map((index) => throwFrames({ index, isOwn, isMirrored }));
      for (const frames of [one, other]) {
        assert.ok(Math.sign(frames[0].y) === (isOwn ? 1 : -1));
        const { x, y, height, turn } = frames.at(-1);
        assert.deepEqual([x, y, height, turn].map((value) => Math.abs(Math.round(value * 1e6))), [0, 0, 0, 0]);
        const landings = frames.filter((frame, at) => at > 0 && frame.height === 0 && frames[at - 1].height > 0);
        assert.equal(landings.length, 3); // the first landing and two bounces
        assert.ok(frames.every((frame, at) => at === 0 || frame.at > frames[at - 1].at));
      }
      assert.notDeepEqual(one, other);
    }
  }
});

test("a thrown die shows other faces until its second landing, then its own value", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const animated = { style: {}, animate() {} };
  for (const value of [1, 2, 3, 4, 5, 6]) {
    for (const index of [0, 1]) {
      const shown = [];
      const which = { value, index, isOwn: true, isMirrored: false };
      throwDie({ querySelector: () => animated }, which, 1000, (_, face) => shown.push(face));
      t.mock.timers.tick(700);
      assert.equal(new Set(shown).size, 3);
      assert.ok(!shown.includes(value));
      t.mock.timers.tick(50); // the second landing is at 730 ms
      assert.equal(shown.at(-1), value);
    }
  }
});
