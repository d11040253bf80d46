// The coach at a training table: a hint on request, and a warning before a blunder counts. It uses
// the match socket; its answers are shown in two panels.

import {
  adviceText, blunderTitle, chancesOf, chancesText, choiceName, choicesOf, depthText, lossText, spokenHint, winsText,
} from "../text/coach-sentences.js";
import { html, part, setHidden, setText } from "../lib/dom.js";
import { hasChoice } from "../board/plays.js";
import { parsePlay } from "../board/positions.js";
import { withTexts } from "../lib/late-texts.js";

// Commands that the coach judges.
const JUDGED = new Set(["roll", "play", "double", "take", "drop", "beaver", "accept", "refuse"]);

export class Coach {
  #asked = null; // id of the request for a hint until it is answered
  #hint = null;
  #chosen = 0; // index of the choice that is drawn on the board
  #warning = null;
  #opener = null; // element that had the focus before a panel took it

  /** @param {object} table of main.js */
  constructor(table) {
    this.table = table;
    this.lang = table.boot.lang;
    this.panels = { hint: part("hint"), blunder: part("blunder") };
  }

  // --- Hints ---------------------------------------------------------------------------------

  get canAsk() {
    const may = this.table.mayNow();
    return Boolean(may.play || may.double || may.take || may.accept);
  }

  /** @returns {string} the answer for the command box */
  ask() {
    if (this.#asked) return gettext("The coach is thinking…");
    if (!this.canAsk) return gettext("There is no decision to make right now.");
    this.#close();
    this.#asked = crypto.randomUUID();
    this.table.socket.ask({ t: "hint", id: this.#asked, seq: this.table.model.seq });
    const text = gettext("The coach is thinking…");
    this.table.announcer.say(text);
    this.draw();
    return text;
  }

  /** @returns {boolean} true when the request for a hint was refused */
  refused(frame) {
    if (frame.code === "blunder") {
      this.#warn(frame.blunder);
      return false;
    }
    if (frame.id === null || frame.id !== this.#asked) return false;
    this.#asked = null;
    this.#noteRefusal(frame);
    this.draw();
    return true;
  }

  async #noteRefusal(frame) {
    const texts = await withTexts(import("../text/refusals.js")).catch(() => null);
    if (texts) this.#note(texts.errorText(frame));
    else this.table.announcer.clear(); // the status line still says that the coach is thinking
  }

  receive(frame) {
    if (frame.id !== this.#asked) return;
    this.#asked = null;
    if (frame.seq === this.table.model.seq) this.#show(frame);
    this.draw();
  }

  /** Forget an open request for a hint when a new state comes: the connection may have lost it. */
  join() {
    this.#asked = null;
  }

  /** Show in the panel why there is no hint: the status line may be hidden under an offer. */
  #note(text) {
    this.#hint = { kind: "note", seq: this.table.model.seq, turn: this.table.turn.text, plays: [] };
    this.#head("note", text, "");
    part("choices", this.panels.hint).replaceChildren();
    this.#open(this.panels.hint, text);
  }

  #head(kind, title, reason) {
    const panel = this.panels.hint;
    panel.dataset.kind = kind;
    panel.dataset.reasoned = String(reason !== "");
    setText(part("title", panel), title);
    setText(part("reason", panel), reason);
  }

  #show(hint) {
    this.#hint = { ...hint, turn: this.table.turn.text };
    this.#chosen = 0;
    const reason = this.#reason(hint.reason) || winsText(hint, this.lang);
    const [best] = choicesOf(hint);
    const panel = this.panels.hint;
    this.#head(hint.kind, adviceText(best.kind, best.choice), reason);
    setText(part("chances", panel), chancesText(chancesOf(hint), this.lang, this.table.model.match.rules.mars));
    setText(part("depth", panel), depthText(hint.plies));
    part("choices", panel).replaceChildren(...choicesOf(hint).map((each, index) => html("li", {}, this.#choice(each, index))));
    setHidden(part("put", panel), hint.kind === "cube");
    this.#open(panel, spokenHint(hint, reason, this.lang));
  }

  /** Return a button that draws a play on the board; for a cube action, only its text. */
  #choice({ kind, choice, loss }, index) {
    const content = [html("span", {}, choiceName(kind, choice)), html("b", {}, lossText(loss, this.lang))];
    if (kind === "cube") return html("span", { className: "choice figures" }, ...content);
    const data = { action: "hint-show", index: String(index), play: choice, testid: `hint-choice-${index}` };
    return html("button", { type: "button", className: "choice figures", data }, ...content);
  }

  // --- Warnings ------------------------------------------------------------------------------

  get isWarning() {
    return this.#warning !== null;
  }

  /**
   * Add the request for a warning to a command that has alternatives, if the player wants warnings.
   */
  withWarning(t, fields) {
    const { settings, turn, model } = this.table;
    const isChoice = t === "play" ? turn.isActive && hasChoice(turn.walk.graph) : t !== "roll" || model.may.double;
    return settings.get("warnBlunders") && JUDGED.has(t) && isChoice ? { ...fields, warn: true } : fields;
  }

  #warn(blunder) {
    this.#close();
    this.#warning = { ...blunder, seq: this.table.model.seq, turn: this.table.turn.text };
    const panel = this.panels.blunder;
    const advice = [adviceText(blunder.kind, blunder.best), this.#reason(blunder.reason)].filter(Boolean).join(" ");
    const title = blunderTitle(blunder, this.lang);
    setText(part("title", panel), title);
    setText(part("advice", panel), advice);
    setHidden(part("clock-note", panel), !this.table.model.view.clock);
    const isPlay = blunder.kind === "play";
    setText(part("anyway", panel), isPlay ? gettext("Play anyway") : gettext("Continue anyway"));
    this.#open(panel, `${title}. ${advice} ${gettext("Type “undo” to take it back, or “anyway” to continue.")}`, part("back", panel));
  }

  /** Close the warning; if it is about a play, take back the moves of the turn. */
  takeBack() {
    const isPlay = this.#warning?.kind === "play";
    this.#close();
    if (isPlay) this.table.takeBack();
    this.table.render();
  }

  /** Send the command again, without the request for a warning. */
  insist() {
    const { kind, done } = this.#warning;
    this.#close(true);
    this.table.send(...(kind === "play" ? ["play", { d: done }] : [done, {}]));
  }

  // --- Panels --------------------------------------------------------------------------------

  /** Handle a press on one of the coach's buttons. @returns {boolean} handled */
  act(action, button = null) {
    switch (action) {
      case "hint": this.table.wake(); this.ask(); return true;
      case "hint-close": this.#close(true); break;
      case "hint-show": this.#chosen = Number(button.dataset.index); break;
      case "hint-put": this.#put(); break;
      case "blunder-back": this.takeBack(); break;
      case "blunder-anyway": this.insist(); break;
      default: return false;
    }
    this.table.render();
    return true;
  }

  #put() {
    const { choice } = choicesOf(this.#hint)[this.#chosen];
    this.#close();
    this.table.put(parsePlay(choice) ?? []);
  }

  /** Draw the coach's part of the page: close outdated panels, update the arrows. */
  draw() {
    const { table } = this;
    if (this.#hint && (this.#isPast(this.#hint) || !table.isLive)) this.#close();
    if (this.#warning && (this.#isPast(this.#warning) || !table.isLive)) this.#close();
    const isThinking = this.#asked !== null;
    for (const button of document.querySelectorAll("[data-action=hint]")) {
      button.disabled = !isThinking && !this.canAsk;
      button.setAttribute("aria-disabled", String(isThinking));
      button.setAttribute("aria-busy", String(isThinking));
    }
    for (const button of this.panels.hint.querySelectorAll("[data-action=hint-show]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.index) === this.#chosen));
    }
    table.board.showArrows(this.#arrows());
  }

  /** Return whether the position of a hint or a warning has changed: a move closes it. */
  #isPast({ seq, turn }) {
    return seq !== this.table.model.seq || turn !== this.table.turn.text;
  }

  /**
   * Handle the Escape key: close the hint, or close the warning and take back the play it is about.
   * @returns {boolean} whether one was open
   */
  dismiss() {
    if (!this.#hint && !this.#warning) return false;
    return this.act(this.#hint ? "hint-close" : "blunder-back");
  }

  #arrows() {
    const shown = this.#warning ? { kind: this.#warning.kind, choice: this.#warning.best }
      : this.#hint && choicesOf(this.#hint)[this.#chosen];
    if (shown?.kind !== "play") return [];
    return (parsePlay(shown.choice) ?? []).map(({ source, target }) => ({ from: source, to: target }));
  }

  #reason(code) {
    return (code && this.table.boot.coach.reasons[code]) || "";
  }

  /**
   * Open a panel. A player who is typing keeps the focus in the command box and reads the answer
   * under it.
   */
  #open(panel, spoken, focused = panel) {
    this.#opener = document.activeElement;
    this.table.announcer.clear();
    setHidden(panel, false);
    this.table.offers?.settle(panel); // a second press on Done must not play despite the warning
    if (this.#opener?.closest("[data-part=typed]")) this.table.typed.say(spoken);
    else focused.focus({ preventScroll: true });
  }

  #close(restoresFocus = false) {
    const opener = this.#opener;
    this.#hint = null;
    this.#warning = null;
    this.#opener = null;
    for (const panel of Object.values(this.panels)) setHidden(panel, true);
    if (restoresFocus && opener?.isConnected && !opener.disabled) opener.focus({ preventScroll: true });
  }
}
