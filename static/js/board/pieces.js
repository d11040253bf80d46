// The pieces on the board: checkers, dice, the cube.

import { mark, svg } from "../lib/svg.js";

export const DIE_SIZE = 10;

/** Eight petals around the dot in a checker's middle; CSS shows them in some sets of checkers. */
const INLAY = Array.from({ length: 8 }, (_, at) => {
  const spot = (r, turn) => {
    const angle = (at + turn) * Math.PI / 4;
    return `${(r * Math.sin(angle)).toFixed(2)} ${(-r * Math.cos(angle)).toFixed(2)}`;
  };
  return `M${spot(1.75, 0)}Q${spot(2.4, 0.36)} ${spot(2.85, 0)}Q${spot(2.4, -0.36)} ${spot(1.75, 0)}Z`;
}).join("");

/** Draw a checker with its face and with the edge that a tray shows; `paint` sets its color. */
export function drawChecker() {
  const face = svg("g", { class: "checker-face" },
    svg("circle", { class: "relief checker-shade", cx: 0.55, cy: 0.95, r: 5.3 }),
    svg("circle", { class: "checker-body", r: 4.72 }),
    svg("circle", { class: "relief checker-skin", r: 4.5 }),
    svg("circle", { class: "relief checker-sheen", r: 4.5 }),
    svg("circle", { class: "relief checker-bevel", r: 4.12 }),
    svg("circle", { class: "relief checker-dish", r: 3.1 }),
    svg("circle", { class: "checker-groove", r: 3.1 }),
    svg("path", { class: "relief checker-inlay", d: INLAY }),
    svg("circle", { class: "checker-dot", r: 1 }),
    svg("circle", { class: "checker-ring", r: 1.35 }),
    svg("circle", { class: "checker-lift-rim", r: 5.1 }),
    svg("circle", { class: "checker-lift", r: 5.1 }),
    svg("text", { class: "checker-count", y: 1.45, "text-anchor": "middle" }),
  );
  const edge = svg("g", { class: "checker-edge" },
    svg("rect", { class: "checker-edge-body" }),
    svg("rect", { class: "relief checker-edge-sheen" }),
    svg("path", { class: "checker-edge-line" }),
  );
  return svg("g", { class: "checker", "aria-hidden": "true" }, face, edge);
}

/** @param {"light"|"dark"} color of a checker or a die */
export function paint(element, color) {
  mark(element, "data-paint", color);
}

/** Shape the edge for a tray beside the field (lying) or above and below it (standing). */
export function shapeEdge(checker, isLying) {
  const [width, height] = isLying ? [9.4, 3] : [3, 8.2];
  const box = { x: -width / 2, y: -height / 2, width, height, rx: 0.9 };
  for (const part of checker.querySelectorAll(".checker-edge rect")) {
    for (const [name, value] of Object.entries(box)) part.setAttribute(name, String(value));
  }
  const line = isLying ? "M-3.9 -0.55H3.9" : "M-0.55 -3.3V3.3";
  checker.querySelector(".checker-edge-line").setAttribute("d", line);
}

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/** Draw a die; `showFace` sets its value and `paint` its color. */
export function drawDie() {
  const half = DIE_SIZE / 2;
  const box = { x: -half, y: -half, width: DIE_SIZE, height: DIE_SIZE, rx: 2.1 };
  const inner = { x: -half + 0.8, y: -half + 0.8, width: DIE_SIZE - 1.6, height: DIE_SIZE - 1.6, rx: 3 };
  return svg("g", { class: "die" },
    svg("circle", { class: "relief die-shade", cx: 0.7, cy: 1.3, r: half * 1.42 }),
    svg("g", { class: "die-cube" },
      svg("rect", { ...box, y: -half + 0.95, class: "die-side" }),
      svg("rect", { ...box, class: "die-body" }),
      svg("rect", { ...inner, class: "relief die-sheen" }),
      svg("g", { class: "die-pips" }),
    ),
    svg("path", { class: "die-strike", d: `M${-half + 0.6} ${half - 0.6}L${half - 0.6} ${-half + 0.6}` }),
    svg("path", { class: "die-turn", d: `M${-half + 1.4} ${half + 2.6}H${half - 1.4}` }),
    svg("g", { class: "die-left" }),
  );
}

export function showFace(die, value) {
  const pips = PIPS[value].flatMap(([x, y]) => [
    svg("circle", { cx: x * 2.7, cy: y * 2.7, r: 1 }),
    svg("circle", { class: "relief die-pip-rim", cx: x * 2.7, cy: y * 2.7, r: 1.02 }),
  ]);
  die.querySelector(".die-pips").replaceChildren(...pips);
}

/** Draw two dots under a die of a doublet: a full one for each move that is left, else a ring. */
export function showMovesLeft(die, left) {
  const dots = [0, 1].map((at) => svg("circle", {
    class: at < left ? "is-left" : null, cx: at ? 1.7 : -1.7, cy: DIE_SIZE / 2 + 2.9, r: 0.95,
  }));
  die.querySelector(".die-left").replaceChildren(...dots);
}

/** Draw the doubling cube; `showCube` sets its value. */
export function drawCube() {
  return svg("g", { class: "cube", "data-testid": "cube" },
    svg("rect", { class: "cube-shade", x: -4.1, y: -3.6, width: 9, height: 9, rx: 1.5 }),
    svg("rect", { class: "cube-body", x: -4.6, y: -4.6, width: 9.2, height: 9.2, rx: 1.5 }),
    svg("rect", { class: "relief cube-sheen", x: -4.6, y: -4.6, width: 9.2, height: 9.2, rx: 1.5 }),
    svg("rect", { class: "cube-line", x: -3.6, y: -3.6, width: 7.2, height: 7.2, rx: 0.9 }),
    svg("text", { class: "cube-value", y: 1.75, "text-anchor": "middle" }),
  );
}

export function showCube(cube, value) {
  cube.querySelector(".cube-value").textContent = String(value);
}
