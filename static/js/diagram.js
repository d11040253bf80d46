// Draws the boards of the rules pages. Each figure bears its position as data and in words; the
// words stay for those who listen and for pages without script.

import { drawDiagram } from "./board-svg.js";
import { pointBox } from "./geometry.js";
import { svg } from "./svg.js";

const ROUTE_INNER = 2.6; // distance of White's road from the middle line of the board
const ROUTE_OUTER = 6.4;

for (const figure of document.querySelectorAll("[data-diagram]")) show(figure);

function show(figure) {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const host = figure.querySelector(".diagram-board");
  const label = figure.querySelector(".diagram-position").textContent.trim();
  const arrows = [...withKind(data.good, "good"), ...withKind(data.bad, "bad")];
  const board = drawDiagram(host, { ...data, arrows, label });
  if (data.routes) board.layers.hints.append(...routes(board.layout));
  host.hidden = false;
  figure.classList.add("is-drawn");
}

function withKind(moves, kind) {
  return moves.map(([from, to]) => ({ from, to, kind }));
}

function routes(layout) {
  const isLong = layout.variant === "long";
  return [
    road(layout, "white", ROUTE_INNER, { isFromTop: true, turnsLeft: true }),
    // Short: the same road the other way. Long: the same way round, from the other corner.
    road(layout, "black", ROUTE_OUTER, { isFromTop: false, turnsLeft: !isLong }),
  ];
}

/** One side's road: along one row, round the end of the board, back along the other row. */
function road({ field, half, ...layout }, side, offset, { isFromTop, turnsLeft }) {
  const middle = field.y + half;
  const left = pointBox({ field, half, ...layout }, 13);
  const right = pointBox({ field, half, ...layout }, 24);
  const inset = turnsLeft ? 1 : -1;
  const near = turnsLeft ? left.x + 4 : right.x + right.width - 4;
  const far = turnsLeft ? right.x + right.width / 2 : left.x + left.width / 2;
  const [from, to] = isFromTop ? [middle - offset, middle + offset] : [middle + offset, middle - offset];
  const bend = near + inset * offset;
  // The way the bend is drawn: counterclockwise on the screen, but for Black in short.
  const sweep = isFromTop === turnsLeft ? 0 : 1;
  const d = `M${far} ${from}H${bend}A${offset} ${offset} 0 0 ${sweep} ${bend} ${to}H${far}`;
  const head = `M${far + inset * 3} ${to}l${-inset * 4.4} -2v4Z`;
  return svg("g", { class: `route route-${side}` },
    svg("path", { class: "route-halo", d }),
    svg("path", { class: "route-line", d }),
    svg("path", { class: "route-head", d: head }));
}
