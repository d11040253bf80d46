// The page "Watch the round" leaves a table when its match is over, unless the viewer stays.

import assert from "node:assert/strict";
import test from "node:test";
import { Follower } from "../../../static/js/tournaments/follower.js";

function setUp(t, phase) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const table = { dataset: { phase } };
  const calls = [];
  const follower = new Follower(table, { over: () => calls.push("over"), follow: () => calls.push("follow") });
  return { table, calls, follower };
}

test("a table in play is not left", (t) => {
  const { calls, follower } = setUp(t, "to_roll");
  follower.check();
  t.mock.timers.tick(60_000);
  assert.deepEqual(calls, []);
});

test("a table that is over is left once, after fifteen seconds", (t) => {
  const { table, calls, follower } = setUp(t, "to_play");
  follower.check();
  table.dataset.phase = "finished";
  follower.check();
  follower.check();
  t.mock.timers.tick(14_999);
  assert.deepEqual(calls, ["over"]);
  t.mock.timers.tick(1);
  follower.check();
  assert.deepEqual(calls, ["over", "follow"]);
});

test("a viewer who looks at the result stays", (t) => {
  const { calls, follower } = setUp(t, "finished");
  follower.check();
  assert.equal(follower.stay(), true);
  follower.check();
  t.mock.timers.tick(60_000);
  assert.deepEqual(calls, ["over"]);
});

test("a press before the end does not count", (t) => {
  const { table, calls, follower } = setUp(t, "to_play");
  assert.equal(follower.stay(), false);
  table.dataset.phase = "finished";
  follower.check();
  t.mock.timers.tick(15_000);
  assert.deepEqual(calls, ["over", "follow"]);
});
