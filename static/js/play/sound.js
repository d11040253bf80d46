// Sounds: short files of our own, played after the visitor's first gesture, each class switchable.

const CLASSES = {
  checker: "soundCheckers",
  dice: "soundDice",
  turn: "soundTurn",
  time: "soundTime",
};

export class Sounds {
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

  /** @param {"checker"|"dice"|"turn"|"time"} name */
  play(name) {
    const buffer = this.#buffers.get(name);
    const isCall = name === "turn" || name === "time"; // what a player in another tab waits for
    if (!buffer || !this.settings.get(CLASSES[name]) || (document.hidden && !isCall)) return;
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#context.destination);
    source.start();
  }

  /** Browsers allow no sound before a gesture; nothing is fetched until then either. */
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
      // Without this sound the table works as well.
    }
  }
}
