// Round buttons in the middle of the board, where players look: roll, undo, end the turn. They repeat
// buttons of the action bar for pointers; keyboards and screen readers use the action bar.

import { diceCenter } from "../board/geometry.js";
import { setHidden } from "../lib/dom.js";

const SAFE_AFTER = 350; // ms; a new button ignores presses, which may have been meant for a checker

export class MiddleButtons {
  #shownAt = new Map(); // by name of the action

  /**
   * @param {Element} root holds a button for each action
   * @param {Board} board
   * @param {Element} host of the board; `root` has its size
   */
  constructor(root, board, host) {
    this.root = root;
    this.board = board;
    this.host = host;
  }

  #button(name) {
    return this.root.querySelector(`[data-action="${name}"]`);
  }

  /** Put the buttons in the middle of both halves of the board; called when the layout changes. */
  place() {
    const matrix = this.board.root.getScreenCTM();
    if (!matrix) return;
    const box = this.host.getBoundingClientRect();
    const set = (name, value) => this.root.style.setProperty(`--${name}`, `${value.toFixed(1)}px`);
    for (const isOwn of [true, false]) {
      const center = diceCenter(this.board.layout, isOwn);
      const { x, y } = new DOMPoint(center.x, center.y).matrixTransform(matrix);
      set(isOwn ? "own-x" : "enemy-x", x - box.x);
      set("middle-y", y - box.y);
    }
  }

  /**
   * @param {{roll:boolean,done:boolean,undo:boolean,isEnding:boolean}} now the buttons to show;
   *   isEnding = the turn is about to end automatically
   */
  draw(now) {
    for (const name of ["roll", "done", "undo"]) {
      const button = this.#button(name);
      if (button.hidden && now[name]) this.#shownAt.set(name, performance.now());
      setHidden(button, !now[name]);
    }
    this.#button("done").dataset.ending = String(now.isEnding);
  }

  /** Return whether the button appeared too recently for a press to be meant for it. */
  isTooEarly(button) {
    return this.root.contains(button) && performance.now() - this.#shownAt.get(button.dataset.action) < SAFE_AFTER;
  }

  /** Handle a press on the dice: roll, swap them before the first move, or end a complete turn. */
  pressDice(turn) {
    if (turn.canUndo || !turn.isActive) this.#press(turn.isActive ? "done" : "roll");
    else turn.swap();
  }

  #press(name) {
    if (!this.#button(name).hidden) this.#button(name).click();
  }
}
