// The player's choices at the table, kept on this device.

const KEY = "table-settings";

/** Every choice, its values and the default (first). */
export const CHOICES = Object.freeze({
  dice: ["automatic", "manual"],
  tap: ["select", "play"],
  doubleClick: ["none", "larger", "smaller", "bear_off"],
  bearOff: ["tap", "drag", "automatic"],
  endOfTurn: ["forced", "confirm", "timed"],
  speed: ["normal", "fast", "slow", "off"],
  entropy: ["random", "ask"],
});
export const SWITCHES = Object.freeze({
  autoBearOff: false,
  numbers: true,
  pips: true,
  soundCheckers: true,
  soundDice: true,
  soundTurn: true,
  soundTime: true,
  mirrorShort: false,
  mirrorLong: false,
});

/** Milliseconds of the animations: one's own checker, an opponent's, the dice, a hold to read. */
export const SPEEDS = Object.freeze({
  slow: { own: 260, other: 360, dice: 620, hold: 900 },
  normal: { own: 180, other: 220, dice: 450, hold: 700 },
  fast: { own: 110, other: 130, dice: 260, hold: 500 },
  off: { own: 0, other: 0, dice: 0, hold: 400 },
});

function defaults() {
  const values = { ...SWITCHES };
  for (const [name, choices] of Object.entries(CHOICES)) values[name] = choices[0];
  return values;
}

/** Only known names with known values; the rest falls back to the default. */
export function sane(given) {
  const values = defaults();
  for (const [name, value] of Object.entries(given ?? {})) {
    if (name in CHOICES ? CHOICES[name].includes(value) : typeof SWITCHES[name] === typeof value) {
      values[name] = value;
    }
  }
  return values;
}

export class Settings {
  #storage;
  #values;
  #listeners = [];

  /** @param {Storage|null} storage null where the browser refuses it: then for this page only */
  constructor(storage) {
    this.#storage = storage;
    this.#values = sane(this.#read());
  }

  #read() {
    try {
      return JSON.parse(this.#storage?.getItem(KEY) ?? "{}");
    } catch {
      return {};
    }
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values = sane({ ...this.#values, [name]: value });
    try {
      this.#storage?.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // A full or forbidden store: the choice holds for this page.
    }
    for (const listener of this.#listeners) listener(name, this.#values[name]);
  }

  onChange(listener) {
    this.#listeners.push(listener);
  }

  mirrorName(variant) {
    return variant === "long" ? "mirrorLong" : "mirrorShort";
  }

  isMirrored(variant) {
    return this.get(this.mirrorName(variant));
  }

  /** @param {boolean} wantsLessMotion what the device says; it wins over the choice here */
  speed(wantsLessMotion) {
    return SPEEDS[wantsLessMotion ? "off" : this.get("speed")];
  }
}
