// Sounds, computed after the first gesture of the visitor (synth.js). Settings switch them off by
// group; all share one volume. With the sounds that call the player ("turn", "time") the device
// also vibrates, even if it is muted, provided that it can and that the player wants it.

import { OFF } from "../board/geometry.js";

/** The setting that switches each sound on or off. */
const SWITCH_OF = {
  checker: "soundCheckers",
  hit: "soundCheckers",
  off: "soundCheckers",
  bar: "soundCheckers",
  cube: "soundCheckers",
  dice: "soundDice",
  turn: "soundTurn",
  win: "soundTurn",
  time: "soundTime",
};
const RATE = 32_000; // samples per second; enough for the sound of wood

// Vibration in ms; the pattern of "time" differs, so that players recognize it without looking.
const VIBRATIONS = { turn: [80], time: [60, 60, 60] };

/** Import the module that computes the sounds; a page may do this before the first gesture. */
export const loadSynth = () => import("./synth.js");

export class Sounds {
  isMuted = false; // on this device; this silences the bell of alerts (site/alerts.js) too

  #context = null;
  #synth = null; // the module that computes the sounds
  #buffers = new Map();

  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    for (const type of ["pointerdown", "keydown"]) {
      document.addEventListener(type, () => this.#wake(), { once: true, passive: true });
    }
  }

  /**
   * @param {"checker"|"hit"|"off"|"bar"|"cube"|"dice"|"turn"|"win"|"time"} name
   * @param {number} [after] delay in ms, for example until the first bounce of a throw
   */
  play(name, after = 0) {
    const isCall = name === "turn" || name === "time"; // played even in a background tab
    if (isCall && this.settings.get("vibration")) globalThis.navigator?.vibrate?.(VIBRATIONS[name]);
    if (this.isMuted || !this.#synth || !this.settings.get(SWITCH_OF[name]) || (document.hidden && !isCall)) return;
    const source = this.#context.createBufferSource();
    source.buffer = this.#buffer(name);
    source.connect(this.#volume());
    source.start(this.#context.currentTime + after / 1000);
  }

  /** Return the node of all sounds; its gain is the volume squared, to match perceived loudness. */
  #volume() {
    this.gain ??= this.#context.createGain();
    this.gain.connect(this.#context.destination);
    this.gain.gain.value = (Number(this.settings.get("volume")) / 100) ** 2;
    return this.gain;
  }

  #buffer(name) {
    if (!this.#buffers.has(name)) {
      const samples = this.#synth.render(name, RATE);
      const buffer = this.#context.createBuffer(1, samples.length, RATE);
      buffer.copyToChannel(samples, 0);
      this.#buffers.set(name, buffer);
    }
    return this.#buffers.get(name);
  }

  /** Get ready at the first gesture: browsers allow no sound before it. */
  async #wake() {
    if (this.#context || !globalThis.AudioContext) return;
    this.#context = new AudioContext();
    this.#synth = await loadSynth().catch(() => null); // without a connection no sound
    // Compute one sound at a time, so that no animation frame is late.
    this.#synth?.SOUNDS.forEach((name, at) => setTimeout(() => this.#buffer(name), 150 + 60 * at));
  }
}

/**
 * Play the sound of a move when its checker lands, and the knock of a hit checker on the bar.
 * @param {{target:number,isHit?:boolean}} move
 * @param {{ms:number,at?:number}} when at = ms until it lands; ms = the flight to the bar
 */
export function playMove(sounds, { target, isHit }, { ms, at = 0 }) {
  sounds.play(isHit ? "hit" : target === OFF ? "off" : "checker", at);
  if (isHit) sounds.play("bar", at + ms);
}
