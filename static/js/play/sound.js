// Sounds: short files, played after the first gesture of the visitor; each class can be switched
// off. Calls also vibrate, if the player wants it and the device can.

const CLASSES = {
  checker: "soundCheckers",
  dice: "soundDice",
  turn: "soundTurn",
  time: "soundTime",
};

// Vibration in ms; the pattern of "time" differs, so that it is told apart without a look.
const VIBRATIONS = { turn: [80], time: [60, 60, 60] };

export class Sounds {
  isMuted = false; // all of them, on this device

  #context = null;
  #buffers = new Map();

  /**
   * @param {Record<string,string>} addresses by name: checker, dice, turn, time
   * @param {Settings} settings
   */
  constructor(addresses, settings) {
    this.addresses = addresses;
    this.settings = settings;
    for (const type of ["pointerdown", "keydown"]) {
      document.addEventListener(type, () => this.#wake(), { once: true, passive: true });
    }
  }

  /** Take the addresses from an element's data-sound-* attributes. @param {DOMStringMap} dataset */
  static from(dataset, settings) {
    return new Sounds({
      checker: dataset.soundChecker, dice: dataset.soundDice, turn: dataset.soundTurn, time: dataset.soundTime,
    }, settings);
  }

  /** @param {"checker"|"dice"|"turn"|"time"} name */
  play(name) {
    const buffer = this.#buffers.get(name);
    const isCall = name === "turn" || name === "time"; // played even in a background tab
    if (isCall && this.settings.get("vibration")) globalThis.navigator?.vibrate?.(VIBRATIONS[name]);
    if (this.isMuted || !buffer || !this.settings.get(CLASSES[name]) || (document.hidden && !isCall)) return;
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#context.destination);
    source.start();
  }

  /** Load the sounds at the first gesture: browsers allow no sound before it. */
  async #wake() {
    if (this.#context || !globalThis.AudioContext) return;
    this.#context = new AudioContext();
    await Promise.all(Object.entries(this.addresses).map(([name, address]) => this.#load(name, address)));
  }

  async #load(name, address) {
    try {
      const answer = await fetch(address);
      if (!answer.ok) return;
      this.#buffers.set(name, await this.#context.decodeAudioData(await answer.arrayBuffer()));
    } catch {
      // The table works without this sound.
    }
  }
}
