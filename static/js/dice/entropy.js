// The players' share in the dice: what this browser adds before a match.

import { fromHex, sha256, toHex } from "../lib/sha256.js";
import { part, setHidden, setText } from "../lib/dom.js";

const MAX_BYTES = 64;
const RANDOM_BYTES = 16;
const WAIT_FOR_WORDS_MS = 25_000; // within the 30 s in which every seat must be ready

/** The text as hex, random bytes for none; null when it is too long. @returns {string|null} */
export function entropyOf(text) {
  if (!text) return toHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= MAX_BYTES ? toHex(bytes) : null;
}

/** Sends the hash of this side's entropy, then the entropy, which is kept over a reload. */
export class EntropySender {
  #isSending = false;
  #waiting = null; // id of the promise (the hash) whose answer is awaited
  #telling = null; // id of the entropy's own command
  #mustPromise = false; // the promise came too late for the server: once more after the next news
  #promisedAt = null;

  /**
   * @param {{id:string,store:Storage|null,isAsking:boolean,
   *   command:(t:string,fields:object) => string}} options isAsking = the player types his own
   */
  constructor(options) {
    this.options = options;
    this.key = `entropy:${options.id}`;
    this.form = part("entropy");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#typed(this.form.elements.text.value.trim());
    });
  }

  /** Called while the match waits for the seats. */
  start() {
    if (this.#isSending) return;
    const known = this.#read();
    if (known || !this.options.isAsking) this.#send(known ?? entropyOf(""));
    else this.#ask();
  }

  #ask() {
    if (!this.form.hidden) return;
    setHidden(this.form, false);
    this.form.elements.text.focus();
    setTimeout(() => this.#typed(this.form.elements.text.value.trim()), WAIT_FOR_WORDS_MS);
  }

  #typed(text) {
    if (this.#isSending) return;
    const entropy = entropyOf(text);
    if (entropy === null) {
      setText(part("error", this.form), gettext("At most 64 bytes, please: about 64 Latin or 32 Cyrillic letters."));
      return;
    }
    this.#send(entropy);
  }

  async #send(entropy) {
    this.#isSending = true;
    setHidden(this.form, true);
    this.entropy = entropy;
    this.#keep(entropy);
    this.hash = await sha256(fromHex(entropy));
    this.#promise();
  }

  #promise() {
    this.#mustPromise = false;
    this.#waiting = this.options.command("entropy_hash", { hash: this.hash });
  }

  /** The hash is in as action `seq`. */
  answered(id, seq) {
    if (id !== this.#waiting) return;
    this.#waiting = null;
    this.#promisedAt = seq;
  }

  /**
   * A command of ours was refused. With two people each may be too early or too late for the
   * other's: then it is sent again after the next news.
   * @param {number} seq last action that the page has seen
   */
  refused(id, code, seq) {
    if (id === null) return;
    if (id === this.#waiting) {
      this.#waiting = null;
      this.#mustPromise = code === "stale";
      if (code === "stale") return;
      this.#promisedAt = 0; // it was promised before a reload
      this.advance(seq);
    } else if (id === this.#telling) {
      this.#telling = null;
      this.#promisedAt = code === "stale" ? seq : seq + 1;
    }
  }

  /** News came, up to `seq`: the entropy may be told once the page has seen its promise logged. */
  advance(seq) {
    if (this.#mustPromise) return this.#promise();
    if (this.#promisedAt === null || seq < this.#promisedAt) return undefined;
    this.#promisedAt = null;
    this.#telling = this.options.command("entropy", { entropy: this.entropy });
    return undefined;
  }

  /** What this side added, for the page that shows it. */
  get shown() {
    return this.entropy ?? this.#read();
  }

  #read() {
    try {
      return this.options.store?.getItem(this.key) ?? null;
    } catch {
      return null;
    }
  }

  #keep(entropy) {
    try {
      this.options.store?.setItem(this.key, entropy);
    } catch {
      // Without a store a reload between the two frames starts over.
    }
  }
}

/** The exported match, or null when it cannot be had. */
export async function fetchMatch(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
