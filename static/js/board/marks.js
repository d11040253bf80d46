// The marks on the board: what can move, where to, what is in the way.

import { svg } from "../lib/svg.js";

/** A green dot with a ring on a checker that can move; beside the number where it bears one. */
export function movableHint({ x, y }, checker) {
  const aside = checker?.classList.contains("has-count") ? 3.3 : 0;
  return svg("g", { class: "movable-hint", transform: `translate(${x + aside} ${y + aside})` },
    svg("circle", { class: "hint-ring", r: 2.3 }), svg("circle", { class: "hint-dot", r: 1.25 }));
}

/**
 * An open circle where a checker would land; dashed for a way of several dice, round the enemy's
 * checker for one that can be hit.
 */
export function targetHint({ x, y }, { isCombined, isHit, isTray }) {
  const name = `target-hint${isCombined ? " is-combined" : ""}${isHit ? " is-hit" : ""}`;
  const r = isHit ? 5.4 : isTray ? 2.6 : 3.6;
  return svg("g", { class: name, transform: `translate(${x} ${y})` },
    svg("circle", { class: "hint-rim", r }), svg("circle", { class: "hint-line", r }));
}

/** A frame round a place that a refusal names. @param {SVGElement|null} element the place's own */
export function culpritMark(element) {
  const box = element?.querySelector(".place-focus").cloneNode();
  box?.setAttribute("class", "culprit");
  return box ?? svg("g");
}

/** The way of one move: a dotted line from where it began, where a small ring stays. */
export function traceMark(from, to) {
  return svg("g", { class: "trace" },
    svg("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}` }),
    svg("circle", { cx: from.x, cy: from.y, r: 1.1 }));
}

/** An arrow from where a checker stands to where it goes; `kind` is "good" or "bad". */
export function arrowMark(start, end, kind) {
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const back = (turn, length) => `${end.x - length * Math.cos(angle + turn)} ${end.y - length * Math.sin(angle + turn)}`;
  return svg("g", { class: `arrow arrow-${kind}` },
    svg("path", { class: "arrow-halo", d: `M${start.x} ${start.y}L${end.x} ${end.y}` }),
    svg("path", { class: "arrow-line", d: `M${start.x} ${start.y}L${back(0, 2.4)}` }),
    svg("path", { class: "arrow-head", d: `M${end.x} ${end.y}L${back(0.45, 4.2)}L${back(-0.45, 4.2)}Z` }));
}
