// Movement on the board by the Web Animations API. The final position is always set at once, so an
// interrupted animation leaves nothing in the wrong place.

import { round } from "../lib/svg.js";

const EASE_OUT = "cubic-bezier(0.22, 0.8, 0.3, 1)";
const SQUASH_MS = 150;
const running = new WeakMap(); // element -> its animation

/**
 * Move an element to a spot in board units.
 * @param {SVGElement} element
 * @param {{x:number,y:number}} spot
 * @param {number} ms 0 = at once
 * @param {{isArc?:boolean,delay?:number,scale?:number}} [how]
 */
export function glide(element, spot, ms, { isArc = false, delay = 0, scale = 1 } = {}) {
  const to = transform(spot, scale);
  const from = running.has(element) ? getComputedStyle(element).transform : element.style.transform;
  if (element.style.transform === to && !running.has(element)) return;
  if (element.style.transform === to && ms > 0) return; // already moving there
  stop(element);
  const old = styledSpot(element);
  element.style.transform = to;
  if (ms <= 0 || !from || from === "none") return;
  const frames = [{ transform: from }, { transform: to }];
  if (isArc && old) {
    frames.splice(1, 0, { transform: transform(bow(old, spot), scale * 1.12), offset: 0.5 });
    squash(element, delay + ms);
  }
  const animation = element.animate(frames, { duration: ms, delay, easing: EASE_OUT, fill: "backwards" });
  running.set(element, animation);
  animation.onfinish = () => running.delete(element);
  animation.oncancel = animation.onfinish;
}

/** Squash a checker a little just before it lands in `delay` ms; nothing waits for this. */
function squash(element, delay) {
  setTimeout(() => element.querySelector(".checker-face")?.animate([
    { scale: 1 }, { scale: 0.945, offset: 0.3 }, { scale: 1.015, offset: 0.7 }, { scale: 1 },
  ], { duration: SQUASH_MS, easing: "ease-out" }), delay * 0.93);
}

/** End an animation at its final position. */
export function stop(element) {
  const animation = running.get(element);
  running.delete(element);
  animation?.cancel();
}

/** Write a transform as `element.style.transform` returns it, so that the two can be compared. */
function transform({ x, y }, scale) {
  const place = `translate(${round(x)}px, ${round(y)}px)`;
  return scale === 1 ? place : `${place} scale(${scale})`;
}

/** Return the spot of the element's own style, where it comes to rest; null if it has none. */
function styledSpot(element) {
  const found = /translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(element.style.transform);
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

/** Return the middle of the path, slightly to the side, so that a checker follows a shallow arc. */
function bow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const aside = Math.min(6, Math.hypot(dx, dy) * 0.12);
  const length = Math.hypot(dx, dy) || 1;
  return { x: (from.x + to.x) / 2 + (dy / length) * aside, y: (from.y + to.y) / 2 - (dx / length) * aside };
}

/** The part of a throw's time at which a die first lands. */
export const LANDING = 0.48;

/** A thrown die's height and the share of its way covered, by time; the die bounces twice. */
const ARC = [
  { at: 0, way: 0, height: 0.5 }, { at: 0.24, way: 0.36, height: 1 }, { at: LANDING, way: 0.72, height: 0 },
  { at: 0.6, way: 0.83, height: 0.4 }, { at: 0.73, way: 0.92, height: 0 }, { at: 0.83, way: 0.965, height: 0.14 },
  { at: 0.92, way: 1, height: 0 }, { at: 1, way: 1, height: 0 },
];

/**
 * Return the frames of a throw, as offsets from the place where the die comes to rest. The viewer's
 * dice come from the lower edge on their side, the enemy's from the upper one, each on its own arc.
 * @param {{index:number,isOwn:boolean,isMirrored:boolean}} which
 * @returns {{at:number,x:number,y:number,height:number,turn:number}[]} height 0 to 1, turn in degrees
 *   relative to the die at rest
 */
export function throwFrames({ index, isOwn, isMirrored }) {
  // The second die is to the right of the first, also during the throw.
  const [near, far] = isOwn !== isMirrored ? [20, 50] : [-50, -20];
  const from = { x: index ? far : near, y: (isOwn ? 1 : -1) * (index ? 42 : 54) };
  const spin = (index ? -1 : 1) * (index ? 420 : 510);
  return ARC.map(({ at, way, height }) => {
    const left = 1 - way;
    const bend = Math.sin(way * Math.PI) * (index ? -7 : 7);
    return { at, x: from.x * left + bend, y: from.y * left, height, turn: spin * left };
  });
}

/**
 * Throw a die: its faces change on the way; from the second landing on it shows its own value.
 * @param {SVGElement} element drawn at rest
 * @param {{value:number,index:number,isOwn:boolean,isMirrored:boolean}} which
 */
export function throwDie(element, which, ms, showFace) {
  const cube = element.querySelector(".die-cube");
  const shade = element.querySelector(".die-shade");
  const rest = cube.style.transform;
  const frames = throwFrames(which);
  const options = { duration: ms, easing: "linear" };
  cube.animate(frames.map(({ at, x, y, height, turn }) => ({
    offset: at, easing: height ? "ease-in" : "ease-out",
    transform: `translate(${x}px, ${y - 7 * height}px) rotate(${turn}deg) scale(${1 + 0.42 * height}) ${rest}`,
  })), options);
  shade.animate(frames.map(({ at, x, y, height }) => ({
    offset: at, easing: height ? "ease-in" : "ease-out", opacity: 1 - 0.6 * height,
    transform: `translate(${x + 4 * height}px, ${y + 5 * height}px) scale(${1 + 0.25 * height})`,
  })), options);
  const { value, index } = which;
  const faces = [1, 2, 3].map((step) => ((value - 1 + step + index) % 6) + 1);
  showFace(element, faces[0]);
  [...faces.slice(1), value].forEach((face, step) => {
    setTimeout(() => showFace(element, face), (ms * 0.73 * (step + 1)) / faces.length);
  });
}
