// The socket of a table: join, sequence numbers, gaps, acks, heartbeat, reconnecting.
//
// Frames may arrive twice or in any order: the page sees `state` and `event` frames in order of
// seq, and no event twice. Browser features are injected, so that tests run it with a fake socket and
// fake time.

import { delay } from "../lib/backoff.js";
import { NamedTimers } from "../lib/named-timers.js";

const PROTOCOL_VERSION = 1;
const PING_EVERY = 5000; // ms
const STALE_AFTER = 2000; // ms without a frame after a ping until the view counts as stale
const LATE_AFTER = 700; // ms to wait for the events that an ack or a pong announces
const OPEN_WITHIN = 12_000; // ms; a busy server lets the newest sockets wait (config/sockets/guard.py)
// ms until the connection counts as lost: no state after a join, or no frame after a ping
const GIVE_UP_AFTER = 6000;
const RESEND_AFTER = 2500; // ms without an answer until a frame is repeated
const RESEND_AFTER_TOO_FAST = 1000; // ms until frames are repeated after the refusal `too_fast`
const FINAL_CODES = new Set([4001, 4004, 4009]); // signed out, not found, unreadable: no reconnect
const OPEN = 1; // WebSocket.OPEN

/**
 * @typedef {"connecting"|"live"|"stale"|"lost"|"closed"} SocketStatus
 * @typedef {Object} MatchSocketOptions
 * @property {() => WebSocket} open makes a socket
 * @property {(frame:object, info:{roundTrip:number|null,isFirst?:boolean}) => void} onFrame isFirst =
 *   the first state of a connection
 * @property {(status:SocketStatus, code:number|null) => void} onStatus
 * @property {() => boolean} mayHold false when another tab holds the seat
 * @property {() => number} now ms, never backwards
 * @property {() => string} uuid
 * @property {() => number} random 0 to 1
 * @property {{set:(f:() => void, ms:number) => any, clear:(timer:any) => void}} timers
 */

export class MatchSocket {
  /** @param {MatchSocketOptions} options */
  constructor(options) {
    this.options = options;
    this.seq = -1;
    this.expected = -1; // the newest action that an ack or a pong has announced
    this.token = null; // fencing token: a reconnect does not take the seat from a newer holder
    this.status = "connecting";
    this.pending = new Map(); // id -> command not answered yet
    this.messages = new Map(); // id -> chat message not answered yet; no move waits for these
    this.waiting = new Map(); // seq -> event that arrived too early
    this.isSyncing = false;
    this.isSyncRefusable = false; // a sync was sent whose refusal may still come
    this.hasJoined = false;
    this.tries = 0;
    this.pingSentAt = null;
    this.isStopped = false;
    this.timers = new NamedTimers(options.timers);
  }

  start() {
    this.#connect();
  }

  stop() {
    this.isStopped = true;
    this.timers.cancelAll();
    this.socket?.close();
  }

  /**
   * Reconnect or ping at once. A handshake goes on, since it may take long on a busy site.
   * @param {boolean} [isOnline] the device has just come online: a handshake begun before is lost
   */
  hurry(isOnline = false) {
    if (this.isStopped) return;
    if (this.socket === null) this.#connect();
    else if (this.hasJoined && this.pingSentAt === null) this.#ping();
    else if (isOnline && this.socket && !this.hasJoined) {
      this.socket.close();
      this.#connect();
    }
  }

  /**
   * Send a command; repeat it under the same id until the server answers.
   * @returns {string} its id
   */
  command(t, fields = {}) {
    const id = this.options.uuid();
    return this.#sendUntilAnswered("resend", this.pending, { t, ...fields, id, seq: this.seq });
  }

  /**
   * Send a chat message; repeat it like a command.
   * @returns {string} its id
   */
  say(content) {
    return this.#sendUntilAnswered("say", this.messages, { t: "say", id: this.options.uuid(), ...content });
  }

  #sendUntilAnswered(timer, unanswered, frame) {
    unanswered.set(frame.id, frame);
    if (this.hasJoined) this.#send(frame);
    this.#schedule(timer, RESEND_AFTER, () => this.#repeat(timer, unanswered));
    return frame.id;
  }

  /**
   * Send a frame that is not repeated, such as a question.
   * @returns {boolean} false without a connection: the frame is lost
   */
  ask(frame) {
    return this.hasJoined && this.#send(frame);
  }

  #connect() {
    this.timers.cancelAll();
    const socket = this.options.open();
    this.socket = socket;
    this.hasJoined = false;
    this.isSyncing = false;
    this.isSyncRefusable = false;
    this.pingSentAt = null;
    const ifCurrent = (handler) => (event) => {
      if (socket === this.socket && !this.isStopped) handler(event);
    };
    socket.onopen = ifCurrent(() => this.#join());
    socket.onmessage = ifCurrent((event) => this.#receive(event.data));
    socket.onclose = ifCurrent((event) => this.#lost(event.code));
    this.#schedule("giveUp", OPEN_WITHIN, () => this.#lost(null));
  }

  #join() {
    this.#schedule("giveUp", GIVE_UP_AFTER, () => this.#lost(null));
    const token = this.token ? { token: this.token } : {};
    this.#send({
      t: "join", v: PROTOCOL_VERSION, since: this.seq, hold: this.options.mayHold(), ...token,
    });
  }

  /** @returns {boolean} false for a socket that is closed or closing, even if it has joined */
  #send(frame) {
    const isOpen = this.socket?.readyState === OPEN;
    if (isOpen) this.socket.send(JSON.stringify(frame));
    return isOpen;
  }

  #receive(text) {
    let frame = null;
    try {
      frame = JSON.parse(text);
    } catch {
      return; // unreadable: the next heartbeat shows whether anything is missing
    }
    this.#alive();
    switch (frame.t) {
      case "state": return this.#state(frame);
      case "current": return this.#current(frame);
      case "event": return this.#event(frame);
      case "ack": return this.#answered(frame);
      case "heard": return this.#heard(frame);
      case "error": return this.#refused(frame);
      case "pong": return this.#pong(frame);
      case "lag": return this.#send({ t: "lag", n: frame.n }); // answer at once: the server measures the round trip
      default: return this.options.onFrame(frame, { roundTrip: null });
    }
  }

  #state(frame) {
    const isFirst = !this.hasJoined;
    this.hasJoined = true;
    this.isSyncing = false;
    this.tries = 0;
    this.timers.cancel("sync");
    this.token = frame.you?.token ?? this.token;
    if (isFirst) this.#setStatus("live"); // first: what is automatic begins only on a live connection
    if (frame.seq >= this.seq) {
      this.seq = frame.seq;
      this.options.onFrame(frame, { roundTrip: null, isFirst });
    }
    this.#drain();
    if (!isFirst) return;
    this.#repeat("resend", this.pending);
    this.#repeat("say", this.messages);
    this.#ping();
  }

  /** Handle the answer to a sync that says that nothing is missing. */
  #current(frame) {
    this.isSyncing = false;
    this.isSyncRefusable = false;
    this.timers.cancel("sync");
    this.options.onFrame(frame, { roundTrip: null });
  }

  #event(frame) {
    if (frame.seq <= this.seq) return;
    this.waiting.set(frame.seq, frame);
    this.#drain();
    if (this.waiting.size) this.#sync();
  }

  #drain() {
    for (const seq of [...this.waiting.keys()].sort((a, b) => a - b)) {
      if (seq <= this.seq) this.waiting.delete(seq);
      if (seq !== this.seq + 1) continue;
      const frame = this.waiting.get(seq);
      this.waiting.delete(seq);
      this.seq = seq;
      this.options.onFrame(frame, { roundTrip: null });
    }
  }

  /** Request missing events; repeat the request only if no answer comes. */
  #sync() {
    if (this.isSyncing || !this.hasJoined) return;
    this.isSyncing = true;
    this.isSyncRefusable = true;
    this.#send({ t: "sync", since: this.seq });
    this.#schedule("sync", RESEND_AFTER, () => {
      this.isSyncing = false;
      this.#sync();
    });
  }

  #answered(frame) {
    this.pending.delete(frame.id);
    this.options.onFrame(frame, { roundTrip: null });
    this.#expect(frame.seq);
  }

  #heard(frame) {
    this.messages.delete(frame.id);
    this.options.onFrame(frame, { roundTrip: null });
  }

  /** Request the events up to `seq` if they do not come: an ack or a pong may come before them. */
  #expect(seq) {
    if (seq <= this.seq) return;
    this.expected = Math.max(this.expected, seq);
    this.#schedule("late", LATE_AFTER, () => {
      if (this.expected > this.seq) this.#sync();
    });
  }

  #refused(frame) {
    const command = frame.id ? this.pending.get(frame.id) : null;
    if (frame.code === "too_fast" && command) {
      this.#schedule("resend", RESEND_AFTER_TOO_FAST, () => this.#repeat("resend", this.pending));
      return;
    }
    if (frame.code === "too_fast" && !frame.id && this.isSyncRefusable) {
      // The timer repeats the sync, unless a state that the server sent by itself has ended it.
      this.isSyncRefusable = false;
      return;
    }
    this.pending.delete(frame.id);
    this.messages.delete(frame.id);
    if (frame.code === "stale") this.#sync();
    if (frame.code === "reload") this.#close(null);
    this.options.onFrame({ ...frame, command: command?.t ?? null }, { roundTrip: null });
  }

  #repeat(timer, unanswered) {
    if (!this.hasJoined || !unanswered.size) return;
    for (const frame of unanswered.values()) this.#send(frame);
    this.#schedule(timer, RESEND_AFTER, () => this.#repeat(timer, unanswered));
  }

  #ping() {
    this.pingSentAt = this.options.now();
    this.#send({ t: "ping", seq: this.seq });
    this.#schedule("stale", STALE_AFTER, () => this.#setStatus("stale"));
    this.#schedule("giveUp", GIVE_UP_AFTER, () => this.#lost(null));
  }

  #pong(frame) {
    const roundTrip = this.pingSentAt === null ? null : this.options.now() - this.pingSentAt;
    this.pingSentAt = null;
    this.#alive();
    this.#schedule("ping", PING_EVERY, () => this.#ping());
    this.options.onFrame(frame, { roundTrip });
    this.#expect(frame.seq);
  }

  /**
   * Count the connection as working; called on every frame of the server. Before the first state only
   * that state counts: if the join has failed on the server, an error comes and then nothing.
   */
  #alive() {
    if (!this.hasJoined) return;
    this.timers.cancel("stale");
    this.timers.cancel("giveUp");
    this.#setStatus("live");
    if (this.pingSentAt !== null) {
      this.#schedule("stale", STALE_AFTER, () => this.#setStatus("stale"));
      this.#schedule("giveUp", GIVE_UP_AFTER, () => this.#lost(null));
    }
  }

  #lost(code) {
    if (FINAL_CODES.has(code)) return this.#close(code);
    this.timers.cancelAll();
    const socket = this.socket;
    this.socket = null;
    this.hasJoined = false;
    socket?.close();
    this.#setStatus("lost", code);
    const wait = delay(this.tries, this.options.random);
    this.tries += 1;
    this.#schedule("connect", wait, () => this.#connect());
  }

  #close(code) {
    this.stop();
    this.#setStatus("closed", code);
  }

  #setStatus(status, code = null) {
    if (status === this.status) return;
    this.status = status;
    this.options.onStatus(status, code);
  }

  #schedule(name, ms, action) {
    this.timers.set(name, ms, () => {
      if (!this.isStopped) action();
    });
  }
}
