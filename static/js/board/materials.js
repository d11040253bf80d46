// Materials of the looks on sale: stone, leather, figured wood, nacre, woven edges. Like the relief,
// they are laid over flat colors, and a look chooses among them by CSS (css/board/goods-*.css).

import { svg } from "../lib/svg.js";

/** Return all definitions of materials, for the `defs` that the boards of a page share. */
export function materials() {
  return [...textures(), ...trims(), ...skins()];
}

// --- Textures of frame, field and points: filters, painted once with the surface ------------------

/**
 * Return `tableValues` of feFuncA in which 0 and a height alternate. They cut gradual noise into
 * bands, like those of wood.
 */
const bands = (count, heights) =>
  Array.from({ length: count }, (_, at) => (at % 2 ? heights[at % heights.length] : 0)).join(" ");

/** @param {string} tint as red, green and blue, each 0 to 1 */
const tinted = (tint, alpha) => {
  const [red, green, blue] = tint.split(" ");
  return `0 0 0 0 ${red} 0 0 0 0 ${green} 0 0 0 0 ${blue} ${alpha}`;
};

/**
 * @param {object} noise attributes of feTurbulence
 * @param {string} alpha last row of the color matrix: opacity from the noise
 * @param {string|null} table `tableValues` of feFuncA, which maps the alpha to other opacities
 */
function texture(name, noise, tint, alpha, table = null) {
  const parts = [
    svg("feTurbulence", { type: "fractalNoise", ...noise }),
    svg("feColorMatrix", { values: tinted(tint, alpha) }),
  ];
  if (table) parts.push(svg("feComponentTransfer", {}, svg("feFuncA", { type: "table", tableValues: table })));
  parts.push(svg("feComposite", { in2: "SourceAlpha", operator: "in" }));
  return svg("filter", { id: `material-${name}`, x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" }, ...parts);
}

function textures() {
  const spread = "2.6 0 0 0 -0.8"; // alpha = 2.6 * red - 0.8: the noise lies around 0.5
  return [
    texture("figure-x", { baseFrequency: "0.006 0.11", numOctaves: 3, seed: 11 }, "0.05 0.02 0", spread, bands(25, [0, 0.7, 0, 0.35, 0, 0.9])),
    texture("figure-y", { baseFrequency: "0.11 0.006", numOctaves: 3, seed: 4 }, "0.05 0.02 0", spread, bands(25, [0, 0.7, 0, 0.35, 0, 0.9])),
    texture("malachite", { baseFrequency: "0.022 0.03", numOctaves: 2, seed: 21 }, "0 0.09 0.06", spread, bands(25, [0, 0.9, 0, 0.4, 0, 0.75, 0, 0.55])),
    texture("slate", { baseFrequency: "0.018 0.34", numOctaves: 4, seed: 8 }, "0.03 0.04 0.05", "0 2.6 0 0 -1.05"),
    texture("grain-of-leather", { baseFrequency: "0.62", numOctaves: 3, seed: 14 }, "0.04 0.01 0", spread, "0.9 0.7 0.15 0 0 0 0.2 0.75 0.9"),
    texture("weave", { baseFrequency: "0.12 1.9", numOctaves: 2, seed: 17 }, "0 0 0", "0 0 3.2 0 -1.25"),
  ];
}

// --- Trims: motifs of one unit, in rows along the edges of frame and bar (trims.js) ----------------

function motif(name, ...parts) {
  return svg("pattern", { id: `material-${name}`, patternUnits: "userSpaceOnUse", width: 1, height: 1 }, ...parts);
}

const fill = (color, d) => svg("path", { fill: color, d });

function trims() {
  return [
    // Lozenges of nacre between ebony and brass, as on the boards of Damascus.
    motif("lozenges", fill("#1c110c", "M0 0H1V1H0Z"),
      fill("#b98a3e", "M0 0H0.28L0 0.28ZM1 0V0.28L0.72 0ZM0 1V0.72L0.28 1ZM1 1H0.72L1 0.72Z"),
      fill("#efe7da", "M0.5 0.04L0.96 0.5 0.5 0.96 0.04 0.5Z"), fill("#bfe0d6", "M0.5 0.04L0.96 0.5H0.5Z"), fill("#e7c3cf", "M0.04 0.5H0.5V0.96Z")),
    // A woven border: stepped lozenges in madder, indigo, cream and ochre.
    motif("kilim", fill("#7b1f1c", "M0 0H1V1H0Z"),
      fill("#ead9b0", "M0 0.5L0.2 0.2H0.32V0H0.68V0.2H0.8L1 0.5 0.8 0.8H0.68V1H0.32V0.8H0.2Z"),
      fill("#1f2f58", "M0.16 0.5L0.3 0.28H0.4V0.13H0.6V0.28H0.7L0.84 0.5 0.7 0.72H0.6V0.87H0.4V0.72H0.3Z"),
      fill("#d18a2c", "M0.36 0.5L0.5 0.3 0.64 0.5 0.5 0.7Z")),
    // A Greek key of brass on dark lacquer.
    motif("key", fill("#0d1530", "M0 0H1V1H0Z"),
      svg("path", { fill: "none", stroke: "#c99d4a", "stroke-width": 0.11, d: "M0 0.84H0.78V0.18H0.3V0.52H0.54M0.78 0.84H1" })),
  ];
}

// --- Skins of checkers: light and patterns over the body's color ---------------------------------

const stop = (offset, color, opacity) => svg("stop", { offset, "stop-color": color, "stop-opacity": opacity });

function radial(name, where, ...stops) {
  return svg("radialGradient", { id: `material-${name}`, ...where }, ...stops.map((each) => stop(...each)));
}

function linear(name, ...stops) {
  return svg("linearGradient", { id: `material-${name}`, x1: 0, y1: 0, x2: 1, y2: 1 }, ...stops.map((each) => stop(...each)));
}

/** Return a pattern that covers a whole checker; its parts are drawn in a box of 10 units. */
function figure(name, ...parts) {
  return svg("pattern", { id: `material-${name}`, patternContentUnits: "userSpaceOnUse", x: 0, y: 0, width: 1, height: 1, viewBox: "0 0 10 10" }, ...parts);
}

const line = (color, width, opacity, d) =>
  svg("path", { fill: "none", stroke: color, "stroke-width": width, "stroke-opacity": opacity, d });

function skins() {
  const rings = (from, step, count) => Array.from({ length: count }, (_, at) => {
    const r = from + at * step + (at % 2) * step * 0.3;
    return `M${2.6 - r} 6.6a${r} ${r * 0.8} 0 1 1 ${2 * r} 0a${r} ${r * 0.8} 0 1 1 ${-2 * r} 0`;
  }).join("");
  const grain = "M-1 1.2Q4 0.4 11 1.5M-1 2.5Q5 1.5 11 2.7M-1 3.8Q3 2.6 6 3.4T11 3.7M-1 5.2Q4 4.1 11 5.1M-1 6.4Q5 7.2 11 6.2M-1 7.6Q4 8.6 11 7.5M-1 8.8Q5 9.4 11 8.7";
  return [
    radial("amber", { cx: 0.62, cy: 0.7, r: 0.62 }, [0, "#fff0b0", 0.75], [0.45, "#ffc44d", 0.3], [0.8, "#8a3d00", 0.22], [1, "#5a2400", 0.4]),
    radial("gem", { cx: 0.64, cy: 0.72, r: 0.6 }, [0, "#ff8fa0", 0.5], [0.5, "#ff5070", 0.12], [1, "#1a0008", 0.35]),
    radial("lacquer", { cx: 0.34, cy: 0.28, r: 0.55 }, [0, "#ffffff", 0.3], [0.4, "#ffffff", 0.06], [1, "#ffffff", 0]),
    linear("nacre", [0, "#f7c9d6", 0.6], [0.2, "#fff8ea", 0.5], [0.38, "#bfe6dc", 0.62], [0.55, "#fdf3ff", 0.4], [0.72, "#c3d6f5", 0.6], [0.88, "#fbe3c4", 0.55], [1, "#dcc6ee", 0.55]),
    linear("steel", [0, "#f4f8fa", 1], [0.35, "#9aa6ad", 1], [0.62, "#59646b", 1], [1, "#bcc7cd", 1]),
    linear("metal", [0, "#ffffff", 0.6], [0.25, "#ffffff", 0.05], [0.42, "#000000", 0.2], [0.55, "#ffffff", 0.4], [0.75, "#000000", 0.14], [1, "#000000", 0.32]),
    figure("banded", line("#021f16", 0.42, 0.55, rings(0.6, 0.95, 9)), line("#8fe3b6", 0.2, 0.6, rings(0.95, 0.95, 9))),
    figure("wood", line("#2b0f02", 0.3, 0.34, grain), line("#fff0d0", 0.16, 0.3, grain.replaceAll(".", ".3"))),
    figure("marble", line("#59616d", 0.26, 0.5, "M-1 3Q2 2.2 3.4 4.4T7 5.6Q8.6 6.8 11 6.4M3.4 4.4Q3 6.6 1.4 8.4T0 11"), line("#59616d", 0.14, 0.4, "M5 -1Q5.4 2 7 3T11 3.4M7 5.6Q6.4 8 7.2 11")),
    figure("matrix", line("#2b1a10", 0.24, 0.5, "M-1 2.6L2 3.4 3.2 2.4 5 3 6.4 1.4 8 1.8 11 0M2 3.4L2.6 5.4 1.4 7.2 2.2 11M5 3L6 5 5.4 6.8 7.4 8.2 7 11M6 5L8.4 5.4 11 4.4")),
    figure("flecks", ...[[2.3, 3.1, 0.22], [6.9, 2.2, 0.16], [7.9, 6.1, 0.24], [3.2, 7.4, 0.18], [5.6, 8.3, 0.15], [1.8, 5.5, 0.13], [8.4, 3.9, 0.13], [4.2, 1.6, 0.14]].map(
      ([cx, cy, r]) => svg("circle", { cx, cy, r, fill: "#f0cf78" })), line("#cfe0ff", 0.16, 0.35, "M0 7Q3 5.6 5 6.6T10 5M1 2.4Q4 4 6 3.2T10 2")),
  ];
}
