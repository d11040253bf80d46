// Sounds: none before the first gesture, one volume for all, in a background tab only the calls to the
// player ("turn", "time"). The fake buffer keeps its samples, which identify the sound in `played`.

import assert from "node:assert/strict";
import test from "node:test";

import { render } from "../../../static/js/play/synth.js";

const listeners = [];
const played = [];
globalThis.document = { hidden: false, addEventListener: (_type, act) => listeners.push(act) };
globalThis.AudioContext = class {
  currentTime = 5;
  destination = "speakers";
  createGain() { return { gain: {}, connect(node) { this.to = node; } }; }
  createBuffer() { return { copyToChannel(samples) { this.samples = samples; } }; }
  createBufferSource() {
    return {
      connect(node) { this.to = node; },
      start(at) { played.push({ name: names.get(keyOf(this.buffer.samples)), at, volume: this.to.gain.value }); },
    };
  }
};

const { Sounds, playMove } = await import("../../../static/js/play/sound.js");
const NAMES = ["checker", "hit", "off", "bar", "dice", "cube", "turn", "time", "win"];
/** Return a text that differs between the sounds: their first samples. */
const keyOf = (samples) => samples.slice(0, 200).join();
const names = new Map(NAMES.map((name) => [keyOf(render(name, 32_000)), name]));

/** Return `Sounds` with these choices, after the first gesture. */
async function awake(choices = {}) {
  listeners.length = 0;
  document.hidden = false;
  const sounds = new Sounds({ get: (name) => choices[name] ?? (name === "volume" ? "70" : name !== "vibration") });
  await Promise.all(listeners.map((act) => act()));
  return sounds;
}

function playAll(sounds) {
  played.length = 0;
  for (const name of NAMES) sounds.play(name);
  return played.map(({ name }) => name);
}

test("nothing sounds before the first gesture", () => {
  const sounds = new Sounds({ get: () => true });
  assert.deepEqual(playAll(sounds), []);
});

test("a background tab plays only calls, and none that is switched off", async () => {
  const choices = {};
  const sounds = await awake(choices);
  assert.deepEqual(playAll(sounds), NAMES);
  document.hidden = true;
  assert.deepEqual(playAll(sounds), ["turn", "time"]);
  choices.soundTurn = false;
  assert.deepEqual(playAll(sounds), ["time"]);
});

test("a muted device plays nothing, and calls vibrate only where the player wants it", async () => {
  const felt = [];
  Object.defineProperty(globalThis, "navigator", { value: { vibrate: (pattern) => felt.push(pattern) }, configurable: true });
  const choices = {};
  const sounds = await awake(choices);
  playAll(sounds);
  assert.deepEqual(felt, []);
  choices.vibration = true;
  sounds.isMuted = true;
  assert.deepEqual(playAll(sounds), []);
  assert.deepEqual(felt, [[80], [60, 60, 60]]);
});

test("the volume applies to the next sound", async () => {
  const choices = { volume: "100" };
  const sounds = await awake(choices);
  const loudness = [];
  for (const volume of ["100", "50", "0"]) {
    choices.volume = volume;
    playAll(sounds);
    loudness.push(played[0].volume);
  }
  assert.deepEqual(loudness, [1, 0.25, 0]);
});

test("a hit sounds when the checker lands, and the bar when the hit checker reaches it", () => {
  const heard = [];
  const sounds = { play: (name, after = 0) => heard.push([name, after]) };
  playMove(sounds, { target: 5, isHit: true }, { ms: 180, at: 180 });
  playMove(sounds, { target: 0 }, { ms: 180 });
  playMove(sounds, { target: 8 }, { ms: 0 });
  assert.deepEqual(heard, [["hit", 180], ["bar", 360], ["off", 0], ["checker", 0]]);
});

test("a sound starts after its delay", async () => {
  const sounds = await awake();
  played.length = 0;
  sounds.play("dice", 189);
  assert.ok(Math.abs(played[0].at - 5.189) < 1e-9);
});
