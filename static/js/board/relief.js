// Light and material of the board: gradients and textures that all boards on the page share, laid
// over their flat colors. The light comes from the upper left. The board is complete without them:
// in high contrast CSS hides elements with the class `relief`.

import { svg } from "../lib/svg.js";

const ID = "board-relief";
// Looks without materials (css/board/looks.css); all others are on sale.
const FREE = new Set(["classic", "night", "sand", "contrast", "ruby", "sea"]);

/** Add the shared definitions to the page, once; the materials of the looks on sale come later. */
export function needRelief() {
  if (document.getElementById(ID)) return;
  const defs = svg("defs", {}, ...gradients(), ...textures());
  document.body.append(svg("svg", { id: ID, class: "relief-defs", width: 0, height: 0, "aria-hidden": "true", focusable: "false" }, defs));
  addMaterialsWhenShown(defs);
}

/** Return whether an element shows a look on sale. */
function isOnSale({ dataset: { board, checkers } }) {
  return [board, checkers].some((name) => name && !FREE.has(name));
}

/** Add the materials at once if a look on sale is on the page, else when the player chooses one. */
function addMaterialsWhenShown(defs) {
  if ([...document.querySelectorAll("[data-board], [data-checkers]")].some(isOnSale)) {
    addMaterials(defs);
    return;
  }
  const observer = new MutationObserver((changes) => {
    if (!changes.some(({ target }) => isOnSale(target))) return;
    observer.disconnect();
    addMaterials(defs);
  });
  observer.observe(document, { subtree: true, attributeFilter: ["data-board", "data-checkers"] });
}

/** Import and add the materials; if that fails, looks keep their flat colors. */
async function addMaterials(defs) {
  try {
    const { materials } = await import("./materials.js");
    defs.append(...materials());
  } catch {
    // the next page tries again
  }
}

const WHITE = "#fff6e4";
const BLACK = "#000";

/** Return the stops of a gradient from `[offset, color, opacity]`. */
function stops(list) {
  return list.map(([offset, color, opacity]) => svg("stop", { offset, "stop-color": color, "stop-opacity": opacity }));
}

function linear(name, [x1, y1, x2, y2], list) {
  return svg("linearGradient", { id: `relief-${name}`, x1, y1, x2, y2 }, ...stops(list));
}

function radial(name, where, list) {
  return svg("radialGradient", { id: `relief-${name}`, ...where }, ...stops(list));
}

const DOWN = [0, 0, 0, 1];
const UP = [0, 1, 0, 0];
const RIGHT = [0, 0, 1, 0];
const LEFT = [1, 0, 0, 0];
const ASLANT = [0.15, 0.1, 0.85, 0.9];

function gradients() {
  const rail = (lit) => [[0, WHITE, lit], [0.1, WHITE, lit / 4], [0.5, BLACK, 0], [0.86, BLACK, 0.1], [1, BLACK, 0.34]];
  const shadow = (depth) => [[0, BLACK, depth], [0.35, BLACK, depth * 0.42], [1, BLACK, 0]];
  const point = [[0, WHITE, 0.16], [0.35, WHITE, 0.03], [0.7, BLACK, 0.03], [1, BLACK, 0.22]];
  return [
    linear("rail-top", DOWN, rail(0.34)),
    linear("rail-left", RIGHT, rail(0.28)),
    linear("rail-bottom", UP, [[0, BLACK, 0.4], [0.2, BLACK, 0.12], [0.7, BLACK, 0], [0.93, WHITE, 0.1], [1, WHITE, 0.3]]),
    linear("rail-right", LEFT, [[0, BLACK, 0.4], [0.2, BLACK, 0.12], [0.7, BLACK, 0], [0.93, WHITE, 0.08], [1, WHITE, 0.22]]),
    linear("bar", RIGHT, [
      [0, WHITE, 0.4], [0.06, WHITE, 0.1], [0.3, WHITE, 0.05], [0.46, BLACK, 0.1], [0.488, BLACK, 0.6],
      [0.512, BLACK, 0.6], [0.53, WHITE, 0.3], [0.6, WHITE, 0.06], [0.9, BLACK, 0.08], [1, BLACK, 0.42],
    ]),
    radial("felt", { cx: 0.46, cy: 0.42, r: 0.72 }, [[0, WHITE, 0.1], [0.45, WHITE, 0.02], [1, BLACK, 0.26]]),
    linear("shadow-top", DOWN, shadow(0.6)),
    linear("shadow-left", RIGHT, shadow(0.5)),
    linear("shadow-bottom", UP, shadow(0.26)),
    linear("shadow-right", LEFT, shadow(0.26)),
    linear("point-top", DOWN, point),
    linear("point-bottom", UP, point),
    linear("brass", ASLANT, [[0, "#fbe9b4", 1], [0.35, "#c99d4a", 1], [0.62, "#8d6826", 1], [1, "#d8b262", 1]]),
    radial("contact", { cx: 0.5, cy: 0.5, r: 0.5 }, [[0.55, BLACK, 0.62], [0.8, BLACK, 0.3], [1, BLACK, 0]]),
    radial("sheen", { cx: 0.5, cy: 0.5, r: 0.52, fx: 0.32, fy: 0.26 }, [
      [0, "#fff", 0.42], [0.3, "#fff", 0.12], [0.62, BLACK, 0.02], [0.88, BLACK, 0.16], [1, BLACK, 0.34],
    ]),
    linear("bevel", ASLANT, [[0, "#fff", 0.75], [0.42, "#fff", 0.06], [0.6, BLACK, 0.1], [1, BLACK, 0.5]]),
    linear("carve", ASLANT, [[0, BLACK, 0.6], [0.45, BLACK, 0.12], [0.6, "#fff", 0.1], [1, "#fff", 0.7]]),
    linear("dish", ASLANT, [[0, BLACK, 0.17], [0.5, BLACK, 0.02], [1, "#fff", 0.16]]),
  ];
}

/** Return filters that turn noise into the grain of wood along x or y, and into felt. */
function textures() {
  const texture = (name, noise, matrix) => svg("filter", { id: `relief-${name}`, x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" },
    svg("feTurbulence", { type: "fractalNoise", ...noise }),
    svg("feColorMatrix", { values: matrix }),
    svg("feComposite", { in2: "SourceAlpha", operator: "in" }));
  const streaks = "0 0 0 0 0.09 0 0 0 0 0.04 0 0 0 0 0.01 2.6 0 0 0 -1.06";
  const pile = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1.5 0 0 0 -0.62";
  return [
    texture("grain-x", { baseFrequency: "0.022 0.75", numOctaves: 4, seed: 7 }, streaks),
    texture("grain-y", { baseFrequency: "0.75 0.022", numOctaves: 4, seed: 3 }, streaks),
    texture("pile", { baseFrequency: "2.6", numOctaves: 2, seed: 5 }, pile),
  ];
}
