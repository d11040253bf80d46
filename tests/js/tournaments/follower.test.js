// The page "Watch the round" leaves a table when its match is over, unless the viewer stays.

import assert from "node:assert/strict";
import test from "node:test";
import { Follower } from "../../../static/js/tournaments/follower.js";

function follower(t, phase) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const table = { dataset: { phase } };
  const calls = [];
  const made = new Follower(table, { over: () => calls.push("over"), follow: () => calls.push("follow") });
  return { table, calls, made };
}

test("a table in play is not left", (t) => {
  const { calls, made } = follower(t, "to_roll");
  made.check();
  t.mock.timers.tick(60_000);
  assert.deepEqual(calls, []);
});

test("a table that is over is left once, after fifteen seconds", (t) => {
  const { table, calls, made } = follower(t, "to_play");
  made.check();
  table.dataset.phase = "finished";
  made.check();
  made.check();
  t.mock.timers.tick(14_999);
  assert.deepEqual(calls, ["over"]);
  t.mock.timers.tick(1);
  made.check();
  assert.deepEqual(calls, ["over", "follow"]);
});

test("a viewer who looks at the result stays", (t) => {
  const { calls, made } = follower(t, "finished");
  made.check();
  made.stay();
  made.check();
  t.mock.timers.tick(60_000);
  assert.deepEqual(calls, ["over"]);
});

test("a press before the end does not count", (t) => {
  const { table, calls, made } = follower(t, "to_play");
  made.stay();
  table.dataset.phase = "finished";
  made.check();
  t.mock.timers.tick(15_000);
  assert.deepEqual(calls, ["over", "follow"]);
});
