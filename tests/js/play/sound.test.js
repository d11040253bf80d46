// Sounds in a background tab: only those that call the player (turn, time).
// The fake fetch and decoder hand the address on, so that `played` lists addresses.

import assert from "node:assert/strict";
import test from "node:test";

const listeners = [];
const played = [];
globalThis.document = { hidden: false, addEventListener: (_type, act) => listeners.push(act) };
globalThis.fetch = async (address) => ({ ok: true, arrayBuffer: async () => address });
globalThis.AudioContext = class {
  async decodeAudioData(data) { return data; }
  createBufferSource() { return { connect() {}, start() { played.push(this.buffer); } }; }
};

const { Sounds } = await import("../../../static/js/play/sound.js");
const NAMES = ["checker", "dice", "turn", "time"];

test("a background tab plays only calls, and none that is switched off", async () => {
  const off = new Set();
  const sounds = new Sounds(Object.fromEntries(NAMES.map((name) => [name, name])), { get: (name) => !off.has(name) });
  for (const act of listeners) await act();
  const playAll = () => {
    played.length = 0;
    for (const name of NAMES) sounds.play(name);
    return [...played];
  };
  assert.deepEqual(playAll(), NAMES);
  document.hidden = true;
  assert.deepEqual(playAll(), ["turn", "time"]);
  off.add("soundTurn");
  assert.deepEqual(playAll(), ["time"]);
});

test("a muted device plays nothing, and calls vibrate only where the player wants it", () => {
  const wanted = new Set();
  const felt = [];
  Object.defineProperty(globalThis, "navigator", { value: { vibrate: (pattern) => felt.push(pattern) }, configurable: true });
  const sounds = new Sounds({}, { get: (name) => wanted.has(name) });
  for (const name of NAMES) sounds.play(name);
  assert.deepEqual(felt, []);
  wanted.add("vibration");
  sounds.isMuted = true;
  for (const name of NAMES) sounds.play(name);
  assert.deepEqual(felt, [[80], [60, 60, 60]]);
});

test("muting ends every sound", async () => {
  listeners.length = 0;
  document.hidden = false;
  const sounds = new Sounds(Object.fromEntries(NAMES.map((name) => [name, name])), { get: (name) => name !== "vibration" });
  for (const act of listeners) await act();
  played.length = 0;
  sounds.isMuted = true;
  for (const name of NAMES) sounds.play(name);
  assert.deepEqual(played, []);
  sounds.isMuted = false;
  for (const name of NAMES) sounds.play(name);
  assert.deepEqual(played, NAMES);
});
