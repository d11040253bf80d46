// A player's turn on a board: hints, dice, and what screen readers hear of each place.

import { ENEMY_TRAY, OFF } from "../board/geometry.js";
import { countsAt } from "../board/positions.js";
import { placeName } from "../text/sentences.js";

/**
 * @param {{board:Board,hand:Hand,input:Input}} parts
 * @param {{side:string,variant:string,position:Position,isBusy?:boolean,culprits?:number[]}} now
 *   side = the viewer's; position = what is shown while the hand has nothing to play
 */
export function drawTurn({ board, hand, input }, now) {
  const targets = new Map([...hand.targets].map(([place, moves]) => [place, { isCombined: moves.length > 1 }]));
  const movable = hand.isActive && !now.isBusy ? hand.movable : new Set();
  board.setHints({ movable, targets, selected: hand.selected, culprits: now.culprits });
  if (hand.isActive) board.setDice({ own: hand.dice });
  namePlaces({ board, hand }, now, { movable, targets });
  input.rove();
}

function namePlaces({ board, hand }, { side, variant, position }, { movable, targets }) {
  const shown = hand.position ?? position;
  for (const [place, element] of board.places) {
    const counts = countsAt(shown, side, variant, place === ENEMY_TRAY ? OFF : place);
    if (place === OFF) counts.enemy = 0;
    if (place === ENEMY_TRAY) counts.own = 0;
    const name = placeName(place, counts, {
      color: board.colors[side], isMovable: movable.has(place), isTarget: targets.has(place),
      isSelected: hand.selected === place,
    });
    if (element.getAttribute("aria-label") !== name) element.setAttribute("aria-label", name);
  }
}
