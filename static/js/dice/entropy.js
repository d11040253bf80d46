// The players' part in the dice: the entropy that this browser adds before a match.

import { fromHex, sha256, toHex } from "../lib/sha256.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { readStored, writeStored } from "../lib/storage.js";

const MAX_BYTES = 64; // the server's limit
const RANDOM_BYTES = 16;
const TYPING_TIME_MS = 25_000;
const SENDING_TIME_MS = 5000; // kept free before the moment at which the match is void

/**
 * Return the text as hex; random bytes for an empty text; null for a text that is too long.
 * @returns {string|null}
 */
function entropyOf(text) {
  if (!text) return toHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= MAX_BYTES ? toHex(bytes) : null;
}

/** Return whether nothing is left to send: the server has the entropy, or seating is over. */
function isOver({ you, view, seating }) {
  return view.phase !== "seating" || Boolean(seating?.[you.side]?.entropy);
}

function lastOwn({ you, log }, kind) {
  return log.findLast((action) => action.kind === kind && action.side === you.side);
}

/**
 * Return the command that is due, null if none. The logged hash may come from another page or
 * device of the player: the page that holds the seat then tries to replace it. The page that knows
 * the entropy sends it, with or without the seat, once the hash of every human player is logged.
 * @param {boolean} isForeign the server refused this page's entropy: the hash that the server has is
 *   another page's, even if this page's log lacks that hash
 */
function dueCommand(model, hash, isForeign) {
  const logged = lastOwn(model, "entropy_hash")?.hash;
  const isOurs = logged ? logged === hash : !isForeign;
  if (isOurs && Object.values(model.seating).every((given) => given?.hash ?? true)) return "entropy";
  return model.you.holder && logged !== hash ? "entropy_hash" : null;
}

/** Send the hash of this side's entropy, then the entropy itself, which survives a reload. */
export class EntropySender {
  #isStarted = false;
  #sentId = null; // id of the command that is not answered yet
  #fromSeq = 0; // nothing is sent until the model has the action of this seq
  #isForeign = false; // the server refused this page's entropy

  /**
   * @param {{id:string,store:Storage|null,isAsking:boolean,noStartMs:number|null,model:() => object,
   *   now:() => number,command:(t:string,fields:object) => string}} options isAsking = the player wants
   *   to type the entropy; noStartMs = time of the match's clock at which a match without entropy
   *   is void; command returns the id of the command
   */
  constructor(options) {
    this.options = options;
    this.key = `entropy:${options.id}`;
    this.form = part("entropy");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const entropy = this.#typed();
      if (entropy) this.#send(entropy);
      else setText(part("error", this.form), this.form.dataset.tooLong);
    });
  }

  /** Send the hash, or first let the player type. Called while the match waits for the seats. */
  start() {
    const { options: { model }, key } = this;
    const { you } = model();
    const known = this.#read();
    // Without the seat only the entropy whose hash this device sent earlier is of use.
    if (this.#isStarted || !you.side || isOver(model()) || !(known || you.holder)) return;
    this.#isStarted = true;
    const timeLeft = (this.options.noStartMs ?? Infinity) - SENDING_TIME_MS - this.options.now();
    if (known || !this.options.isAsking || timeLeft <= 0) this.#send(known ?? entropyOf(""));
    else this.#ask(Math.min(TYPING_TIME_MS, timeLeft));
  }

  /** Show the form; after `ms` send the typed text, or random bytes if the text is too long. */
  #ask(ms) {
    setHidden(this.form, false);
    this.form.elements.text.focus();
    setTimeout(() => this.form.hidden || this.#send(this.#typed() ?? entropyOf("")), ms);
  }

  #typed() {
    return entropyOf(this.form.elements.text.value.trim());
  }

  async #send(entropy) {
    setHidden(this.form, true);
    this.entropy = entropy;
    // Without storage, a reload loses the entropy. Its hash can be replaced only until the opponent's
    // is logged; after that the match cannot start.
    writeStored(this.options.store, this.key, entropy);
    this.hash = await sha256(fromHex(entropy));
    this.advance();
  }

  /**
   * Handle the answer to a command, which was logged as action `seq`.
   * @returns {boolean} whether the command was sent by this object
   */
  answered(id, seq) {
    if (id !== this.#sentId) return false;
    this.#sentId = null;
    this.#fromSeq = seq;
    return true;
  }

  /**
   * Handle a refused command. "stale" and "passive" (the page does not hold the seat): try again at
   * the next frame. The first "unreadable": the hash that the server has is another page's, so send
   * this page's hash at once. "internal", an error of the server: try again after a second.
   * Otherwise try again after the next action.
   */
  refused(id, code) {
    if (id === null || id !== this.#sentId) return;
    this.#sentId = null;
    if (code === "stale" || code === "passive") return;
    if (code === "internal") setTimeout(() => this.advance(), 1000);
    else if (code === "unreadable" && !this.#isForeign) {
      this.#isForeign = true;
      this.advance();
    } else this.#fromSeq = this.options.model().seq + 1;
  }

  /** Send the command that is due now; hide the form once nothing is left to send. */
  advance() {
    const model = this.options.model();
    if (isOver(model)) return setHidden(this.form, true);
    if (!this.hash || this.#sentId || model.seq < this.#fromSeq) return undefined;
    const due = dueCommand(model, this.hash, this.#isForeign);
    const fields = due === "entropy" ? { entropy: this.entropy } : { hash: this.hash };
    if (due) this.#sentId = this.options.command(due, fields);
    return undefined;
  }

  /**
   * Return the entropy of this side for display: the logged one, else the one that this device has.
   */
  get shown() {
    return lastOwn(this.options.model(), "entropy")?.hex ?? this.entropy ?? this.#read();
  }

  #read() {
    return readStored(this.options.store, this.key);
  }
}
