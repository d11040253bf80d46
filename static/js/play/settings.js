// The player's choices at the table. A guest's are kept on this device; a member's in their account
// (table/settings-sync.js sends them), with a local copy for changes that are not yet saved there.

import { readStoredJson, writeStored } from "../lib/storage.js";

const KEY = "table-settings";

/**
 * The choices of several values; the first is the default. CHOICES and SWITCHES together must match
 * the model Preferences of accounts.
 */
export const CHOICES = Object.freeze({
  board: ["classic", "night", "sand", "contrast", "birch", "leather", "slate", "walnut", "kilim", "midnight", "malachite", "pearl"],
  checkers: ["classic", "ruby", "sea", "contrast", "cherry", "rose", "bone", "turquoise", "brass", "silver", "malachite", "lapis", "amber", "pearl"],
  checkerColor: ["side", "light", "dark"],
  dice: ["automatic", "manual"],
  tap: ["play", "select"],
  doubleClick: ["none", "larger", "smaller", "bear_off"],
  bearOff: ["tap", "drag", "automatic"],
  endOfTurn: ["safe", "forced", "confirm", "timed"],
  speed: ["normal", "fast", "slow", "off"],
  entropy: ["random", "ask"],
  volume: ["70", "0", "10", "20", "30", "40", "50", "60", "80", "90", "100"],
});
export const SWITCHES = Object.freeze({
  autoBearOff: false,
  warnBlunders: false,
  numbers: true,
  theirNumbers: false,
  pips: true,
  avatars: true,
  soundCheckers: true,
  soundDice: true,
  soundTurn: true,
  soundTime: true,
  vibration: false,
  letterKeys: true,
  mirrorShort: false,
  mirrorLong: false,
});

/** Looks that everybody may wear, the same as FREE_LOOKS of accounts/models/looks.py. */
const FREE_LOOKS = Object.freeze({
  board: new Set(["classic", "night", "sand", "contrast"]),
  checkers: new Set(["classic", "ruby", "sea", "contrast"]),
});

/** Animation times in ms: own checker, opponent's checker, dice, and a pause to read. */
export const SPEEDS = Object.freeze({
  slow: { own: 260, other: 360, dice: 620, hold: 900 },
  normal: { own: 180, other: 220, dice: 450, hold: 700 },
  fast: { own: 110, other: 130, dice: 260, hold: 500 },
  off: { own: 0, other: 0, dice: 0, hold: 400 },
});

const STANDARD = Object.freeze({ white: "light", black: "dark" });
const SWAPPED = Object.freeze({ white: "dark", black: "light" });

function defaults() {
  const values = { ...SWITCHES };
  for (const [name, choices] of Object.entries(CHOICES)) values[name] = choices[0];
  return values;
}

/** Keep only known names with known values. */
function known(given) {
  const isKnown = ([name, value]) =>
    (name in CHOICES ? CHOICES[name].includes(value) : typeof SWITCHES[name] === typeof value);
  return Object.fromEntries(Object.entries(given ?? {}).filter(isKnown));
}

/** Return every choice: the given value if valid, else the default. */
export function withDefaults(given) {
  return { ...defaults(), ...known(given) };
}

/** Leave out looks that are not free: another member, who signed out here, has bought them. */
function withoutBoughtLooks(values) {
  const isFree = ([name, value]) => FREE_LOOKS[name]?.has(value) ?? true;
  return Object.fromEntries(Object.entries(values).filter(isFree));
}

/** Return the entries of `after` that differ from `before`. */
function differences(before, after) {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

export class Settings {
  #storage;
  #member;
  #values;
  #unsent = {}; // a member's changes that the account does not have yet
  #listeners = [];

  /**
   * @param {Storage|null} storage null where the browser refuses it: choices then last for this
   *   page only
   * @param {{member:string,choices:object}|null} [account] of a signed-in member
   */
  constructor(storage, account = null) {
    this.#storage = storage;
    this.#member = account?.member ?? null;
    const kept = readStoredJson(storage, KEY) ?? {};
    if (account) this.#unsent = this.#changesToSend(kept, withDefaults(account.choices));
    this.#values = withDefaults(account ? { ...account.choices, ...this.#unsent } : kept);
    if (account) this.#write();
  }

  /**
   * Return the changes that this device must still send to the account: those that are not saved
   * yet; or, once, the choices made here as a guest, if the account has only default choices.
   */
  #changesToSend(kept, choices) {
    if (kept.of === this.#member) return known(kept.unsent);
    const isUntouched = Object.keys(differences(defaults(), choices)).length === 0;
    return !kept.of && isUntouched ? withoutBoughtLooks(differences(defaults(), withDefaults(kept))) : {};
  }

  #write() {
    const owner = this.#member ? { of: this.#member, unsent: this.#unsent } : {};
    writeStored(this.#storage, KEY, JSON.stringify({ ...this.#values, ...owner }));
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    if (this.#member) this.#unsent = { ...this.#unsent, ...known({ [name]: value }) };
    this.#change(withDefaults({ ...this.#values, [name]: value }));
  }

  /** Apply choices made elsewhere; unsent changes of this page take precedence. */
  take(choices) {
    this.#change(withDefaults({ ...choices, ...this.#unsent }));
  }

  #change(values) {
    const changed = differences(this.#values, values);
    this.#values = values;
    this.#write();
    for (const [name, value] of Object.entries(changed)) {
      for (const listener of this.#listeners) listener(name, value);
    }
  }

  /** Return a member's changes that the account does not have yet. */
  get unsent() {
    return this.#unsent;
  }

  /** Mark changes as saved or refused; values changed after they were sent stay unsent. */
  sent(changes) {
    this.#unsent = differences(changes, this.#unsent);
    this.#write();
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

  /**
   * Return the checker color of each side on this screen.
   * @param {string|null} own the player's side; null for a spectator, who sees the standard colors
   * @returns {{white:"light"|"dark",black:"light"|"dark"}}
   */
  colorsFor(own) {
    const choice = this.get("checkerColor");
    return own === null || choice === "side" || choice === STANDARD[own] ? STANDARD : SWAPPED;
  }

  /** @param {boolean} wantsLessMotion the device's setting, which overrides the choice */
  speed(wantsLessMotion) {
    return SPEEDS[wantsLessMotion ? "off" : this.get("speed")];
  }
}
