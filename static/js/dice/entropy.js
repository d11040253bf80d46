// The players' part in the dice: the entropy that this browser adds before a match.

import { fromHex, sha256, toHex } from "../lib/sha256.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { readStored, writeStored } from "../lib/storage.js";

const MAX_BYTES = 64; // the server's limit
const RANDOM_BYTES = 16;
const TYPING_TIME_MS = 25_000; // less than the 30 s in which every seat must be ready

/**
 * Return the text as hex; random bytes for an empty text; null for a text that is too long.
 * @returns {string|null}
 */
function entropyOf(text) {
  if (!text) return toHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= MAX_BYTES ? toHex(bytes) : null;
}

/** Send the hash of this side's entropy, then the entropy itself, which survives a reload. */
export class EntropySender {
  #isSending = false;
  #hashId = null; // id of the command that sent the hash, until it is answered
  #entropyId = null; // id of the command that sent the entropy
  #mustResend = false; // the server refused the hash as stale: send it again after the next frame
  #entropyAfterSeq = null; // seq of the action after which the entropy may be sent

  /**
   * @param {{id:string,store:Storage|null,isAsking:boolean,
   *   command:(t:string,fields:object) => string}} options isAsking = the player wants to type the
   *   entropy
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

  /** Send the hash, or first let the player type. Called while the match waits for the seats. */
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
    setTimeout(() => this.#typed(this.form.elements.text.value.trim()), TYPING_TIME_MS);
  }

  #typed(text) {
    if (this.#isSending) return;
    const entropy = entropyOf(text);
    if (entropy === null) {
      setText(part("error", this.form), gettext("The maximum is 64 bytes: about 64 Latin or 32 Cyrillic letters."));
      return;
    }
    this.#send(entropy);
  }

  async #send(entropy) {
    this.#isSending = true;
    setHidden(this.form, true);
    this.entropy = entropy;
    // Without storage, a reload loses the entropy; once its hash is in the log, no other is accepted.
    writeStored(this.options.store, this.key, entropy);
    this.hash = await sha256(fromHex(entropy));
    this.#sendHash();
  }

  #sendHash() {
    this.#mustResend = false;
    this.#hashId = this.options.command("entropy_hash", { hash: this.hash });
  }

  /** Handle the answer to a command, which was logged as action `seq`. */
  answered(id, seq) {
    if (id !== this.#hashId) return;
    this.#hashId = null;
    this.#entropyAfterSeq = seq;
  }

  /**
   * Handle a refused command. If an action of the other player made it stale, or has to come first,
   * it is sent again after the next frame.
   * @param {number} seq last action that this page has seen
   */
  refused(id, code, seq) {
    if (id === null) return;
    if (id === this.#hashId) {
      this.#hashId = null;
      this.#mustResend = code === "stale";
      if (code === "stale") return;
      this.#entropyAfterSeq = 0; // the hash was logged before a reload
      this.advance(seq);
    } else if (id === this.#entropyId) {
      this.#entropyId = null;
      this.#entropyAfterSeq = code === "stale" ? seq : seq + 1;
    }
  }

  /**
   * Send the next command that the frames up to `seq` allow: the hash again if it was stale, or the
   * entropy once its hash is in the log.
   */
  advance(seq) {
    if (this.#mustResend) return this.#sendHash();
    if (this.#entropyAfterSeq === null || seq < this.#entropyAfterSeq) return undefined;
    this.#entropyAfterSeq = null;
    this.#entropyId = this.options.command("entropy", { entropy: this.entropy });
    return undefined;
  }

  /** Return the entropy of this side for display. */
  get shown() {
    return this.entropy ?? this.#read();
  }

  #read() {
    return readStored(this.options.store, this.key);
  }
}
