// The board without pieces: frame, felt, points, bar, trays, numbers.

import { BAR, ENEMY_TRAY, OFF, isTop, pointBox, pointLength, trayBox } from "./geometry.js";
import { svg } from "../lib/svg.js";

/** Draw everything that depends only on the layout. @param {Layout} layout */
export function drawSurface(layout) {
  const { width, height, field, bar } = layout;
  const surface = svg("g", { class: "surface", "aria-hidden": "true" },
    svg("rect", { class: "frame", width, height, rx: 2.6 }),
    svg("rect", { class: "grain grain-light", x: 0.7, y: 0.7, width: width - 1.4, height: height - 1.4, rx: 2 }),
    svg("rect", { class: "felt", ...field, rx: 0.6 }),
    ...points(layout),
    svg("rect", { class: "felt-edge", ...field, rx: 0.6 }),
    svg("rect", { class: "bar", x: bar.x, y: field.y - 0.2, width: bar.width, height: field.height + 0.4 }),
    ...barGrain(layout),
  );
  if (layout.trays) surface.append(...trays(layout));
  surface.append(...mitres(layout));
  return surface;
}

function points(layout) {
  return Array.from({ length: 24 }, (_, index) => {
    const tone = index % 2 ? "point-b" : "point-a";
    return svg("path", { class: `point-shape ${tone}`, d: pointPath(layout, index + 1) });
  });
}

/** Return the path of a slim triangle with a rounded tip. */
function pointPath(layout, point) {
  const { x, y, width, height } = pointBox(layout, point);
  const base = isTop(point) ? y : y + height;
  const into = isTop(point) ? 1 : -1;
  const tip = base + into * pointLength(layout);
  const middle = x + width / 2;
  const n = (value) => value.toFixed(2);
  return `M${n(x + 0.5)} ${n(base)}L${n(middle - 0.62)} ${n(tip - into * 3)}` +
    `Q${n(middle)} ${n(tip)} ${n(middle + 0.62)} ${n(tip - into * 3)}L${n(x + width - 0.5)} ${n(base)}Z`;
}

/** Draw the joints at the corners of the frame. */
function mitres({ width, height, field }) {
  const [left, right] = [field.x, field.x + field.width];
  const [top, bottom] = [field.y, field.y + field.height];
  const side = Math.min(left, width - right);
  return [[0, 0, side, top], [0, height, side, bottom], [width, 0, width - side, top], [width, height, width - side, bottom]]
    .map(([x1, y1, x2, y2]) => svg("path", { class: "grain grain-dark mitre", d: `M${(x1 * 9 + x2) / 10} ${(y1 * 9 + y2) / 10}L${x2} ${y2}` }));
}

function barGrain({ bar, field }) {
  const middle = bar.x + bar.width / 2;
  const line = (name, x) => svg("path", { class: `grain ${name}`, d: `M${x} ${field.y}v${field.height}` });
  return [
    line("grain-dark", bar.x + 0.15),
    line("grain-dark", bar.x + bar.width - 0.15),
    line("grain-light", bar.x + 0.6),
    line("grain-dark", middle - 0.15),
    line("grain-light", middle + 0.15),
  ];
}

function trays(layout) {
  return [true, false].map((isOwn) => {
    const box = trayBox(layout, isOwn);
    return svg("g", {},
      svg("rect", { class: "tray", ...box, rx: 1.4 }),
      svg("rect", { class: `tray-light tray-light-${isOwn ? "own" : "enemy"}`, ...box, rx: 1.4 }),
    );
  });
}

/** Draw the numbers of the points outside the field, in the viewer's numbering. */
export function drawNumbers(layout) {
  const group = svg("g", { class: "numbers", "aria-hidden": "true" });
  const { field } = layout;
  for (let point = 1; point <= 24; point += 1) {
    const { x, width } = pointBox(layout, point);
    const y = isTop(point) ? field.y - 1.55 : field.y + field.height + 4.35;
    group.append(svg("text", { x: x + width / 2, y, "text-anchor": "middle" }, String(point)));
  }
  return group;
}

/**
 * Draw one transparent box for each place: the target of pointer and keyboard.
 * @returns {Map<number, SVGElement>} by place
 */
export function drawPlaces(layout, isInteractive) {
  const places = new Map();
  const add = (place, box, testid) => {
    const attributes = isInteractive
      ? { class: "place", role: "button", tabindex: "-1", "data-testid": testid, "data-place": place }
      : { class: "place" };
    const group = svg("g", attributes,
      svg("rect", { class: "place-box", ...box }),
      svg("rect", { class: "place-focus", ...inset(box, 0.5), rx: 1 }),
    );
    places.set(place, group);
  };
  for (let point = 24; point >= 1; point -= 1) add(point, pointBox(layout, point), `point-${point}`);
  const { bar, field } = layout;
  add(BAR, { x: bar.x, y: field.y, width: bar.width, height: field.height }, "bar");
  if (layout.trays) {
    add(OFF, trayBox(layout, true), "tray");
    add(ENEMY_TRAY, trayBox(layout, false), "enemy-tray");
  }
  return places;
}

function inset({ x, y, width, height }, by) {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}
