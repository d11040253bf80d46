// The table's connection: the socket, the tab that holds the seat, and the notice about both.

import { browserTimers, openSocket } from "../lib/browser.js";
import { html, part, setHidden } from "../lib/dom.js";
import { readStored, writeStored } from "../lib/storage.js";
import { CLOSED } from "../text/sentences.js";
import { MatchSocket } from "./match-socket.js";

// Close codes of the server.
const SIGNED_OUT = 4001;
const NOT_FOUND = 4004;
const RESTARTING = 4013; // the process is being replaced

export class Connection {
  /**
   * @param {object} table of main.js
   * @param {(frame:object, info:{roundTrip:number|null,isFirst?:boolean}) => void} onFrame
   */
  constructor(table, onFrame) {
    this.table = table;
    this.seat = new TabSeat(table.store, table.boot.id);
    this.seat.take();
    this.socket = new MatchSocket({
      onFrame,
      onStatus: (status, code) => this.draw(status, code),
      mayHold: () => this.seat.mayHold(),
      open: () => openSocket(table.boot.ws),
      now: () => performance.now(),
      uuid: () => crypto.randomUUID(),
      random: () => Math.random(),
      timers: browserTimers,
    });
    for (const type of ["online", "focus", "pageshow"]) addEventListener(type, () => this.socket.hurry(type === "online"));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.socket.hurry();
    });
  }

  get isLive() {
    return this.socket.status === "live" || this.socket.status === "stale";
  }

  /** @param {number|null} code close code; null without one, as after the refusal `reload` */
  draw(status = this.socket.status, code = null) {
    const { table } = this;
    const { you, view } = table.model;
    const isHeld = status === "live" && view !== null && you.side !== null && !you.holder;
    table.root.dataset.status = isHeld ? "held" : status;
    drawConnectionNotice(part("line"), { status, code, isHeld }, {
      takeSeat: () => this.#takeSeat(), hurry: () => this.socket.hurry(),
    });
    if (status === "closed") table.people?.closed();
    if (table.shown) table.render();
  }

  #takeSeat() {
    this.seat.take();
    this.socket.ask({ t: "take_seat" });
  }
}

/**
 * Record the newest tab of this browser, which holds the seat: an older tab must not take the seat
 * back by reconnecting.
 */
class TabSeat {
  /** @param {Storage|null} store null: every reconnect asks for the seat */
  constructor(store, matchId) {
    this.store = store;
    this.key = `seat:${matchId}`;
    this.tab = crypto.randomUUID();
  }

  take() {
    writeStored(this.store, this.key, this.tab);
  }

  mayHold() {
    const holder = readStored(this.store, this.key);
    return holder === null || holder === this.tab;
  }
}

/**
 * Draw the notice over the board, with a button where one helps.
 * @param {Element} line
 * @param {{status:string,code:number|null,isHeld:boolean}} state isHeld = another window or
 *   device holds the seat
 * @param {{takeSeat:() => void,hurry:() => void}} acts
 */
function drawConnectionNotice(line, { status, code, isHeld }, acts) {
  if (isHeld) show(line, gettext("You are playing this match in another window or on another device."), gettext("Play here"), acts.takeSeat);
  else if (status === "lost" && code === RESTARTING) show(line, gettext("The site is being updated. Reconnecting…"), gettext("Try now"), acts.hurry);
  else if (status === "lost") show(line, gettext("Connection lost. Reconnecting…"), gettext("Try now"), acts.hurry);
  else if (status === "stale") show(line, gettext("The server is not responding. The board may be out of date."));
  else if (status === "closed") show(line, closedText(code), gettext("Reload"), () => location.reload());
  else show(line, "");
}

function show(line, message, button = null, press = null) {
  setHidden(line, !message);
  if (line.dataset.message === message) return;
  line.dataset.message = message;
  line.replaceChildren(html("span", {}, message));
  if (!button) return;
  const data = { testid: "line-button" };
  line.append(html("button", { className: "button", type: "button", onclick: press, data }, button));
}

function closedText(code) {
  if (code === SIGNED_OUT) return gettext("You are signed out on this device. Reload the page to sign in and continue.");
  if (code === NOT_FOUND) return CLOSED.not_found();
  // The page is too old: another version of the protocol, or frames that the server cannot read.
  return CLOSED.reload();
}
