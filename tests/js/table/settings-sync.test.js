// A member's changes at the table are sent to their account: few messages, none lost, and no error
// interrupts play.

import assert from "node:assert/strict";
import test from "node:test";

import { SettingsSync, accountApi } from "../../../static/js/table/settings-sync.js";
import { Settings, withDefaults } from "../../../static/js/play/settings.js";

/** Create a sync with scripted answers and manual timers. */
function setUp({ unsent = {} } = {}) {
  const content = JSON.stringify({ of: "anna", unsent });
  const device = { getItem: () => content, setItem: () => {} };
  const settings = new Settings(device, { member: "anna", choices: withDefaults({}) });
  const world = { settings, sent: [], outcomes: [], choices: [], waiting: [] };
  const api = {
    send: async (changes) => {
      world.sent.push(changes);
      const outcome = world.outcomes.shift() ?? "saved";
      return outcome instanceof Promise ? outcome : Promise.resolve(outcome);
    },
    fetch: () => world.choices.shift(),
  };
  const timers = {
    set: (act) => world.waiting.push(act),
    clear: (timer) => { if (timer) world.waiting[timer - 1] = null; },
  };
  world.runTimers = async () => {
    const due = world.waiting.filter(Boolean);
    world.waiting = [];
    for (const act of due) await act();
  };
  world.account = new SettingsSync(settings, api, timers);
  return world;
}

test("several changes in a row are one message with only the changes", async () => {
  const { settings, sent, runTimers } = setUp();
  settings.set("board", "night");
  settings.set("board", "sand");
  settings.set("pips", false);
  assert.deepEqual(sent, []);
  await runTimers();
  assert.deepEqual(sent, [{ board: "sand", pips: false }]);
  assert.deepEqual(settings.unsent, {});
  await runTimers();
  assert.equal(sent.length, 1);
});

test("changes left by an earlier visit are sent at once", () => {
  const { sent } = setUp({ unsent: { tap: "select" } });
  assert.deepEqual(sent, [{ tap: "select" }]);
});

test("a failed message is retried once, then with the next change", async () => {
  const world = setUp();
  world.outcomes = ["failed", "failed", "saved"];
  world.settings.set("tap", "select");
  await world.runTimers();
  await world.runTimers();
  await world.runTimers();
  assert.equal(world.sent.length, 2);
  assert.equal(world.settings.get("tap"), "select");
  world.settings.set("pips", false);
  await world.runTimers();
  assert.deepEqual(world.sent[2], { tap: "select", pips: false });
  assert.deepEqual(world.settings.unsent, {});
});

test("a refused change is not sent again", async () => {
  const world = setUp();
  world.outcomes = ["refused"];
  world.settings.set("tap", "select");
  await world.runTimers();
  await world.runTimers();
  assert.equal(world.sent.length, 1);
  assert.deepEqual(world.settings.unsent, {});
});

test("after a refusal the table shows what the account has", async () => {
  const world = setUp();
  world.outcomes = ["refused"];
  world.choices = [withDefaults({ board: "sand" })];
  world.settings.set("board", "pearl"); // refunded meanwhile
  await world.runTimers();
  await Promise.resolve();
  assert.equal(world.settings.get("board"), "sand");
});

test("a change made while a message is being sent goes with the next one", async () => {
  const world = setUp();
  let answer = null;
  world.outcomes = [new Promise((resolve) => { answer = resolve; })];
  world.settings.set("board", "night");
  const sending = world.runTimers();
  world.settings.set("board", "sand");
  await world.account.send(); // as when the page is left: one message at a time
  answer("saved");
  await sending;
  await world.runTimers();
  assert.deepEqual(world.sent, [{ board: "night" }, { board: "sand" }]);
  assert.deepEqual(world.settings.unsent, {});
});

test("choices made elsewhere arrive and are not sent back", async () => {
  const world = setUp();
  world.choices = [withDefaults({ board: "night" })];
  await world.account.refresh();
  await world.runTimers();
  assert.equal(world.settings.get("board"), "night");
  assert.deepEqual(world.sent, []);
});

test("an answer to an older request is ignored", async () => {
  const world = setUp();
  let late = null;
  world.choices = [new Promise((resolve) => { late = resolve; }), withDefaults({ board: "sand" })];
  const first = world.account.refresh();
  await world.account.refresh();
  late(withDefaults({ board: "night" }));
  await first;
  assert.equal(world.settings.get("board"), "sand");
});

test("the API distinguishes a refusal from a failure and never throws", async () => {
  const api = accountApi("/profile/table/", "token");
  const answers = [{ ok: true, status: 204 }, { ok: false, status: 400 }, { ok: false, status: 503 }, { ok: false, status: 429 }, null];
  globalThis.fetch = async (url, options) => {
    assert.equal(options.headers["X-CSRFToken"], "token");
    const answer = answers.shift();
    if (!answer) throw new TypeError("no connection");
    return answer;
  };
  const outcomes = [];
  while (answers.length) outcomes.push(await api.send({ tap: "select" }));
  assert.deepEqual(outcomes, ["saved", "refused", "failed", "failed", "failed"]);
  globalThis.fetch = async () => { throw new TypeError("no connection"); };
  assert.equal(await api.fetch(), null);
});
