// Marks on the board: hints for movable checkers and targets, places that a refusal names, paths of
// moves, and arrows.

import { svg } from "../lib/svg.js";

/** Draw a small green dot on a movable checker's rim, clear of ornament and count in its middle. */
export function movableHint({ x, y }) {
  return svg("g", { class: "movable-hint", transform: `translate(${x + 3.1} ${y + 3.1})` },
    svg("circle", { class: "hint-ring", r: 1.75 }), svg("circle", { class: "hint-dot", r: 1.2 }));
}

/**
 * Draw an open circle where a checker would land: dashed for a move with several dice, around the
 * enemy's checker for a hit. On a point without a hit, the circle contains a ghost of the checker.
 * @param {{isCombined:boolean,isHit:boolean,isTray:boolean,color:"light"|"dark"}} how
 */
export function targetHint({ x, y }, { isCombined, isHit, isTray, color }) {
  const name = `target-hint${isCombined ? " is-combined" : ""}${isHit ? " is-hit" : ""}`;
  const r = isHit ? 5.3 : isTray ? 2.4 : 4.2;
  const ghost = isHit || isTray ? [] : [svg("circle", { class: "hint-ghost", r: 4.2 })];
  return svg("g", { class: name, transform: `translate(${x} ${y})`, "data-paint": color }, ...ghost,
    svg("circle", { class: "hint-rim", r }), svg("circle", { class: "hint-line", r }));
}

/**
 * Draw a frame around a place that a refusal names.
 * @param {SVGElement|null} element the place's element
 */
export function culpritMark(element) {
  const box = element?.querySelector(".place-focus").cloneNode();
  box?.setAttribute("class", "culprit");
  return box ?? svg("g");
}

/** Draw the path of one move as a dotted line with a ring at its start and a contrasting rim. */
export function traceMark(from, to) {
  const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  const ring = { cx: from.x, cy: from.y, r: 1.1 };
  return svg("g", { class: "trace" },
    svg("path", { class: "trace-rim", d }), svg("circle", { class: "trace-rim", ...ring }),
    svg("path", { class: "trace-line", d }), svg("circle", { class: "trace-line", ...ring }));
}

/** Draw an arrow from a checker to its target; `kind` is "good" or "bad". */
export function arrowMark(start, end, kind) {
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const back = (turn, length) => `${end.x - length * Math.cos(angle + turn)} ${end.y - length * Math.sin(angle + turn)}`;
  return svg("g", { class: `arrow arrow-${kind}` },
    svg("path", { class: "arrow-halo", d: `M${start.x} ${start.y}L${end.x} ${end.y}` }),
    svg("path", { class: "arrow-line", d: `M${start.x} ${start.y}L${back(0, 2.4)}` }),
    svg("path", { class: "arrow-head", d: `M${end.x} ${end.y}L${back(0.45, 4.2)}L${back(-0.45, 4.2)}Z` }));
}
