// Draw the boards of the rules pages. Each figure has its position as data and in words; the words
// stay for screen readers and for pages without scripts.

import { drawDiagram } from "../board/still-board.js";
import { pointBox } from "../board/geometry.js";
import { svg } from "../lib/svg.js";

// In units of board/geometry.js.
const ROUTE_INNER = 2.4; // distance of White's route from the middle line of the board
const ROUTE_OUTER = 7; // distance of Black's route
// In long nardy White's route is shortened by this, to leave room for the bend of Black's.
const BEND_ROOM = 12;

for (const figure of document.querySelectorAll("[data-diagram]")) show(figure);

function show(figure) {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const host = figure.querySelector(".diagram-board");
  const label = figure.querySelector(".diagram-position").textContent.trim();
  const arrows = [...withKind(data.good, "good"), ...withKind(data.bad, "bad")];
  const board = drawDiagram(host, { ...data, arrows, label });
  if (data.routes) board.layers.hints.append(...drawRoutes(board.layout));
  host.hidden = false;
  figure.classList.add("is-drawn");
}

function withKind(moves, kind) {
  return moves.map(([from, to]) => ({ from, to, kind }));
}

function drawRoutes(layout) {
  const isLong = layout.variant === "long";
  return [
    drawRoute(layout, "white", ROUTE_INNER, { isFromTop: true, turnsLeft: true, cutOff: isLong ? BEND_ROOM : 0 }),
    // In short backgammon Black takes the same route in reverse; in long nardy Black moves in the
    // same direction from the opposite corner.
    drawRoute(layout, "black", ROUTE_OUTER, { isFromTop: false, turnsLeft: !isLong, cutOff: 0 }),
  ];
}

/**
 * Draw one side's route: along one row, around the end of the board, back along the other row.
 * @param {number} offset distance from the middle line
 * @param {{isFromTop:boolean,turnsLeft:boolean,cutOff:number}} options cutOff = length removed at
 *   the open end
 */
function drawRoute(layout, side, offset, { isFromTop, turnsLeft, cutOff }) {
  const middle = layout.field.y + layout.half;
  const left = pointBox(layout, 13);
  const right = pointBox(layout, 24);
  const inward = turnsLeft ? 1 : -1; // direction from the bend to the middle of the row
  const bendEdge = turnsLeft ? left.x + 2 : right.x + right.width - 2;
  const openEnd = (turnsLeft ? right.x + right.width / 2 : left.x + left.width / 2) - inward * cutOff;
  const [from, to] = isFromTop ? [middle - offset, middle + offset] : [middle + offset, middle - offset];
  const bend = bendEdge + inward * ROUTE_OUTER; // the same center for routes that bend at the same end
  // The bend runs counterclockwise on the screen, except for Black in short backgammon.
  const sweep = isFromTop === turnsLeft ? 0 : 1;
  const d = `M${openEnd} ${from}H${bend}A${offset} ${offset} 0 0 ${sweep} ${bend} ${to}H${openEnd}`;
  const head = `M${openEnd + inward * 3} ${to}l${-inward * 4.4} -2v4Z`;
  return svg("g", { class: `route route-${side}` },
    svg("path", { class: "route-halo", d }),
    svg("path", { class: "route-line", d }),
    svg("path", { class: "route-head", d: head }));
}
