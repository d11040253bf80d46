// The dice of both sides on the board. A doublet is drawn as two dice that show how many of its four
// moves are left.

import { diceCenter } from "./geometry.js";
import { throwDie } from "./motion.js";
import { DIE_SIZE, drawDie, paint, showFace, showMovesLeft } from "./pieces.js";
import { mark } from "../lib/svg.js";

const GAP = 3.6; // between two dice, in board units

/** @typedef {{value:number,isUsed?:boolean,isNext?:boolean,side:string}} DieView */
export class DiceLayer {
  #dice = []; // {element, view, where, index, count}
  #isThrown = false; // the shown dice were drawn for a throw, which may still run

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
    const wanted = [["own", own], ["enemy", enemy]].flatMap(([where, views]) => diceOf(views).map(
      (view, index, dice) => ({ view, where, index, count: dice.length })));
    if (ms <= 0 && !this.#isThrown && hasSameFaces(wanted, this.#dice)) {
      this.#dice.forEach((die, at) => this.#update(die, wanted[at].view));
      return;
    }
    this.#isThrown = ms > 0;
    this.#dice = wanted.map((die) => ({ ...die, element: this.#draw(die) }));
    this.layer.replaceChildren(...this.#dice.map((die) => die.element));
    this.paint(colors);
    this.place(layout);
    if (ms > 0) for (const { element, view, where, index } of this.#dice) {
      throwDie(element, { value: view.value, index, isOwn: where === "own", isMirrored: layout.isMirrored }, ms, showFace);
    }
  }

  #draw({ where, view, index }) {
    const element = drawDie();
    if (this.isInteractive) mark(element, "data-testid", where === "own" ? `die-${index}` : `enemy-die-${index}`);
    mark(element, "data-value", view.value);
    showFace(element, view.value);
    showState(element, view);
    if (view.left !== undefined) showMovesLeft(element, view.left);
    element.querySelector(".die-cube").style.transform = `rotate(${restingTurn(view.value, index)}deg)`;
    return element;
  }

  /** Show a new state of the same die on its element; drawing a new one would delay each tap. */
  #update(die, view) {
    const { element } = die;
    showState(element, view);
    if (view.left !== die.view.left) showMovesLeft(element, view.left);
    for (const name of ["role", "aria-label"]) mark(element, name, null); // the method `name` sets them again
    die.view = view;
  }

  /** @param {Record<string,string>} colors light or dark for each side */
  paint(colors) {
    for (const { element, view } of this.#dice) paint(element, colors[view.side]);
  }

  /** Name the dice for screen readers. @param {(die:DieView) => string} nameOf */
  name(nameOf) {
    for (const { element, view } of this.#dice) {
      mark(element, "role", "img");
      mark(element, "aria-label", nameOf(view));
    }
  }

  /** Center each side's dice in its half of the board, at slightly different heights. */
  place(layout) {
    for (const { element, where, index, count } of this.#dice) {
      const { x, y } = diceCenter(layout, where === "own");
      const first = x - ((count - 1) * (DIE_SIZE + GAP)) / 2;
      const aside = count > 1 ? (index % 2 ? 0.9 : -0.9) : 0;
      element.style.transform = `translate(${first + index * (DIE_SIZE + GAP)}px, ${y + aside}px)`;
    }
  }
}

function showState(element, { isUsed, isNext }) {
  element.classList.toggle("is-used", Boolean(isUsed));
  element.classList.toggle("is-next", Boolean(isNext));
  mark(element, "data-used", Boolean(isUsed));
}

/** Return whether the dice are equal in number, side and value. */
function hasSameFaces(dice, others) {
  const face = ({ view, where }) => `${where} ${view.side} ${view.value} ${view.left !== undefined}`;
  return dice.length === others.length && dice.every((die, at) => face(die) === face(others[at]));
}

/**
 * Return the dice to draw: the four moves of a doublet become two dice, each with the number of its
 * two moves that are left.
 * @param {DieView[]} views
 * @returns {(DieView & {left?:number})[]}
 */
export function diceOf(views) {
  if (views.length !== 4) return views;
  return [views.slice(0, 2), views.slice(2)].map((moves) => {
    const left = moves.filter((view) => !view.isUsed).length;
    return { ...moves[0], left, isUsed: left === 0, isNext: moves.some((view) => view.isNext) };
  });
}

/** Return the angle of a resting die in degrees, the same each time for a value and an index. */
export function restingTurn(value, index) {
  return ((value * 5 + index * 9) % 13) - 6;
}
