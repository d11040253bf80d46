// The command box: a whole match can be played with it alone. Parsing is pure; the caller passes
// the function that runs commands.

import { BAR, ENEMY_TRAY, OFF } from "../board/geometry.js";
import { countsAt, otherSide, parsePlay } from "../board/positions.js";
import { fill } from "../text/fill.js";
import { pipsText } from "../text/sentences.js";
import { setText } from "../lib/dom.js";

/** The English commands; translated words work too. */
const COMMANDS = [
  "roll", "double", "take", "drop", "beaver", "resign", "accept", "refuse", "undo", "done",
  "next", "hint", "anyway", "board", "pips", "dice", "moves", "status", "pause", "resume", "help",
];

/**
 * Normalize a word for comparison. JavaScript lowercases the Turkish İ to i with a second dot and
 * never turns I into ı. Here I, İ, i and ı all become i, so that case and keyboard do not matter.
 */
const normalized = (word) => word.toLowerCase().replace(/i\u0307|ı/g, "i");

/**
 * @param {string} text as typed
 * @param {Record<string,string>} [aliases] other words for commands, bar and off, normalized
 * @returns {{name:string,factor?:number,written?:{source:number,target:number}[]}|null}
 */
export function parseCommand(text, aliases = {}) {
  const words = normalized(text.trim()).split(/\s+/);
  const first = aliases[words[0]] ?? words[0];
  if (COMMANDS.includes(first)) {
    if (first !== "resign") return words.length === 1 ? { name: first } : null;
    const factor = words.length > 1 ? Number(words[1]) : 1;
    return words.length <= 2 && [1, 2, 3].includes(factor) ? { name: "resign", factor } : null;
  }
  const inEnglish = normalized(text).replace(/\p{L}+/gu, (word) => aliases[word] ?? word);
  const written = text.trim() ? parsePlay(inEnglish) : null;
  return written ? { name: "play", written } : null;
}

/** Return the words for commands, bar and off in the page's language, mapped to the English ones. */
export function aliases() {
  return Object.fromEntries([
    [pgettext("typed command", "roll"), "roll"],
    [pgettext("typed command", "double"), "double"],
    [pgettext("typed command", "take"), "take"],
    [pgettext("typed command", "drop"), "drop"],
    [pgettext("typed command", "beaver"), "beaver"],
    [pgettext("typed command", "resign"), "resign"],
    [pgettext("typed command", "accept"), "accept"],
    [pgettext("typed command", "refuse"), "refuse"],
    [pgettext("typed command", "undo"), "undo"],
    [pgettext("typed command", "done"), "done"],
    [pgettext("typed command", "next"), "next"],
    [pgettext("typed command", "hint"), "hint"],
    [pgettext("typed command", "anyway"), "anyway"],
    [pgettext("typed command", "board"), "board"],
    [pgettext("typed command", "pips"), "pips"],
    [pgettext("typed command", "dice"), "dice"],
    [pgettext("typed command", "moves"), "moves"],
    [pgettext("typed command", "status"), "status"],
    [pgettext("typed command", "pause"), "pause"],
    [pgettext("typed command", "resume"), "resume"],
    [pgettext("typed command", "help"), "help"],
    [pgettext("typed move", "bar"), "bar"],
    [pgettext("typed move", "off"), "off"],
  ].map(([word, name]) => [normalized(word), name]));
}

export function helpText() {
  return gettext("Moves: 13/7 8/7, bar/20, 6/off, then done. Commands: roll, double, take, drop, beaver, resign 1 to 3, accept, refuse, undo, done, next, pause, resume. In training: hint, anyway. Questions: board, dice, moves, pips, status, help.");
}

/** Describe the position in words, from a side's view. */
export function describeBoard(position, side, variant) {
  const list = { own: [], enemy: [] };
  for (const place of [BAR, ...Array.from({ length: 24 }, (_, at) => 24 - at), OFF]) {
    const counts = countsAt(position, side, variant, place);
    for (const who of ["own", "enemy"]) {
      const shown = place === OFF && who === "enemy" ? ENEMY_TRAY : place;
      if (counts[who]) list[who].push(stackText(shown, counts[who]));
    }
  }
  const stacks = { own: list.own.join(", "), enemy: list.enemy.join(", ") };
  return fill(gettext("You: %(own)s. Opponent, in your numbers: %(enemy)s."), stacks);
}

function stackText(place, count) {
  if (place === BAR) return fill(gettext("bar (%(count)s)"), { count });
  if (place === OFF || place === ENEMY_TRAY) return fill(gettext("off (%(count)s)"), { count });
  return `${place} (${count})`;
}

export function describePips(pips, side) {
  return pipsText(pips[side], pips[otherSide(side)]);
}

export class TypedBox {
  /**
   * @param {HTMLFormElement} form
   * @param {(command:object) => string} run runs a command and returns the answer
   */
  constructor(form, run) {
    this.input = form.elements.command;
    this.answer = form.querySelector("[data-part=answer]");
    this.aliases = aliases();
    this.history = [];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(run);
    });
    this.input.addEventListener("keydown", (event) => this.#recall(event));
  }

  #say(text) {
    setText(this.answer, text);
  }

  #submit(run) {
    const text = this.input.value.trim();
    if (!text) return;
    const command = parseCommand(text, this.aliases);
    if (!command) {
      this.#say(gettext("Unknown command. Type “help” for the list of commands."));
      this.input.select();
      return;
    }
    this.history.push(text);
    this.at = this.history.length;
    this.input.value = "";
    this.#say(run(command));
  }

  /** Recall earlier input with the arrow keys. */
  #recall(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const at = (this.at ?? this.history.length) + (event.key === "ArrowUp" ? -1 : 1);
    if (at < 0 || at > this.history.length) return;
    this.at = at;
    this.input.value = this.history[at] ?? "";
    event.preventDefault();
  }
}
