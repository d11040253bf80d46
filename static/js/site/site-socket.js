// The socket of a member's page to /ws/site/ (frames: accounts/README.md): pings, nudges, silent
// reconnects. Browser features are injected, so that tests run it with a fake socket and fake time.

import { delay } from "../lib/backoff.js";
import { NamedTimers } from "../lib/named-timers.js";

const VERSION = 1;
const PING_EVERY = 20_000; // ms
const OPEN_WITHIN = 12_000; // ms; a busy server lets the newest sockets wait (config/sockets/guard.py)
const GIVE_UP_AFTER = 10_000; // ms without an answer until the connection counts as lost
const MAX_TOO_MANY_WAIT = 60_000; // ms, longest wait after TOO_MANY
// Close codes of accounts/README.md.
const SIGNED_OUT = 4001;
const TOO_MANY = 4008;
const UNREADABLE = 4009;
const CONNECTING = 0; // WebSocket.CONNECTING
const OPEN = 1; // WebSocket.OPEN

/**
 * @typedef {Object} SiteSocketOptions
 * @property {() => WebSocket} open makes a socket
 * @property {() => boolean} isOnline false when the device itself knows that it has no network
 * @property {string[]} [topics] topics to listen to in addition to the member's own news
 * @property {() => void} onGreeted called when the connection works: no later nudge is missed
 * @property {(what:string) => void} onNudge called after a change; `what` names what has changed
 *   for the member, "any" = anything may have changed
 * @property {(wasKnown:boolean) => void} onSignedOut called once, if the visitor is signed out;
 *   wasKnown = this page was signed in before
 * @property {() => number} random 0 to 1
 * @property {{set:(f:() => void, ms:number) => any, clear:(timer:any) => void}} timers
 */

export class SiteSocket {
  /** @param {SiteSocketOptions} options */
  constructor(options) {
    this.options = options;
    this.socket = null;
    this.isGreeted = false; // on this connection
    this.isKnown = false; // greeted on this or an earlier connection
    this.isOver = false; // permanently closed
    this.tries = 0;
    this.timers = new NamedTimers(options.timers);
  }

  start() {
    if (!this.isOver && !this.socket) this.#connect();
  }

  /** Stop until the next start, for example when the page goes into the back/forward cache. */
  stop() {
    this.#plan(null);
    const socket = this.socket;
    this.socket = null;
    this.isGreeted = false;
    // Closing a socket that is still connecting logs a console error: let it open first.
    if (socket?.readyState === CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /** Reconnect or ping at once, for example when the device comes online. */
  hurry() {
    if (this.isOver) return;
    if (!this.socket) this.#connect();
    else if (this.isGreeted) this.#ping();
  }

  #connect() {
    if (!this.options.isOnline()) return this.#plan(() => this.#connect(), this.#nextDelay());
    const socket = this.options.open();
    this.socket = socket;
    const ifCurrent = (handler) => (event) => {
      if (socket === this.socket) handler(event);
    };
    socket.onopen = ifCurrent(() => this.#plan(() => this.#lost(), GIVE_UP_AFTER));
    socket.onmessage = ifCurrent((event) => this.#receive(event.data));
    socket.onclose = ifCurrent((event) => this.#closed(event.code));
    return this.#plan(() => this.#lost(), OPEN_WITHIN);
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
    else if (frame.t === "nudge" && frame.what === "notice") this.#here(frame.id);
    else if (frame.t === "nudge" && typeof frame.what === "string" && /^[a-z_]+$/.test(frame.what)) this.options.onNudge(frame.what);
  }

  #greeted(version) {
    if (version !== VERSION) return this.#end(); // the site was updated: the next page will have its protocol
    const hasMissed = this.isKnown;
    this.isGreeted = true;
    this.isKnown = true;
    this.tries = 0;
    this.#plan(() => this.#ping(), PING_EVERY);
    for (const to of this.options.topics ?? []) this.socket.send(JSON.stringify({ t: "listen", to }));
    this.options.onGreeted();
    if (hasMissed) this.options.onNudge("any");
  }

  /** Answer that the member is here, so that no notice is pushed to their devices. */
  #here(id) {
    if (this.socket.readyState === OPEN) this.socket.send(JSON.stringify({ t: "here", id }));
  }

  #ping() {
    if (this.socket.readyState === OPEN) this.socket.send('{"t":"ping"}');
    this.#plan(() => this.#lost(), GIVE_UP_AFTER);
  }

  #closed(code) {
    if (code === SIGNED_OUT) {
      this.#end();
      this.options.onSignedOut(this.isKnown);
    } else if (code === UNREADABLE) this.#end();
    else this.#lost(code === TOO_MANY ? MAX_TOO_MANY_WAIT * (0.5 + this.options.random() / 2) : this.#nextDelay());
  }

  #lost(wait = this.#nextDelay()) {
    this.stop();
    this.#plan(() => this.#connect(), wait);
  }

  #nextDelay() {
    const wait = delay(this.tries, this.options.random);
    this.tries += 1;
    return wait;
  }

  #end() {
    this.isOver = true;
    this.stop();
  }

  /** Schedule the next step in place of the scheduled one; with null, only cancel that one. */
  #plan(act, ms) {
    if (act) this.timers.set("next", ms, act);
    else this.timers.cancel("next");
  }
}
