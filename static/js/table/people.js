// The people at the table: absence, spectators, chat, rematch.

import { Chat, ReadMark } from "./chat.js";
import { clockText } from "../lib/time-text.js";
import { html, isVisible, part, setHidden, setText } from "../lib/dom.js";
import { fill } from "../text/fill.js";
import { errorText } from "../text/refusals.js";
import { drawRematch, rematchRefusal } from "./rematch.js";
import { opponent, reduce } from "../play/model.js";
import { seatName } from "../text/sentences.js";

const MOST_UNANSWERED = 5; // chat messages; the server accepts as many within ten seconds
// ms after a message was refused as too fast, in which none is sent. Otherwise, if a key is held
// down on an emoji, the page would send so many messages that the server closes the connection.
const SLOWER_FOR = 2000;

/**
 * Return the ms that a side may still be away; null while it is present or absence is not counted.
 * @param {object|null} presence of a frame
 * @param {number} passed ms since that frame came
 */
export function awayLeft(presence, side, passed) {
  const seat = presence?.[side];
  return seat?.is_absent ? Math.max(0, seat.left_ms - passed) : null;
}

/**
 * Return the state of the opponent's absence: "away"; "over" when the win can be claimed; "present";
 * null outside of play and for a spectator.
 */
export function absenceState(model, left) {
  if (["finished", "seating"].includes(model.view?.phase) || model.you.side === null) return null;
  if (left === null) return "present";
  return left > 0 ? "away" : "over";
}

function absenceText(state, name, left) {
  switch (state) {
    case "away": return fill(gettext("%(name)s is away. You may claim the win in %(time)s."), { name, time: clockText(left) });
    case "over": return fill(gettext("%(name)s is still away. Claim the win, or wait."), { name });
    default: return fill(gettext("%(name)s is back."), { name });
  }
}

/** Draw the notice of the opponent's absence, with the button that claims the match. */
function drawAbsence(model, passed, claim) {
  const line = part("absence");
  if (!line) return; // a spectator's page
  const left = awayLeft(model.presence, opponent(model), passed);
  const state = absenceState(model, left);
  const isShown = state === "away" || state === "over";
  setHidden(line, !isShown);
  const text = state && absenceText(state, seatName(model.match.seats[opponent(model)], false), left);
  sayAbsence(line, state, text);
  if (!isShown) return;
  if (!line.firstChild) line.append(html("span"), makeClaim(claim));
  setText(line.firstChild, text);
  const button = line.lastChild;
  setHidden(button, left > 0);
  line.dataset.claim = String(left <= 0);
  button.disabled = !model.you.holder;
}

/**
 * Say each change once. The notice itself is not a live region: screen readers would read its whole
 * countdown aloud.
 */
function sayAbsence(line, state, text) {
  const before = line.dataset.absence;
  line.dataset.absence = state ?? "";
  if (before === line.dataset.absence || (state === "present" && !before)) return;
  setText(part("absence-said"), text ?? "");
}

function makeClaim(claim) {
  const data = { testid: "claim" };
  return html("button", { type: "button", className: "button", onclick: claim, data }, gettext("Claim the win"));
}

function drawWatchers(model) {
  const count = model.watchers ?? 0;
  const line = part("watchers");
  if (!line) return;
  setHidden(line, !count);
  if (count) setText(part("watchers-count", line), count);
}

export class PeoplePanel {
  #presenceAt = 0;
  #noted = ""; // the last note about sending
  #slowerUntil = 0; // by performance.now()
  #unanswered = new Map(); // id of a chat message without an answer -> its content

  /** @param {object} table of main.js */
  constructor(table) {
    this.table = table;
    if (!part("chat")) return; // a match against the computer has no chat
    this.chat = new Chat(part("chat"), {
      me: () => table.model.you.side ?? table.boot.member,
      isGuest: (player) => table.model.match.seats[player]?.kind === "guest",
      say: (content) => this.#say(content),
      mute: (player, isOnlyText) => table.socket.ask({ t: "mute", player, only_text: isOnlyText }),
      unmute: (player) => table.socket.ask({ t: "unmute", player }),
      report: (id) => table.socket.ask({ t: "report", id }),
      onUnread: (count) => showUnread(count),
      isCovered: () => isInColumn() && !part("result").hidden && part("result").dataset.folded !== "true",
      now: () => Date.parse(table.model.match.created_at) + table.time.at(performance.now()),
      mark: new ReadMark(table.store, table.boot.id),
    });
  }

  /** @returns {boolean} false when the message was not accepted */
  #say(content) {
    const { socket, isLive } = this.table;
    const isFull = this.#unanswered.size >= MOST_UNANSWERED || performance.now() < this.#slowerUntil;
    if (socket.status === "closed" || isFull) {
      this.#note(isLive ? slowerText() : offlineText());
      return false;
    }
    this.#unanswered.set(socket.say(content), content);
    if (!isLive) this.#note(gettext("No connection: your message will be sent when it is back."));
    return true;
  }

  #note(text) {
    this.#noted = text;
    this.chat.showNote(text);
  }

  #heard(frame) {
    this.#unanswered.delete(frame.id);
    if (!this.#unanswered.size) this.chat?.clearNote(this.#noted);
  }

  /** Return the unsent texts to their field: the connection is closed for good. */
  closed() {
    if (!this.#unanswered.size) return;
    for (const { text } of this.#unanswered.values()) if (text) this.chat.putBack(text);
    this.#unanswered.clear();
    this.#note(offlineText());
  }

  /** @returns {boolean} true when a chat message was refused */
  refused(frame) {
    const content = this.#unanswered.get(frame.id);
    if (!this.#unanswered.delete(frame.id)) return false;
    if (content.text) this.chat.putBack(content.text);
    this.chat.clearNote(this.#noted);
    if (frame.code === "too_fast") this.#slowerUntil = performance.now() + SLOWER_FOR;
    if (frame.code === "silenced") this.chat.silence(frame);
    else this.#note(frame.code === "too_fast" ? slowerText() : errorText(frame));
    return true;
  }

  /** Return why a rematch was refused; undefined for other refusals. */
  refusalText(frame) {
    return rematchRefusal(frame);
  }

  /** Handle a new state of the match. */
  /** Handle the first state of a connection, after which the server says if the chat is turned off. */
  begin(frame) {
    this.chat?.silence({ until: null, note: "" });
    this.join(frame);
  }

  join(frame) {
    const { model, boot } = this.table;
    this.#presenceAt = performance.now();
    this.chat?.show(model.you.side, boot.member);
    this.draw();
  }

  receive(frame) {
    if (frame.t === "said") return this.chat?.add(frame);
    if (frame.t === "heard") return this.#heard(frame);
    if (frame.t === "hidden") return this.chat?.remove(frame.id);
    if (frame.t === "silenced") return this.chat?.silence(frame);
    if (frame.t === "presence") this.#presenceAt = performance.now();
    this.table.model = reduce(this.table.model, frame);
    return this.draw();
  }

  draw() {
    const { table } = this;
    if (!table.model.match) return;
    const now = performance.now();
    drawAbsence(table.model, now - this.#presenceAt, () => table.command("claim"));
    drawWatchers(table.model);
    this.read();
    drawRematch(table.model, table.time.at(now), (id) => table.boot.urls.match.replace(table.boot.id, id));
  }

  /**
   * Show the chat and focus it: in the column of a wide page, where the result is folded to make
   * room, else in the dialog.
   */
  showChat() {
    const { moreDialog, offers } = this.table;
    if (!isInColumn()) {
      moreDialog.open("chat");
      part("chat-list").focus({ preventScroll: true });
      return;
    }
    offers?.foldResult(true);
    moreDialog.showDetails("chat");
    const field = part("chat-text");
    (isVisible(field) ? field : part("chat-list")).focus({ preventScroll: true });
  }

  read() {
    this.chat?.read();
  }
}

/** Return whether the details are beside the board (more-dialog.js). */
const isInColumn = () => part("details-column").contains(part("details"));

const offlineText = () => gettext("Not sent: you are offline.");
const slowerText = () => gettext("A little slower, please: wait a few seconds.");

function showUnread(count) {
  for (const name of ["unread", "unread-tab"]) {
    const mark = part(name);
    setHidden(mark, !count);
    setText(mark, count);
  }
}
