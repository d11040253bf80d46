// The dice of both sides on the board.

import { diceCenter } from "./geometry.js";
import { tumble } from "./motion.js";
import { DIE_SIZE, drawDie, paint, showFace } from "./pieces.js";
import { mark } from "../lib/svg.js";

const GAP = 2.2; // between two dice, in board units

/** @typedef {{value:number,isUsed?:boolean,isNext?:boolean,color:string}} DieView color = the side */
export class DiceLayer {
  #dice = []; // {element, view, where, index, count}

  /** @param {SVGElement} layer */
  constructor(layer, isInteractive) {
    this.layer = layer;
    this.isInteractive = isInteractive;
  }

  /**
   * @param {{own?:DieView[],enemy?:DieView[]}} shown
   * @param {{colors:Record<string,string>,layout:Layout,ms:number}} how ms > 0 animates a throw that
   *   ends on these values
   */
  show({ own = [], enemy = [] }, { colors, layout, ms }) {
    const all = [["own", own], ["enemy", enemy]];
    this.#dice = all.flatMap(([where, views]) => views.map((view, index) => (
      { element: this.#draw(where, view, index), view, where, index, count: views.length })));
    this.layer.replaceChildren(...this.#dice.map((die) => die.element));
    this.paint(colors);
    this.place(layout);
    if (ms > 0) for (const { element, view, index } of this.#dice) tumble(element, view.value, index, ms, showFace);
  }

  #draw(where, view, index) {
    const element = drawDie();
    element.classList.toggle("is-used", Boolean(view.isUsed));
    element.classList.toggle("is-next", Boolean(view.isNext));
    if (this.isInteractive) mark(element, "data-testid", where === "own" ? `die-${index}` : `enemy-die-${index}`);
    mark(element, "data-value", view.value);
    mark(element, "data-used", Boolean(view.isUsed));
    showFace(element, view.value);
    return element;
  }

  /** @param {Record<string,string>} colors light or dark for each side */
  paint(colors) {
    for (const { element, view } of this.#dice) paint(element, colors[view.color]);
  }

  /** Put the dice of each side in a row around its center. */
  place(layout) {
    for (const { element, where, index, count } of this.#dice) {
      const { x, y } = diceCenter(layout, where === "own");
      const first = x - ((count - 1) * (DIE_SIZE + GAP)) / 2;
      element.style.transform = `translate(${first + index * (DIE_SIZE + GAP)}px, ${y}px)`;
    }
  }
}
