// The table's reactions to frames of the server, with the real sender of the dice's entropy.

import assert from "node:assert/strict";
import test from "node:test";

import { EntropySender } from "../../../static/js/dice/entropy.js";
import { Frames } from "../../../static/js/table/frames.js";
import { Leaving } from "../../../static/js/table/leaving.js";

/** Create a table in the seating phase at action `seq`; `receive` gives it a frame. */
function table(t, seq) {
  const form = { hidden: true, addEventListener() {} };
  globalThis.document = { querySelector: () => form };
  t.after(() => delete globalThis.document);
  const sent = [];
  const command = (verb) => `id-${sent.push(verb)}`;
  const fake = {
    model: {
      seq, view: { phase: "seating" }, log: [], you: { side: "white", holder: true },
      seating: { white: { hash: true, entropy: false }, black: { hash: true, entropy: false } },
    },
    time: { learn() {} },
    boot: { urls: { after: "/" } },
    socket: { command, pending: new Set() },
    render() {},
  };
  fake.leaving = new Leaving(fake);
  fake.entropy = new EntropySender({ id: "match", store: null, isAsking: false, model: () => fake.model, now: () => 0, command });
  return { fake, sent, receive: (frame) => new Frames(fake).receive(frame, { roundTrip: null }) };
}

test("entropy refused as stale is sent again when the page already has the other player's action", async (t) => {
  const { fake, sent, receive } = table(t, 3);
  fake.entropy.start();
  while (!sent.length) await new Promise(setImmediate); // the hash is computed in the background
  assert.deepEqual(sent, ["entropy"]);
  fake.model.seq = 4; // the other player's action came before the refusal
  receive({ t: "error", id: "id-1", code: "stale", command: "entropy" });
  receive({ t: "current", seq: 4, now: 0 });
  assert.deepEqual(sent, ["entropy", "entropy"]);
  receive({ t: "current", seq: 4, now: 0 });
  assert.equal(sent.length, 2);
});

test("leaving refused as stale is sent again when the page already has the opponent's action", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { fake, sent, receive } = table(t, 7);
  fake.leaving.start();
  receive({ t: "error", id: "id-1", code: "stale", command: "leave" });
  receive({ t: "current", seq: 7, now: 0 });
  assert.deepEqual(sent, ["leave", "leave"]);
});
