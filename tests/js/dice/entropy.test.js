// The player's part in the dice: what the page sends, and when, with one device or two.

import assert from "node:assert/strict";
import test from "node:test";

import { EntropySender } from "../../../static/js/dice/entropy.js";
import { fromHex, sha256, toHex } from "../../../static/js/lib/sha256.js";

const MINE = "ab".repeat(16);
const hashOf = (hex) => sha256(fromHex(hex));
const nothing = () => ({ hash: false, entropy: false });
const hex = (text) => toHex(new TextEncoder().encode(text));

/**
 * Create the sender of White's page. `sent` has the commands in order; `log` adds an action to the
 * model, as a frame of the server does; `settled` waits until the hash was computed.
 */
function page(t, { isAsking = false, noStartMs = 30_000, now = 0, stored = MINE, black = nothing() } = {}) {
  const error = { textContent: "" };
  const form = {
    hidden: true, elements: { text: { value: "", focus() {} } }, dataset: { tooLong: "too long" },
    addEventListener: (_type, listen) => { form.submit = () => listen({ preventDefault() {} }); },
    querySelector: () => error,
  };
  globalThis.document = { querySelector: () => form };
  t.after(() => delete globalThis.document);
  const model = {
    seq: 1, view: { phase: "seating" }, log: [], you: { side: "white", holder: true }, seating: { white: nothing(), black },
  };
  const sent = [];
  const sender = new EntropySender({
    id: "match", isAsking, noStartMs, model: () => model, now: () => now,
    store: { getItem: () => stored, setItem() {} },
    command: (verb, fields) => `id-${sent.push([verb, fields.hash ?? fields.entropy])}`,
  });
  const log = (kind, side, value) => {
    model.seq += 1;
    model.log.push({ kind, side, [kind === "entropy" ? "hex" : "hash"]: value });
    model.seating[side][kind === "entropy" ? "entropy" : "hash"] = true;
    sender.advance();
  };
  const settled = async () => {
    while (!sender.hash) await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  return { sender, model, sent, form, error, log, settled, verbs: () => sent.map(([verb]) => verb) };
}

test("the entropy is sent only when the hashes of all people are in the log", async (t) => {
  const { sender, sent, log, settled, verbs } = page(t);
  sender.start();
  await settled();
  const hash = await hashOf(MINE);
  assert.deepEqual(sent, [["entropy_hash", hash]]);
  sender.answered("id-1", 2);
  sender.advance(); // the ack came before its event
  log("entropy_hash", "white", hash);
  assert.deepEqual(verbs(), ["entropy_hash"]);
  log("entropy_hash", "black", "00");
  assert.deepEqual(sent[1], ["entropy", MINE]);
  log("entropy", "black", "ff");
  assert.equal(sent.length, 2);
});

test("the entropy does not wait for a hash of a bot, which sends none", async (t) => {
  const { sender, log, settled, verbs } = page(t, { black: null });
  sender.start();
  await settled();
  sender.answered("id-1", 2);
  log("entropy_hash", "white", await hashOf(MINE));
  assert.deepEqual(verbs(), ["entropy_hash", "entropy"]);
});

test("a device that lost the seat sends the entropy of its hash", async (t) => {
  const { sender, model, log, settled, verbs } = page(t);
  sender.start();
  await settled();
  sender.answered("id-1", 2);
  log("entropy_hash", "white", await hashOf(MINE));
  model.you.holder = false;
  log("entropy_hash", "black", "00");
  assert.deepEqual(verbs(), ["entropy_hash", "entropy"]);
});

test("a device without the seat sends the stored entropy after a reload", async (t) => {
  const { sender, model, settled, verbs } = page(t, { black: { hash: true, entropy: false } });
  model.you.holder = false;
  model.seating.white.hash = true;
  sender.start();
  await settled();
  assert.deepEqual(verbs(), ["entropy"]);
});

test("a device without the seat and without a stored entropy sends nothing until it has the seat", async (t) => {
  const { sender, model, settled, verbs } = page(t, { stored: null });
  model.you.holder = false;
  sender.start();
  assert.equal(sender.hash, undefined);
  model.you.holder = true;
  sender.start();
  await settled();
  assert.deepEqual(verbs(), ["entropy_hash"]);
});

test("a hash refused because another device has the seat is sent again once the page has the seat back", async (t) => {
  const { sender, model, settled, verbs } = page(t);
  sender.start();
  await settled();
  sender.refused("id-1", "passive");
  model.you.holder = false;
  sender.advance();
  assert.deepEqual(verbs(), ["entropy_hash"]);
  model.you.holder = true; // "Play here": the state has the same seq
  sender.advance();
  assert.deepEqual(verbs(), ["entropy_hash", "entropy_hash"]);
});

test("entropy that failed on the server is sent again, although no other action comes", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { sender, log, settled, verbs } = page(t);
  sender.start();
  await settled();
  sender.answered("id-1", 2);
  log("entropy_hash", "white", await hashOf(MINE));
  log("entropy_hash", "black", "00");
  log("entropy", "black", "ff");
  sender.refused("id-2", "internal");
  sender.advance();
  assert.deepEqual(verbs().slice(1), ["entropy", "entropy"]);
  sender.refused("id-3", "internal");
  t.mock.timers.tick(1000);
  assert.deepEqual(verbs().slice(1), ["entropy", "entropy", "entropy"]);
});

test("another device's hash is replaced by the page that holds the seat", async (t) => {
  const { sender, model, sent, log, settled } = page(t);
  sender.start();
  await settled();
  sender.answered("id-1", 2);
  const hash = await hashOf(MINE);
  log("entropy_hash", "white", hash);
  model.you.holder = false;
  log("entropy_hash", "white", "11"); // the phone
  assert.equal(sent.length, 1);
  model.you.holder = true;
  sender.advance();
  assert.deepEqual(sent[1], ["entropy_hash", hash]);
});

test("the page waits where another device's hash is final", async (t) => {
  const { sender, model, log, settled, verbs } = page(t);
  model.seating.white.hash = true; // it was logged before this page joined
  sender.start();
  await settled();
  sender.refused("id-1", "stale"); // Black's hash came first
  log("entropy_hash", "black", "00");
  assert.deepEqual(verbs(), ["entropy_hash", "entropy"]);
  sender.refused("id-2", "unreadable");
  assert.deepEqual(verbs(), ["entropy_hash", "entropy", "entropy_hash"]);
  sender.refused("id-3", "wrong_phase");
  sender.advance();
  assert.equal(verbs().length, 3);
  log("entropy", "white", "cd"); // the other device is still open
  assert.equal(verbs().length, 3);
  assert.equal(sender.shown, "cd");
});

test("after a reload against a bot the page goes on where it was", async (t) => {
  const { sender, model, settled, verbs } = page(t, { black: null });
  model.seating.white.hash = true;
  sender.start();
  await settled();
  assert.deepEqual(verbs(), ["entropy"]);
});

test("another device's hash against a bot is replaced as soon as it is known to be another's", async (t) => {
  const { sender, model, log, settled, verbs } = page(t, { black: null });
  model.seating.white.hash = true;
  sender.start();
  await settled();
  sender.refused("id-1", "unreadable");
  assert.deepEqual(verbs(), ["entropy", "entropy_hash"]);
  sender.answered("id-2", 2);
  log("entropy_hash", "white", await hashOf(MINE));
  assert.deepEqual(verbs(), ["entropy", "entropy_hash", "entropy"]);
});

// --- the player's own phrase ------------------------------------------------------------------------

function asking(t, options = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const opened = page(t, { isAsking: true, stored: null, ...options });
  opened.sender.start();
  return opened;
}

test("the time to type ends before the match is void, by the match's clock", async (t) => {
  const { sender, form, settled } = asking(t, { now: 15_000 });
  assert.equal(form.hidden, false);
  form.elements.text.value = "привет";
  t.mock.timers.tick(9999);
  assert.equal(sender.entropy, undefined);
  t.mock.timers.tick(1);
  assert.equal(form.hidden, true);
  await settled();
  assert.equal(sender.entropy, hex("привет"));
});

test("if a match waits for its start without end, the time to type does not depend on its age", (t) => {
  const { sender, form } = asking(t, { now: 3_600_000, noStartMs: null });
  t.mock.timers.tick(24_999);
  assert.deepEqual([form.hidden, sender.entropy], [false, undefined]);
});

test("for a player who comes too late to type, random bytes are taken at once", (t) => {
  const { sender, form } = asking(t, { now: 26_000 });
  assert.equal(form.hidden, true);
  assert.match(sender.entropy, /^[0-9a-f]{32}$/);
});

test("a phrase that is too long is refused, and at the end random bytes take its place", (t) => {
  const { sender, form, error } = asking(t);
  form.elements.text.value = "я".repeat(64);
  form.submit();
  assert.equal(error.textContent, "too long");
  assert.deepEqual([form.hidden, sender.entropy], [false, undefined]);
  t.mock.timers.tick(25_000);
  assert.equal(form.hidden, true);
  assert.match(sender.entropy, /^[0-9a-f]{32}$/);
});

test("the form disappears once no phrase is waited for, and nothing is sent later", (t) => {
  const { sender, model, form, sent } = asking(t);
  model.view = { phase: "finished" };
  sender.advance();
  assert.equal(form.hidden, true);
  t.mock.timers.tick(25_000);
  assert.deepEqual([sender.entropy, sent.length], [undefined, 0]);
});
