// Ornaments of the board, shown by the looks that have them (css/board/goods-boards.css). Each is in
// a group of the class `relief`, which high contrast hides in every look.

import { n, pointPath, triangle } from "./point-shape.js";
import { svg } from "../lib/svg.js";

const BAR_BAND = 2.4; // width of the band along each edge of the bar
const INSET = 0.25; // distance of the frame's band from its outer edge

/** Draw a band along the outer edge of the frame, outside of the point numbers. */
export function frameTrim({ width, height, field }) {
  const lying = 0.95;
  const standing = Math.min(2.2, field.x - 0.5);
  const [right, bottom] = [width - INSET, height - INSET];
  const between = { y: INSET + lying, length: height - 2 * (INSET + lying) };
  return svg("g", { class: "relief" }, svg("g", { class: "trim trim-frame" },
    strip({ x: INSET, y: INSET, length: width - 2 * INSET, thickness: lying }),
    strip({ x: INSET, y: bottom - lying, length: width - 2 * INSET, thickness: lying }),
    strip({ ...between, x: INSET, thickness: standing, isStanding: true }),
    strip({ ...between, x: right - standing, thickness: standing, isStanding: true })));
}

/** Draw a row of whole motifs. Its unit is one motif, so that the same pattern fits every row. */
function strip({ x, y, length, thickness, isStanding = false }) {
  const count = Math.round(length / thickness);
  const place = isStanding ? `translate(${n(x + thickness)} ${n(y)}) rotate(90)` : `translate(${n(x)} ${n(y)})`;
  return svg("rect", { width: count, height: 1, transform: `${place} scale(${(length / count).toFixed(4)} ${n(thickness)})` });
}

/** Draw a star with eight points in the middle of a half, where no checker stands. */
export function medallion({ x, y, width, height }) {
  const [cx, cy] = [x + width / 2, y + height / 2];
  const corners = (r, count, turn) => Array.from({ length: count }, (_, at) => {
    const angle = (at + turn) * 2 * Math.PI / count;
    return `${n(cx + r * Math.sin(angle))} ${n(cy - r * Math.cos(angle))}`;
  });
  const square = (r, turn) => `M${corners(r, 4, turn).join("L")}Z`;
  const petals = corners(4.1, 8, 0).map((tip, at, tips) => `M${n(cx)} ${n(cy)}L${tip}L${tips[(at + 1) % 8]}`).join("");
  return svg("g", { class: "relief" }, svg("g", { class: "trim medallion" },
    svg("path", { class: "medallion-star", d: square(7.4, 0) + square(7.4, 0.5) }),
    svg("path", { class: "medallion-rays", d: petals }),
    svg("circle", { class: "medallion-eye", cx, cy, r: 1.5 })));
}

/** Draw a texture on every second point, and an inner line and a lozenge at the tip on all points. */
export function pointTrims(layout) {
  const all = Array.from({ length: 24 }, (_, index) => index + 1);
  const tips = all.map((point) => {
    const { x, width, tip, into } = triangle(layout, point);
    const [cx, cy] = [x + width / 2, tip + into * 1.2];
    return `M${n(cx)} ${n(cy - 1.5)}L${n(cx + 0.95)} ${n(cy)} ${n(cx)} ${n(cy + 1.5)} ${n(cx - 0.95)} ${n(cy)}Z`;
  });
  return svg("g", { class: "relief" },
    svg("path", { class: "trim trim-skin", d: all.filter((point) => !(point % 2)).map((point) => pointPath(layout, point)).join("") }),
    svg("path", { class: "trim trim-line", d: all.map((point) => innerLine(layout, point)).join("") }),
    svg("path", { class: "trim trim-tips", d: tips.join("") }));
}

function innerLine(layout, point) {
  const { x, width, base, into, tip } = triangle(layout, point);
  return `M${n(x + 1.9)} ${n(base)}L${n(x + width / 2)} ${n(tip - into * 8)}L${n(x + width - 1.9)} ${n(base)}`;
}

/** Draw a thin line on the wood around the field, and a seam and a band along each edge of the bar. */
export function fieldTrim({ field, bar }) {
  const [left, top, right, bottom] = [field.x - 0.75, field.y - 0.75, field.x + field.width + 0.75, field.y + field.height + 0.75];
  const [first, last] = [bar.x + 0.3, bar.x + bar.width - 0.3 - BAR_BAND];
  const band = { y: field.y, length: field.height, thickness: BAR_BAND, isStanding: true };
  return svg("g", { class: "relief" },
    svg("path", { class: "trim trim-field", d: `M${n(left)} ${n(top)}H${n(right)}V${n(bottom)}H${n(left)}Z` }),
    svg("path", { class: "trim trim-seam", d: [bar.x + 1, bar.x + bar.width - 1].map((x) => `M${n(x)} ${n(field.y)}V${n(bottom - 0.75)}`).join("") }),
    svg("g", { class: "trim trim-bar" }, strip({ ...band, x: first }), strip({ ...band, x: last })));
}
