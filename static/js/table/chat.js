// The chat at the table: phrases and emoji with one tap, typed text, unread count, muting.

import { html, isVisible, part, setHidden, setText } from "../lib/dom.js";
import { momentText, readersZone } from "../lib/local-time.js";
import { readStoredJson, writeStored } from "../lib/storage.js";
import { EMOJI, PHRASES, messageText } from "../text/chat-phrases.js";
import { seatName } from "../text/sentences.js";

const MAX_TEXT = 200; // characters of a message
const MAX_TIMER = 2 ** 31 - 1; // ms; browsers fire a longer timer at once
const MAX_MESSAGES = 200; // on the page; older ones are removed

/**
 * Return whether to show a message: false if it was shown already, its author is muted, or it is a
 * typed text of an author whose texts are muted.
 * @param {Set<number>} seen ids of messages
 * @param {Set<string>} muted authors as in `by` (a side or a public id), like `textMuted`
 */
export function isWanted(message, seen, muted, textMuted = new Set()) {
  return !seen.has(message.id) && !muted.has(message.by) && !(message.text && textMuted.has(message.by));
}

/**
 * The id of the newest message read, stored for the last table visited on this device, so that a
 * reopened page does not count read messages as unread.
 */
export class ReadMark {
  static #KEY = "chat-read";

  /** @param {Storage|null} store */
  constructor(store, matchId) {
    this.store = store;
    this.matchId = matchId;
    this.id = this.#stored();
    // Never changes: a message lost on the way may come after newer ones were read on this page.
    this.before = this.id;
  }

  /** Return whether a message was read before the page was opened. */
  covers(id) {
    return id <= this.before;
  }

  #stored() {
    const { match, id } = readStoredJson(this.store, ReadMark.#KEY) ?? {};
    return match === this.matchId && Number.isInteger(id) ? id : 0;
  }

  set(id) {
    if (id <= this.id) return;
    this.id = id;
    writeStored(this.store, ReadMark.#KEY, JSON.stringify({ match: this.matchId, id }));
  }
}

function silenceText(until, note) {
  const root = document.documentElement;
  const data = { time: momentText(until, "moment", root.lang, readersZone(root)), reason: note };
  const text = note
    ? gettext("Our team has turned off chat for you until %(time)s. Reason: %(reason)s")
    : gettext("Our team has turned off chat for you until %(time)s.");
  return interpolate(text, data, true);
}

function timeOf(message) {
  const root = document.documentElement;
  return html("time", { className: "said-at", dateTime: message.at }, momentText(message.at, "time", root.lang, readersZone(root)));
}

export class Chat {
  /**
   * @param {Element} root
   * @param {{say:(content:object) => boolean,mute:(player:string, isOnlyText:boolean) => boolean,
   *   unmute:(player:string) => boolean,report:(id:number) => boolean,
   *   onUnread:(count:number) => void,me:() => string|null,isGuest:(player:string) => boolean,
   *   isCovered:() => boolean,now:() => number,mark:ReadMark}} acts say returns false when the message was not accepted,
   *   mute, unmute and report without a connection; isGuest = the player has no account; isCovered = a
   *   card lies over the chat; now = the server's time, ms since 1970
   */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    this.list = part("chat-list", root);
    this.seen = new Set(); // ids of messages that were shown, or that staff hid
    this.muted = new Set();
    this.textMuted = new Set(); // authors whose typed messages are muted
    this.stored = new Set(); // authors whose mute was sent to the server from this page
    this.taken = []; // lines removed by mutes; undoing a player's mute puts the player's lines back
    this.unread = new Set(); // ids of messages
    this.maySpeak = false;
    this.isMember = false;
    this.isSilenced = false;
    this.restored = ""; // what `putBack` left in the field
    this.mark = acts.mark;
    this.#fill();
    root.addEventListener("click", (event) => this.#click(event));
    part("chat-form", root).addEventListener("submit", (event) => this.#send(event));
  }

  /** Create the buttons for phrases and emoji; they are in the reader's language. */
  #fill() {
    const button = (data, text, label = null) =>
      html("button", { type: "button", className: "chip", data, ariaLabel: label }, text);
    const phrases = Object.entries(PHRASES).map(([code, text]) => button({ phrase: code }, text()));
    const emoji = Object.entries(EMOJI).map(([code, [symbol, name]]) => button({ emoji: code }, symbol, name()));
    part("chat-phrases", this.root).replaceChildren(...phrases);
    part("chat-emoji", this.root).replaceChildren(...emoji);
  }

  /**
   * Show the chat of a match against people. Without an account a player can send only phrases and
   * emoji, and a spectator can only read.
   * @param {string|null} side the viewer's
   * @param {string|null} member the viewer's public id
   */
  show(side, member) {
    setHidden(this.root, false);
    this.isMember = Boolean(member);
    this.maySpeak = side !== null || this.isMember;
    const { maySpeak } = this;
    this.#showSpeak();
    setHidden(part("chat-silent", this.root), maySpeak);
    setHidden(part("chat-form", this.root), !this.isMember);
    setHidden(part("chat-guest", this.root), !maySpeak || this.isMember);
    this.#showEmpty();
    setText(part("chat-title", this.root), side === null ? gettext("Spectators’ chat") : gettext("Chat"));
  }

  add(message) {
    if (!isWanted(message, this.seen, this.muted, this.textMuted)) return;
    this.seen.add(message.id);
    this.list.insertBefore(this.#line(message), this.#firstAfter(message));
    while (this.list.children.length > MAX_MESSAGES) this.list.firstChild.remove();
    this.list.scrollTop = this.list.scrollHeight;
    this.#showEmpty();
    if (this.isOpen) this.#markRead();
    else if (message.by !== this.acts.me() && !this.mark.covers(message.id)) {
      this.unread.add(message.id);
      this.#tellUnread();
    }
  }

  /** Return the line before which a message belongs, null for the end: lost messages arrive late. */
  #firstAfter({ id }) {
    return [...this.list.children].find((line) => Number(line.dataset.id) > id) ?? null;
  }

  /** Remove a message that staff hid; if it arrives later, it is not shown either. */
  remove(id) {
    this.seen.add(id);
    const isHidden = (line) => line.dataset.id === String(id);
    this.taken = this.taken.filter((line) => !isHidden(line));
    for (const line of [...this.list.children].filter(isHidden)) line.remove();
    if (this.unread.delete(id)) this.#tellUnread();
    this.#showEmpty();
  }

  #showEmpty() {
    const isEmpty = this.list.children.length + this.taken.length === 0;
    setHidden(part("chat-empty", this.root), !this.maySpeak || !isEmpty);
  }

  /**
   * Replace the fields by a sentence that says until when and why the reader may not write; restore
   * them at that moment by the server's clock.
   * @param {{until:string|null, note:string}} frame
   */
  silence({ until, note }) {
    clearTimeout(this.end);
    this.isSilenced = until !== null;
    if (this.isSilenced) {
      setText(part("chat-silenced-text", this.root), silenceText(until, note));
      this.#restoreAt(Date.parse(until));
    }
    this.#showSpeak();
  }

  #restoreAt(moment) {
    const left = moment - this.acts.now();
    this.end = setTimeout(
      () => (left > MAX_TIMER ? this.#restoreAt(moment) : this.silence({ until: null, note: "" })),
      Math.min(left, MAX_TIMER),
    );
  }

  #showSpeak() {
    setHidden(part("chat-speak", this.root), !this.maySpeak || this.isSilenced);
    setHidden(part("chat-silenced", this.root), !this.isSilenced);
  }

  #line(message) {
    const isMine = message.by === this.acts.me();
    const kind = this.acts.isGuest(message.by) ? "guest" : "user";
    const name = seatName({ kind, name: message.name }, isMine);
    const text = html("span", { className: message.emoji ? "said-sign" : "said-text" });
    text.textContent = messageText(message);
    const data = { by: message.by, id: message.id, kind: message.text ? "text" : "sign" };
    const line = html("li", { className: "said", data },
      html("b", {}, name), " ", text, " ", timeOf(message));
    if (!isMine) line.append(...this.#choices(message));
    return line;
  }

  /**
   * Return the buttons for a message. Only a player's newest typed message has "Hide text", which
   * is outside of the menu and so takes one press.
   */
  #choices(message) {
    if (!message.text) return [this.#more(message)];
    for (const older of this.list.querySelectorAll(`[data-mute-text="${message.by}"]`)) older.remove();
    const data = { muteText: message.by, testid: "mute-text" };
    const label = gettext("Hide what this player types; phrases stay");
    return [html("button", { type: "button", className: "chip chip-small", data, title: label, ariaLabel: label }, gettext("Hide text")), this.#more(message)];
  }

  #more(message) {
    const mute = html("button", { type: "button", className: "chip", data: { mute: message.by } }, gettext("Mute"));
    const more = html("details", { className: "said-more" },
      html("summary", { ariaLabel: gettext("Options for this message") }, "⋯"), mute);
    if (this.#isStored(message.by)) more.append(html("button", { type: "button", className: "chip", data: { report: message.id } }, gettext("Report")));
    return more;
  }

  /** Return whether the server stores mutes and reports: only if both people have an account. */
  #isStored(player) {
    return this.isMember && !this.acts.isGuest(player);
  }

  get isOpen() {
    return isVisible(this.root) && !this.acts.isCovered();
  }

  /** Mark all messages as read if the chat can be seen; called often, since a card may cover it. */
  read() {
    if (!this.unread.size || !this.isOpen) return;
    this.#markRead();
  }

  #markRead() {
    this.mark.set(Math.max(0, ...this.seen));
    this.unread.clear();
    this.#tellUnread();
  }

  #tellUnread() {
    this.acts.onUnread(this.unread.size);
  }

  #click(event) {
    const { phrase, emoji, mute, muteText, unmute, report } = event.target.closest("button")?.dataset ?? {};
    if (phrase) this.acts.say({ phrase });
    else if (emoji) this.acts.say({ emoji });
    else if (mute) this.#mute(mute);
    else if (muteText) this.#muteText(muteText);
    else if (unmute) this.#unmute(unmute);
    else if (report) this.#report(event.target, Number(report));
  }

  #mute(player) {
    this.muted.add(player);
    this.#take((line) => line.dataset.by === player);
    const isStored = this.#store(player, false);
    const note = isStored
      ? gettext("Muted. You no longer see this player’s messages; you can unmute them in your profile.")
      : gettext("Muted. You no longer see this player’s messages at this table.");
    this.#noteWithUndo(note, player);
  }

  #muteText(player) {
    this.textMuted.add(player);
    this.#take((line) => line.dataset.by === player && line.dataset.kind === "text");
    this.#store(player, true);
    this.#noteWithUndo(gettext("You now see only this player’s phrases and emoji."), player);
  }

  /** Store a mute on the server. @returns {boolean} false if it holds at this table only */
  #store(player, isOnlyText) {
    const isSent = this.#isStored(player) && this.acts.mute(player, isOnlyText);
    if (isSent) this.stored.add(player);
    return isSent;
  }

  #take(isTaken) {
    const lines = [...this.list.children].filter(isTaken);
    for (const line of lines) line.remove();
    this.taken.push(...lines);
  }

  /** Put all muted lines of a player back where they were. */
  #unmute(player) {
    const isSent = this.#isStored(player) && this.acts.unmute(player);
    if (this.stored.has(player) && !isSent) {
      this.#noteWithUndo(gettext("Not sent: you are offline."), player);
      return;
    }
    this.stored.delete(player);
    this.muted.delete(player);
    this.textMuted.delete(player);
    const isBack = (line) => line.dataset.by === player;
    for (const line of this.taken.filter(isBack)) {
      this.list.insertBefore(line, this.#firstAfter({ id: Number(line.dataset.id) }));
    }
    this.taken = this.taken.filter((line) => !isBack(line));
    this.showNote(gettext("You see this player’s messages again."));
  }

  #noteWithUndo(text, player) {
    this.showNote(text);
    const data = { unmute: player, testid: "unmute" };
    part("chat-note", this.root).append(" ", html("button", { type: "button", className: "chip", data }, pgettext("a mute", "Undo")));
  }

  #report(button, id) {
    button.disabled = this.acts.report(id);
    this.showNote(button.disabled ? gettext("Reported. Our team will review it.") : gettext("Not sent: you are offline."));
  }

  #send(event) {
    event.preventDefault();
    const input = part("chat-text", this.root);
    const text = input.value.trim().slice(0, MAX_TEXT);
    if (!text) return;
    if (this.acts.say({ text })) input.value = "";
  }

  /**
   * Put an unsent text back into the field, after those put back before it, unless the player is
   * writing another.
   */
  putBack(text) {
    const input = part("chat-text", this.root);
    if (input.value && input.value !== this.restored) return;
    input.value = `${input.value} ${text}`.trim().slice(0, MAX_TEXT);
    this.restored = input.value;
  }

  /** Remove a note, unless another has replaced it. */
  clearNote(text) {
    if (part("chat-note", this.root).textContent === text) this.showNote("");
  }

  /** Show what happened to a message or a request. */
  showNote(text) {
    setText(part("chat-note", this.root), text);
  }
}
