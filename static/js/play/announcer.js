// The status line: what just happened and what to do now, for eyes and for screen readers.

import { part, setText } from "../lib/dom.js";

export class Announcer {
  #news = "";
  #prompt = "";

  /** @param {Element} element the page's role=status line, with its parts news and prompt */
  constructor(element) {
    this.element = element;
  }

  /** News stays until the player acts or newer news comes. */
  say(text) {
    if (!text) return;
    this.#news = text;
    setText(part("news", this.element), text);
  }

  /** One's own act makes older news old. */
  clear() {
    this.#news = "";
    setText(part("news", this.element), "");
  }

  prompt(text) {
    this.#prompt = text;
    setText(part("prompt", this.element), text);
  }

  get text() {
    return [this.#news, this.#prompt].filter(Boolean).join(" ");
  }
}
