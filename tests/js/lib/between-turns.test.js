// A reminder must not interrupt a turn: it is shown between two turns.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BetweenTurns } from "../../../static/js/lib/between-turns.js";

/** Return the moments at which a reminder is shown; an update is [isMine, now in ms]. */
function timesShown(...updates) {
  const times = [];
  let now = 0;
  const betweenTurns = new BetweenTurns(() => times.push(now));
  for (const [isMine, at] of updates) {
    now = at;
    betweenTurns.update(isMine, at);
  }
  return times;
}

test("nothing is shown while the player has to act", () => {
  assert.deepEqual(timesShown([true, 0], [true, 500_000]), []);
});

test("a reminder is shown once the turn is over, and again after a minute at the earliest", () => {
  assert.deepEqual(timesShown([true, 1], [false, 2], [false, 60_001], [true, 60_002], [false, 60_003]), [2, 60_003]);
});
