// The dialog behind "More", in tabs: resigning and leaving, options, dice; on phones also the
// details of the match. A wide page has the details in its column, with tabs for chat and moves.

import { otherSide } from "../board/positions.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { awayOf } from "../play/model.js";
import { KIND_OF, resignCost } from "../text/points.js";

const WIDE = "(min-width: 1000px) and (min-height: 521px)"; // a lower page has no room for the column

/** Connect the form fields with data-setting to the settings. */
export function bindOptions(root, settings, variant) {
  const nameOf = (field) => (field.dataset.setting === "mirror" ? settings.mirrorName(variant) : field.dataset.setting);
  const fields = [...root.querySelectorAll("[data-setting]")];
  const show = () => {
    for (const field of fields) {
      const value = settings.get(nameOf(field));
      if (field.type !== "checkbox") field.value = value;
      else field.checked = field.value === "on" ? value : value === field.value;
    }
    // If a tap plays a checker, a double click is two such taps.
    setHidden(part("double-click", root), settings.get("tap") === "play");
  };
  for (const field of fields) {
    field.addEventListener("change", () => settings.set(nameOf(field), valueOf(field)));
  }
  settings.onChange(show);
  show();
}

function valueOf(field) {
  if (field.type !== "checkbox") return field.value;
  if (field.value === "on") return field.checked;
  return field.checked ? field.value : "random"; // the choice `entropy`: "ask" or "random"
}

/**
 * Return the factors up to the first one that loses the match; higher ones cost the same.
 * @param {number[]} factors ascending, as the server permits them
 * @param {object} view of a frame
 * @param {"white"|"black"} side the side that resigns
 */
export function factorsToOffer(factors, view, side) {
  const missing = awayOf(view, otherSide(side)) ?? Infinity;
  const last = factors.findIndex((factor) => factor * view.cube.value >= missing);
  return last < 0 ? factors : factors.slice(0, last + 1);
}

/**
 * Return the factors that the rules count with the present cube, whatever the position.
 * @param {{mars:boolean,koks:boolean,jacoby:boolean}} rules
 * @param {{owner:string|null}} cube
 */
function countedFactors({ mars, koks, jacoby }, cube) {
  if (!mars || (jacoby && cube.owner === null)) return [1];
  return koks ? [1, 2, 3] : [1, 2];
}

/**
 * Return the factors whose buttons are shown. Those that are not possible now, because the opponent
 * is on turn or has refused them, are shown too: if a button below moved during a press, the press
 * would be lost.
 */
export function factorsToShow(possible, rules, view, side) {
  const counted = factorsToOffer(countedFactors(rules, view.cube), view, side);
  return [...new Set([...counted, ...possible])];
}

function markCurrent(tabs, isCurrent) {
  for (const tab of tabs) {
    if (isCurrent(tab)) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

/**
 * Scroll the list of moves to its end. Called when a tab is shown, since a hidden list cannot be
 * scrolled.
 */
function showLastMove() {
  const list = part("moves");
  list.scrollTop = list.scrollHeight;
}

export class MoreDialog {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {{command:(t:string,fields?:object) => void,leave:() => void,isOver:() => boolean,losesMatch:() => boolean,losesStake:() => boolean,isBeforeRoll:() => boolean,cubeValue:() => number,settle:(panel:Element) => void,loadQuestions:() => Promise<object>,readChat:() => void}} table
   */
  constructor(dialog, table) {
    this.dialog = dialog;
    this.table = table;
    this.asked = null; // the argument of `#confirm`
    this.questions = null; // module of the questions; null until it has loaded
    this.agreed = null; // the question after which the player gave up the match
    this.typedHint = part("answer").textContent;
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close(); // the backdrop
      const name = event.target.closest("[data-tab-name]")?.dataset.tabName;
      if (name) this.#show(name);
    });
    part("details").addEventListener("click", (event) => {
      const name = event.target.closest("[data-details-tab]")?.dataset.detailsTab;
      if (name) this.showDetails(name);
    });
    dialog.addEventListener("close", () => this.#confirm(null));
    this.#moveDetails();
  }

  /** Put the details in the column if there is one, else in the dialog. */
  #moveDetails() {
    const details = part("details");
    const wide = matchMedia(WIDE);
    const place = () => part(wide.matches ? "details-column" : "details-sheet").append(details);
    wide.addEventListener("change", place);
    place();
  }

  /** @param {"match"|"moves"|"chat"|"play"|"looks"|"sounds"|"dice"} tab */
  open(tab = "match") {
    setText(part("answer"), this.typedHint);
    this.#show(tab);
    this.dialog.showModal();
    if (tab === "chat") this.table.readChat();
  }

  #show(name) {
    this.dialog.dataset.tab = name;
    markCurrent(this.dialog.querySelectorAll("[data-tab-name]"), (tab) => tab.dataset.tabName === name);
    this.dialog.scrollTop = 0;
    if (name === "chat" && this.dialog.open) this.table.readChat();
    showLastMove();
  }

  /** Show a tab of the column. @param {"chat"|"moves"} name */
  showDetails(name) {
    const details = part("details");
    details.dataset.tab = name;
    markCurrent(details.querySelectorAll("[data-details-tab]"), (tab) => tab.dataset.detailsTab === name);
    if (name === "chat") this.table.readChat();
    showLastMove();
  }

  close() {
    this.dialog.close();
  }

  /** @param {object} may actions allowed now: empty during a scene or a wait, unlike `model.may` */
  draw(model, view, may) {
    const isOver = view.phase === "finished";
    this.#drawResignations(model, view, may.resign ?? [], isOver);
    setHidden(part("resign-title", this.dialog), isOver);
    setHidden(part("leave-title", this.dialog), !isOver);
    setHidden(part("leaving", this.dialog), model.you.side === null);
    const mayGiveUp = !isOver && model.you.holder;
    setHidden(this.dialog.querySelector("[data-action=resign-match]"), !mayGiveUp);
    // Where leaving loses the match, it does the same as giving up: one button is enough.
    setHidden(this.dialog.querySelector("[data-action=leave]"), mayGiveUp && this.table.losesMatch());
    const pause = this.dialog.querySelector("[data-action=pause]");
    setHidden(pause, !model.may.pause);
    pause.disabled = !may.pause;
  }

  /** Draw the resignations and their cost. */
  #drawResignations({ match, you }, view, permitted, isOver) {
    const possible = factorsToOffer(permitted, view, you.side);
    const shown = isOver ? [] : factorsToShow(possible, match.rules, view, you.side);
    for (const button of this.dialog.querySelectorAll("[data-action=resign]")) {
      const factor = Number(button.dataset.factor);
      const isShown = shown.includes(factor);
      setHidden(button, !isShown);
      button.disabled = !possible.includes(factor);
      if (isShown) setText(button, resignCost(KIND_OF[factor], factor * view.cube.value));
    }
    setHidden(part("resign-hint", this.dialog), isOver);
  }

  /**
   * Handle a press; ask for confirmation first if it costs something.
   * @returns {boolean} handled
   */
  act(action, button) {
    if (["resign", "resign-match", "leave"].includes(action)) this.#ask(action, button);
    else if (action === "confirm-yes") this.#confirmed();
    else if (action === "confirm-no") this.#confirm(null);
    else return false;
    return true;
  }

  /** Ask before doing what the button says; do nothing if the questions cannot be loaded. */
  async #ask(action, button) {
    const { table } = this;
    if (action === "leave" && table.isOver()) return table.leave();
    this.questions ??= await table.loadQuestions().catch(() => null);
    if (!this.questions) return null;
    return this.#confirm(this.questions.questionOf(action, button, table, () => this.#giveUp()));
  }

  #giveUp() {
    this.agreed = this.questions.giveUpQuestion(this.table);
    this.table.command("resign_match");
  }

  /** Return whether giving up the match still means what the player agreed to. */
  isStillAgreed() {
    return !this.table.isOver() && this.agreed === this.questions?.giveUpQuestion(this.table);
  }

  /**
   * Do what the player has agreed to, unless the match has gone on meanwhile: if the question has
   * changed, for example its price, ask again; if its button is hidden by now, only close the
   * question.
   */
  #confirmed() {
    const { asked } = this;
    const text = asked?.text();
    if (asked?.button.hidden) return this.#confirm(null);
    if (text && text !== part("text", part("confirm", this.dialog)).textContent) return this.#confirm(asked);
    asked?.run();
    return this.close();
  }

  /**
   * Show a question, or close it.
   * @param {{button:Element,text:() => string,yes:string,run:() => void}|null} question
   */
  #confirm(question) {
    const box = part("confirm", this.dialog);
    this.asked = question;
    if (question) {
      setText(part("text", box), question.text());
      setText(box.querySelector("[data-action=confirm-yes]"), question.yes);
    }
    setHidden(box, !question);
    if (!question) return;
    this.table.settle(box); // the second press of a double click must not agree unread
    box.querySelector("[data-action=confirm-no]").focus();
  }
}
