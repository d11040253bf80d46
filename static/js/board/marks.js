// Marks on the board: movable checkers, targets, and checkers that block a move.

import { svg } from "../lib/svg.js";

/** Draw a green dot with a ring on a movable checker; beside the stack count if it has one. */
export function movableHint({ x, y }, checker) {
  const aside = checker?.classList.contains("has-count") ? 3.3 : 0;
  return svg("g", { class: "movable-hint", transform: `translate(${x + aside} ${y + aside})` },
    svg("circle", { class: "hint-ring", r: 2.3 }), svg("circle", { class: "hint-dot", r: 1.25 }));
}

/**
 * Draw an open circle where a checker would land: dashed for a move with several dice, around the
 * enemy's checker for a hit.
 */
export function targetHint({ x, y }, { isCombined, isHit, isTray }) {
  const name = `target-hint${isCombined ? " is-combined" : ""}${isHit ? " is-hit" : ""}`;
  const r = isHit ? 5.4 : isTray ? 2.6 : 3.6;
  return svg("g", { class: name, transform: `translate(${x} ${y})` },
    svg("circle", { class: "hint-rim", r }), svg("circle", { class: "hint-line", r }));
}

/**
 * Draw a frame around a place that a refusal names.
 * @param {SVGElement|null} element the place's own
 */
export function culpritMark(element) {
  const box = element?.querySelector(".place-focus").cloneNode();
  box?.setAttribute("class", "culprit");
  return box ?? svg("g");
}

/** Draw the path of one move as a dotted line with a small ring at its start. */
export function traceMark(from, to) {
  return svg("g", { class: "trace" },
    svg("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}` }),
    svg("circle", { cx: from.x, cy: from.y, r: 1.1 }));
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
