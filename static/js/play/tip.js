// A tip in the player's first turn: a tap plays a checker. It is shown once on a device.

import { BAR } from "../board/geometry.js";
import { setHidden } from "../lib/dom.js";
import { readStoredJson, writeStored } from "../lib/storage.js";

const KEY = "first-turn-tip";

export class FirstTurnTip {
  #isShown = false;

  /** @param {Element} element @param {Storage|null} storage null where the browser refuses it */
  constructor(element, storage) {
    this.element = element;
    this.storage = storage;
    this.isDue = readStoredJson(storage, KEY) === null;
  }

  /** @param {TurnInProgress} turn @param {boolean} playsByTap as the settings say */
  draw(turn, playsByTap) {
    const isShown = this.isDue && playsByTap && turn.isActive && !turn.canUndo && isPlain(turn);
    if (!isShown) this.close();
    this.#isShown = isShown;
    setHidden(this.element, !isShown);
  }

  /** Hide the tip for good if it is shown now; a tip that was not shown yet stays due. */
  close() {
    if (!this.#isShown) return;
    this.isDue = false;
    writeStored(this.storage, KEY, "true");
    setHidden(this.element, true);
  }
}

/** Return whether the player has a choice, no checker on the bar and no unplayable die. */
function isPlain(turn) {
  return !turn.forced && turn.position[turn.side][BAR] === 0 && turn.deadDice.length === 0;
}
