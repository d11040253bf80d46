// The line of a member's page to /ws/site/ (frames: accounts/README.md): pings, nudges, and trying
// again without a word. Nothing else of the browser is used than what is given, so that the tests
// run it with a fake socket and fake time.

import { delay } from "../lib/backoff.js";

const VERSION = 1;
const PING_EVERY = 20_000;
const GIVE_UP_AFTER = 10_000;
const CROWDED_PAUSE = 60_000;
const SIGNED_OUT = 4001;
const TOO_MANY = 4008;
const UNREADABLE = 4009;
const CONNECTING = 0; // WebSocket's own number

/**
 * @typedef {Object} SiteSocketOptions
 * @property {() => WebSocket} open makes a socket
 * @property {() => boolean} isOnline false when the device itself knows that it has no network
 * @property {string[]} [topics] what else than one's own the page wants to hear of
 * @property {() => void} onGreeted from now on no news are missed
 * @property {(what:string) => void} onNudge something of the member's changed; "any": perhaps
 * @property {(wasKnown:boolean) => void} onSignedOut once; wasKnown: this page was signed in before
 * @property {() => number} random 0 to 1
 * @property {{set:(f:() => void, ms:number) => any, clear:(timer:any) => void}} timers
 */

export class SiteSocket {
  /** @param {SiteSocketOptions} options */
  constructor(options) {
    this.options = options;
    this.socket = null;
    this.isGreeted = false; // on this connection
    this.isKnown = false; // on any before
    this.isOver = false; // it will not come back
    this.tries = 0;
    this.timer = null;
  }

  start() {
    if (!this.isOver && !this.socket) this.#connect();
  }

  /** Until the next start, as when the page is put aside. */
  stop() {
    this.#plan(null);
    const socket = this.socket;
    this.socket = null;
    this.isGreeted = false;
    // One that is still being opened is let open first: the console complains otherwise.
    if (socket?.readyState === CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /** Tries or asks at once, as when the device comes back online or the page to the front. */
  hurry() {
    if (this.isOver) return;
    if (!this.socket) this.#connect();
    else if (this.isGreeted) this.#ping();
  }

  #connect() {
    if (!this.options.isOnline()) return this.#plan(() => this.#connect(), this.#wait());
    const socket = this.options.open();
    this.socket = socket;
    const mine = (handler) => (event) => {
      if (socket === this.socket) handler(event);
    };
    socket.onmessage = mine((event) => this.#receive(event.data));
    socket.onclose = mine((event) => this.#closed(event.code));
    return this.#plan(() => this.#lost(), GIVE_UP_AFTER);
  }

  #receive(text) {
    let frame = null;
    try {
      frame = JSON.parse(text);
    } catch {
      return;
    }
    if (frame.t === "hello") this.#greeted(frame.v);
    else if (frame.t === "pong") this.#plan(() => this.#ping(), PING_EVERY);
    else if (frame.t === "nudge" && typeof frame.what === "string" && /^[a-z_]+$/.test(frame.what)) this.options.onNudge(frame.what);
  }

  #greeted(version) {
    if (version !== VERSION) return this.#end(); // a newer site: the next page speaks its language
    const hasMissed = this.isKnown;
    this.isGreeted = true;
    this.isKnown = true;
    this.tries = 0;
    this.#plan(() => this.#ping(), PING_EVERY);
    for (const to of this.options.topics ?? []) this.socket.send(JSON.stringify({ t: "listen", to }));
    this.options.onGreeted();
    if (hasMissed) this.options.onNudge("any");
  }

  #ping() {
    if (this.socket.readyState === 1) this.socket.send('{"t":"ping"}');
    this.#plan(() => this.#lost(), GIVE_UP_AFTER);
  }

  #closed(code) {
    if (code === SIGNED_OUT) {
      this.#end();
      this.options.onSignedOut(this.isKnown);
    } else if (code === UNREADABLE) this.#end();
    else this.#lost(code === TOO_MANY ? CROWDED_PAUSE * (0.5 + this.options.random() / 2) : this.#wait());
  }

  #lost(wait = this.#wait()) {
    this.stop();
    this.#plan(() => this.#connect(), wait);
  }

  #wait() {
    const wait = delay(this.tries, this.options.random);
    this.tries += 1;
    return wait;
  }

  #end() {
    this.isOver = true;
    this.stop();
  }

  /** The one thing that happens next if nothing else does before. */
  #plan(act, ms) {
    if (this.timer !== null) this.options.timers.clear(this.timer);
    this.timer = act && this.options.timers.set(() => {
      this.timer = null;
      act();
    }, ms);
  }
}
