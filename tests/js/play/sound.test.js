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
