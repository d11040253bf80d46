// A still board for pages that show a position: the rules and whoever else needs a diagram.

import { Board } from "./board.js";
import { OFF, makeLayout } from "./geometry.js";
import { svg } from "./svg.js";

/**
 * A board with nothing to press, seen by White unless told otherwise.
 * @param {Element} element
 * @param {{variant:string,white:number[],black:number[],dice?:number[]|null,diceSide?:string,
 *   cube?:{value:number,owner:string|null}|null,highlights?:number[],
 *   arrows?:{from:number,to:number,kind?:string}[],side?:string,label?:string}} options
 *   highlights and arrows in the viewer's numbers
 * @returns {Board}
 */
export function drawDiagram(element, options) {
  const { variant, white, black, side = "white", dice = null, diceSide = side } = options;
  const board = new Board(element, { isInteractive: false, label: options.label });
  const hasTrays = white[OFF] + black[OFF] > 0;
  board.setLayout(makeLayout({ variant, isWide: true, hasTrays }));
  board.setPosition({ white, black }, side);
  const faces = (dice ?? []).map((value) => ({ value, color: diceSide }));
  board.setDice(diceSide === side ? { own: faces } : { enemy: faces });
  if (options.cube) {
    const { owner, value } = options.cube;
    board.setCube({ where: owner === null ? "center" : owner === side ? "own" : "enemy", value });
  }
  board.setHints({ culprits: options.highlights ?? [] });
  drawArrows(board, options.arrows ?? []);
  return board;
}

function drawArrows(board, arrows) {
  board.layers.hints.append(...arrows.map(({ from, to, kind = "good" }) => {
    const start = board.spotOf(from, true);
    const end = board.spotOf(to, true, 1);
    return arrow(start, end, kind);
  }));
}

function arrow(start, end, kind) {
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const back = (turn, length) => `${end.x - length * Math.cos(angle + turn)} ${end.y - length * Math.sin(angle + turn)}`;
  return svg("g", { class: `arrow arrow-${kind}` },
    svg("path", { class: "arrow-line", d: `M${start.x} ${start.y}L${back(0, 2.4)}` }),
    svg("path", { class: "arrow-head", d: `M${end.x} ${end.y}L${back(0.45, 4.2)}L${back(-0.45, 4.2)}Z` }));
}
