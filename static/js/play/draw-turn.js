// Draw a player's turn on a board: hints, dice, and the spoken name of each place.

import { ENEMY_TRAY, OFF } from "../board/geometry.js";
import { countsAt } from "../board/positions.js";
import { dieName, placeName } from "../text/sentences.js";

/**
 * @param {{board:Board,turn:TurnInProgress,input:Input}} parts
 * @param {{side:string,variant:string,position:Position,isBusy?:boolean,culprits?:number[],names?:{own:string,enemy:string}|null}} now
 *   side = the viewer's; position = the shown position while no turn is active; isBusy = a command
 *   waits for its answer, so no checker is marked as movable; names = the players' for a spectator
 */
export function drawTurn({ board, turn, input }, now) {
  const targets = new Map([...turn.targets].map(([place, moves]) => [place, { isCombined: moves.length > 1 }]));
  const movable = turn.isActive && !now.isBusy ? turn.movable : new Set();
  board.setHints({ movable, targets, selected: turn.selected, culprits: now.culprits });
  if (turn.isActive) {
    board.setDice({ own: turn.dice });
    board.dice.name(dieName);
  }
  namePlaces({ board, turn }, now, { movable, targets });
  input.rove();
}

function namePlaces({ board, turn }, { side, variant, position, names }, { movable, targets }) {
  const shown = turn.position ?? position;
  for (const [place, element] of board.places) {
    const counts = countsAt(shown, side, variant, place === ENEMY_TRAY ? OFF : place);
    if (place === OFF) counts.enemy = 0;
    if (place === ENEMY_TRAY) counts.own = 0;
    const name = placeName(place, counts, {
      color: board.colors[side], isMovable: movable.has(place), isTarget: targets.has(place),
      isSelected: turn.selected === place, names,
    });
    if (element.getAttribute("aria-label") === name) continue;
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", name);
  }
}
