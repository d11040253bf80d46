import assert from "node:assert/strict";
import test from "node:test";

import { NamedTimers } from "../../../static/js/lib/named-timers.js";

/** Create timers whose pending actions the test runs. */
function setUp() {
  const pending = new Map();
  let last = 0;
  const fake = {
    set: (action) => {
      last += 1;
      pending.set(last, action);
      return last;
    },
    clear: (id) => pending.delete(id),
  };
  const run = () => {
    const due = [...pending.values()];
    pending.clear();
    for (const action of due) action();
  };
  return { timers: new NamedTimers(fake), pending, run };
}

test("a new timer replaces the running one of its name only", () => {
  const { timers, run } = setUp();
  const calls = [];
  timers.set("ping", 100, () => calls.push("old"));
  timers.set("stale", 100, () => calls.push("stale"));
  timers.set("ping", 100, () => calls.push("new"));
  run();
  assert.deepEqual(calls.sort(), ["new", "stale"]);
});

test("a canceled timer never runs, and canceling an unknown name is harmless", () => {
  const { timers, pending } = setUp();
  timers.set("ping", 100, () => assert.fail());
  timers.cancel("ping");
  timers.cancel("ping");
  timers.cancel("unknown");
  assert.equal(pending.size, 0);
});

test("cancelAll clears every timer", () => {
  const { timers, pending } = setUp();
  for (const name of ["ping", "stale"]) timers.set(name, 100, () => assert.fail());
  timers.cancelAll();
  assert.equal(pending.size, 0);
});

test("an action can set its own name again", () => {
  const { timers, pending, run } = setUp();
  timers.set("ping", 100, () => timers.set("ping", 100, () => {}));
  run();
  assert.equal(pending.size, 1);
  timers.cancel("ping");
  assert.equal(pending.size, 0);
});
