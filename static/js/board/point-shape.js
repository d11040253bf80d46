// The shape of a point: a slim triangle from the edge of the field towards the middle line.

import { isTop, pointBox, pointLength } from "./geometry.js";

/** Format a number for a path. */
export const n = (value) => value.toFixed(2);

/** Return where a point's triangle begins and ends; `into` is 1 or -1, its direction along y. */
export function triangle(layout, point) {
  const { x, y, width, height } = pointBox(layout, point);
  const [base, into] = isTop(point) ? [y, 1] : [y + height, -1];
  return { x, width, base, into, tip: base + into * pointLength(layout) };
}

/** Return the path of a slim triangle with a rounded tip. */
export function pointPath(layout, point) {
  const { x, width, base, into, tip } = triangle(layout, point);
  const middle = x + width / 2;
  return `M${n(x + 0.5)} ${n(base)}L${n(middle - 0.62)} ${n(tip - into * 3)}` +
    `Q${n(middle)} ${n(tip)} ${n(middle + 0.62)} ${n(tip - into * 3)}L${n(x + width - 0.5)} ${n(base)}Z`;
}
