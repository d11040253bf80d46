// The celebration of a won game: a wave through the winner's checkers, and five stars. The board
// imports this module when a game is won; tables load it in advance.

import { svg } from "../lib/svg.js";

const STAR = "M0-3.4 1-1.1 3.4-.9 1.6.8 2.2 3.2 0 1.9-2.2 3.2-1.6.8-3.4-.9-1-1.1Z";

/**
 * @param {{layout:Layout,layers:Record<string,SVGElement>}} board
 * @param {SVGElement[]} checkers the winner's, by place
 * @param {number} ms duration of one checker's animation
 */
export function celebrate({ layout, layers }, checkers, ms) {
  wave(checkers, ms);
  const { field, bar, half } = layout;
  const middle = { x: bar.x + bar.width / 2, y: field.y + half };
  const stars = [-2, -1, 0, 1, 2].map((at) => starMark({ x: middle.x + at * 9, y: middle.y + at * at * 0.9 - 2 }));
  layers.stars.append(...stars);
  rise(stars.map((star) => star.firstElementChild), ms * 5);
}

/** Draw one of the five stars of a won game; the path inside is animated, not the group. */
function starMark({ x, y }) {
  return svg("g", { class: "star", transform: `translate(${x} ${y})` }, svg("path", { d: STAR }));
}

/** Let the checkers rise and glow a little, one after another, once. */
function wave(checkers, ms) {
  checkers.forEach((checker, index) => {
    const how = { duration: ms, delay: index * ms * 0.12, easing: "ease-in-out" };
    for (const part of checker.querySelectorAll(".checker-face, .checker-edge")) {
      part.animate([{ translate: "0 0" }, { translate: "0 -1.1px" }, { translate: "0 0" }], how);
    }
    const shine = [0, 0.9, 0].map((opacity) => ({ opacity, visibility: "visible" }));
    checker.querySelector(".checker-lift")?.animate(shine, how);
  });
}

/** Let stars appear one after another, stay a while and fade; their groups are removed at the end. */
function rise(stars, ms) {
  stars.forEach((star, index) => {
    const shine = star.animate([
      { opacity: 0, scale: 0.5, translate: "0 3px" },
      { opacity: 1, scale: 1.08, translate: "0 0", offset: 0.16 },
      { opacity: 1, scale: 1, translate: "0 0", offset: 0.24 },
      { opacity: 1, scale: 1, translate: "0 0", offset: 0.72 },
      { opacity: 0, scale: 1, translate: "0 -2px" },
    ], { duration: ms, delay: index * 110, easing: "ease-out", fill: "both" });
    shine.onfinish = () => star.parentNode?.remove();
    shine.oncancel = shine.onfinish;
  });
}
