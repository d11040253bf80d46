// The board without pieces: frame, felt, points, bar, trays, numbers.

import { BAR, ENEMY_TRAY, OFF, isTop, pointBox, trayBox } from "./geometry.js";
import { pointPath } from "./point-shape.js";
import { fieldTrim, frameTrim, medallion, pointTrims } from "./trims.js";
import { svg } from "../lib/svg.js";

const ROUND = 2.6; // radius of the frame's corners, in board units like all lengths here
const HINGE = { width: 5.2, height: 8.4, fromEnd: 22 };

/** Draw the frame, the felt, the points, the bar and the trays. @param {Layout} layout */
export function drawSurface(layout) {
  const { width, height } = layout;
  const surface = svg("g", { class: "surface", "aria-hidden": "true" },
    svg("rect", { class: "frame", width, height, rx: ROUND }),
    ...rails(layout),
    ...halves(layout).flatMap((half) => [...felt(half), medallion(half)]),
    ...points(layout),
    pointTrims(layout),
    ...halves(layout).flatMap((half) => shadows(half)),
    ...drawBar(layout),
    fieldTrim(layout),
  );
  if (layout.trays) surface.append(...trayColumn(layout), ...trays(layout));
  return surface;
}

/** Return the boxes of the two halves of the field, left and right of the bar. */
function halves({ field, bar }) {
  const right = bar.x + bar.width;
  return [
    { x: field.x, y: field.y, width: bar.x - field.x, height: field.height },
    { x: right, y: field.y, width: field.x + field.width - right, height: field.height },
  ];
}

/** Draw the four rails of the frame as wood joined at the corners, lit from the upper left. */
function rails(layout) {
  const { width, height, field } = layout;
  const [left, right] = [field.x, field.x + field.width];
  const [top, bottom] = [field.y, field.y + field.height];
  const side = Math.min(left, width - right);
  const shapes = {
    top: `M0 0H${width}L${width - side} ${top}H${side}Z`,
    bottom: `M0 ${height}H${width}L${width - side} ${bottom}H${side}Z`,
    left: `M0 0L${side} ${top}V${bottom}L0 ${height}Z`,
    right: `M${width} 0L${width - side} ${top}V${bottom}L${width} ${height}Z`,
  };
  const wood = svg("g", { class: "relief rails" });
  for (const [name, d] of Object.entries(shapes)) {
    const grain = name === "top" || name === "bottom" ? "grain-x" : "grain-y";
    wood.append(
      svg("path", { class: `texture texture-${grain.at(-1)}`, filter: `url(#relief-${grain})`, d }),
      svg("path", { fill: `url(#relief-rail-${name})`, d }),
    );
  }
  const joints = svg("path", {
    class: "relief joint",
    d: `M0 0L${side} ${top}M${width} 0L${width - side} ${top}M0 ${height}L${side} ${bottom}M${width} ${height}L${width - side} ${bottom}`,
  });
  wood.append(joints);
  return [wood, frameTrim(layout), svg("rect", { class: "frame-edge", x: 0.25, y: 0.25, width: width - 0.5, height: height - 0.5, rx: ROUND })];
}

function felt(box) {
  return [
    svg("rect", { class: "felt", ...box, rx: 0.5 }),
    svg("rect", { class: "relief texture-felt", filter: "url(#relief-pile)", ...box }),
    svg("rect", { class: "relief", fill: "url(#relief-felt)", ...box }),
  ];
}

/** Draw the shadows that the rails and the bar cast on the felt, and the edge of the felt. */
function shadows(box) {
  const { x, y, width, height } = box;
  const shade = (name, at) => svg("rect", { class: "relief", fill: `url(#relief-shadow-${name})`, ...at });
  return [
    shade("top", { x, y, width, height: 4.6 }),
    shade("left", { x, y, width: 3.6, height }),
    shade("bottom", { x, y: y + height - 2, width, height: 2 }),
    shade("right", { x: x + width - 1.8, y, width: 1.8, height }),
    svg("rect", { class: "felt-edge", ...box, rx: 0.5 }),
  ];
}

function points(layout) {
  return Array.from({ length: 24 }, (_, index) => {
    const point = index + 1;
    const tone = index % 2 ? "point-b" : "point-a";
    const d = pointPath(layout, point);
    return svg("g", {},
      svg("path", { class: `point-shape ${tone}`, d }),
      svg("path", { class: "relief", fill: `url(#relief-point-${isTop(point) ? "top" : "bottom"})`, d }));
  });
}

/** Draw the bar: two edges of wood that meet, and the hinges that hold them. */
function drawBar({ bar, field }) {
  const box = { x: bar.x, y: field.y - 0.2, width: bar.width, height: field.height + 0.4 };
  const middle = { x: bar.x + bar.width / 2, y: field.y + field.height / 2 };
  const away = field.height / 2 - HINGE.fromEnd;
  return [
    svg("rect", { class: "bar", ...box }),
    svg("rect", { class: "relief texture", filter: "url(#relief-grain-y)", ...box }),
    svg("rect", { class: "relief", fill: "url(#relief-bar)", ...box }),
    svg("path", { class: "bar-edge", d: `M${box.x} ${field.y}v${field.height}M${box.x + box.width} ${field.y}v${field.height}` }),
    ...[-away, away].map((dy) => hinge(middle.x, middle.y + dy)),
  ];
}

function hinge(x, y) {
  const { width, height } = HINGE;
  const plate = { x: -width / 2, y: -height / 2, width, height, rx: 0.7 };
  const screws = [-1, 1].flatMap((across) => [-1, 1].map((along) =>
    svg("circle", { class: "hinge-screw", cx: across * width * 0.31, cy: along * height * 0.31, r: 0.52 })));
  return svg("g", { class: "relief hinge", transform: `translate(${x} ${y})` },
    svg("rect", { ...plate, x: plate.x + 0.25, y: plate.y + 0.4, fill: "#000", opacity: 0.45 }),
    svg("rect", { ...plate, class: "hinge-plate" }),
    svg("path", { class: "hinge-pin", d: `M0 ${-height / 2}V${height / 2}` }),
    ...screws);
}

/** Draw the wood between the field and the side trays. */
function trayColumn({ field, trays: { own }, isWide }) {
  if (!isWide) return [];
  const isRight = own.x > field.x;
  const [x, end] = isRight ? [field.x + field.width, own.x + own.width] : [own.x, field.x];
  const box = { x, y: field.y, width: end - x, height: field.height };
  return [
    svg("rect", { class: "relief texture", filter: "url(#relief-grain-y)", ...box }),
    svg("rect", { class: "relief", fill: `url(#relief-rail-${isRight ? "left" : "right"})`, ...box, width: isRight ? 2.2 : box.width }),
  ];
}

function trays(layout) {
  return [true, false].map((isOwn) => {
    const box = trayBox(layout, isOwn);
    const shade = (name, at) => svg("rect", { class: "relief", fill: `url(#relief-shadow-${name})`, ...at });
    return svg("g", {},
      svg("rect", { class: "tray", ...box, rx: 1.4 }),
      svg("rect", { class: "relief texture-felt", filter: "url(#relief-pile)", ...box, rx: 1.4 }),
      shade("top", { ...box, height: 3.4, rx: 1.4 }),
      shade("left", { ...box, width: 3, rx: 1.4 }),
      svg("rect", { class: "tray-edge", ...box, rx: 1.4 }),
    );
  });
}

/** Draw the frames that light a tray in which a checker can be borne off. */
export function drawTrayLights(layout) {
  if (!layout.trays) return [];
  return [true, false].map((isOwn) =>
    svg("rect", { class: `tray-light tray-light-${isOwn ? "own" : "enemy"}`, ...trayBox(layout, isOwn), rx: 1.4 }));
}

/** Draw the points' numbers, in the viewer's numbering, on the frame beside the field. */
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
 * Draw one transparent box for each place: the target of pointer and keyboard. The boxes become
 * buttons when play/draw-turn.js names them.
 * @returns {Map<number, SVGElement>} by place
 */
export function drawPlaces(layout, isInteractive) {
  const places = new Map();
  const add = (place, box, testid) => {
    const attributes = isInteractive
      ? { class: "place", tabindex: "-1", "data-testid": testid, "data-place": place }
      : { class: "place" };
    const group = svg("g", attributes,
      svg("rect", { class: "place-box", ...box }),
      svg("rect", { class: "place-focus-rim", ...inset(box, 0.5), rx: 1 }),
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
