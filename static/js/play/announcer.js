// The status line: the latest event and the next thing to do, for eyes and for screen readers.

import { part, setText } from "../lib/dom.js";

export class Announcer {
  #news = "";
  #prompt = "";

  /**
   * @param {Element} element the role=status line with its parts news and prompt
   * @param {() => void} [said] called for each event that is shown
   */
  constructor(element, said) {
    this.element = element;
    this.said = said;
  }

  /** Show an event; it stays until a newer one replaces it or `clear` removes it. */
  say(text) {
    if (!text) return;
    this.#news = text;
    this.said?.();
    setText(part("news", this.element), text);
  }

  /** Remove the shown event, when the player acts or a new state or game is shown. */
  clear() {
    this.#news = "";
    setText(part("news", this.element), "");
  }

  /** Show the next thing to do. */
  prompt(text) {
    this.#prompt = text;
    setText(part("prompt", this.element), text);
  }

  get text() {
    return [this.#news, this.#prompt].filter(Boolean).join(" ");
  }
}
