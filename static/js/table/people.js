// The people at the table: who is away and for how long he may be, who watches, what they say,
// and who would like to play again.

import { Chat, ReadMark } from "./chat.js";
import { clockText } from "../play/clock.js";
import { html, part, setHidden, setText } from "../lib/dom.js";
import { errorText } from "../text/refusals.js";
import { drawRematch } from "./rematch.js";
import { opponent, reduce } from "../play/model.js";

/**
 * Milliseconds that a side may still be away; null while it is here or nobody counts.
 * @param {object|null} presence of a frame
 * @param {number} passed ms since that frame came
 */
export function awayLeft(presence, side, passed) {
  const seat = presence?.[side];
  return seat?.is_absent ? Math.max(0, seat.left_ms - passed) : null;
}

/** The line about the opponent's absence, with the button that claims the match when it may be. */
export function drawAbsence(model, passed, claim) {
  const line = part("absence");
  const left = awayLeft(model.presence, opponent(model), passed);
  const isOver = model.view?.phase === "finished" || model.view?.phase === "seating";
  const isShown = left !== null && !isOver && model.you.side !== null; // who watches claims nothing
  setHidden(line, !isShown);
  if (!isShown) return;
  const name = model.match.seats[opponent(model)].name;
  const text = left > 0
    ? gettext("%(name)s is away. The clock runs on; you may claim the match in %(time)s.")
    : gettext("%(name)s has been away for too long. Claim the match, or wait.");
  const words = interpolate(text, { name, time: clockText(left) }, true);
  if (!line.firstChild) line.append(html("span"), makeClaim(claim));
  // Said once when he goes and once when it may be claimed: a countdown read aloud is noise.
  setText(line.firstChild, words);
  const button = line.lastChild;
  setHidden(button, left > 0);
  button.disabled = !model.you.holder;
}

function makeClaim(claim) {
  const data = { testid: "claim" };
  return html("button", { type: "button", className: "button", onclick: claim, data }, gettext("Claim the match"));
}

export function drawWatchers(model) {
  const count = model.watchers ?? 0;
  const line = part("watchers");
  if (!line) return;
  setHidden(line, !count);
  if (count) setText(part("watchers-count", line), count);
}

export class PeoplePanel {
  #heardAt = 0;
  #sayings = new Set(); // ids of what was said and may still be refused

  /** @param {object} table model, link, boot, time, command of table.js */
  constructor(table) {
    this.table = table;
    if (!part("chat")) return; // nobody talks to a computer
    this.chat = new Chat(part("chat"), {
      me: () => table.model.you.side ?? table.boot.member,
      say: (what) => this.#say(what),
      mute: (player) => table.socket.ask({ t: "mute", player }),
      report: (id) => table.socket.ask({ t: "report", id }),
      onUnread: (count) => showUnread(count),
      mark: new ReadMark(table.store, table.boot.id),
    });
  }

  /** Not among the commands: what is said waits for nothing and holds up no move. */
  #say(what) {
    const id = crypto.randomUUID();
    this.#sayings.add(id);
    if (!this.table.isLive) this.chat.tell(gettext("Not sent: there is no connection."));
    else this.table.socket.ask({ t: "say", id, ...what });
  }

  /** @returns {boolean} whether the refusal was of something said */
  refused(frame) {
    if (!this.#sayings.delete(frame.id)) return false;
    this.chat.tell(frame.code === "too_fast" ? gettext("Not so fast: wait a few seconds.") : errorText(frame));
    return true;
  }

  /** A whole state has come. */
  join(frame) {
    const { model, boot } = this.table;
    this.#heardAt = performance.now();
    this.chat?.show(model.match, model.you.side, boot.member);
    this.draw();
  }

  receive(frame) {
    if (frame.t === "said") return this.chat?.add(frame);
    if (frame.t === "hidden") return this.chat?.remove(frame.id);
    if (frame.t === "presence") this.#heardAt = performance.now();
    this.table.model = reduce(this.table.model, frame);
    return this.draw();
  }

  draw() {
    const { table } = this;
    if (!table.model.match) return;
    const now = performance.now();
    drawAbsence(table.model, now - this.#heardAt, () => table.command("claim"));
    drawWatchers(table.model);
    drawRematch(table.model, table.time.at(now), (id) => table.boot.urls.match.replace(table.boot.id, id));
  }

  /** The chat has come into sight. */
  read() {
    this.chat?.read();
  }
}

function showUnread(count) {
  const mark = part("unread");
  setHidden(mark, !count);
  setText(mark, count);
}
