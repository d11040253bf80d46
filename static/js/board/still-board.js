// A static board for pages that show a position, such as the rules.

import { Board } from "./board.js";
import { OFF, makeLayout } from "./geometry.js";

/**
 * Draw a board without controls, seen from White's side by default.
 * @param {Element} element
 * @param {{variant:string,white:number[],black:number[],dice?:number[]|null,diceSide?:string,
 *   cube?:{value:number,owner:string|null}|null,highlights?:number[],
 *   arrows?:{from:number,to:number,kind?:string}[],side?:string,label?:string}} options
 *   highlights and arrows are points as `side` numbers them
 * @returns {Board}
 */
export function drawDiagram(element, options) {
  const { variant, white, black, side = "white", dice = null, diceSide = side } = options;
  const board = new Board(element, { isInteractive: false, label: options.label });
  const hasTrays = white[OFF] + black[OFF] > 0;
  board.setLayout(makeLayout({ variant, isWide: true, hasTrays }));
  board.setPosition({ white, black }, side);
  const faces = (dice ?? []).map((value) => ({ value, side: diceSide }));
  board.setDice(diceSide === side ? { own: faces } : { enemy: faces });
  if (options.cube) {
    const { owner, value } = options.cube;
    board.setCube({ where: owner === null ? "center" : owner === side ? "own" : "enemy", value });
  }
  board.setHints({ culprits: options.highlights ?? [] });
  board.showArrows(options.arrows ?? []);
  return board;
}
