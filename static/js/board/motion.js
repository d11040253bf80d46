// Movement on the board by the Web Animations API. The final position is always set at once, so an
// interrupted animation leaves nothing in the wrong place.

const EASE_OUT = "cubic-bezier(0.22, 0.8, 0.3, 1)";
const running = new WeakMap();

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
  const old = position(element);
  element.style.transform = to;
  if (ms <= 0 || !from || from === "none") return;
  const frames = [{ transform: from }, { transform: to }];
  if (isArc && old) frames.splice(1, 0, { transform: transform(bow(old, spot), scale * 1.06), offset: 0.5 });
  const animation = element.animate(frames, { duration: ms, delay, easing: EASE_OUT, fill: "backwards" });
  running.set(element, animation);
  animation.onfinish = () => running.delete(element);
  animation.oncancel = animation.onfinish;
}

/** End an animation at its final position. */
export function stop(element) {
  const animation = running.get(element);
  running.delete(element);
  animation?.cancel();
}

function transform({ x, y }, scale) {
  const place = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
  return scale === 1 ? place : `${place} scale(${scale})`;
}

function position(element) {
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

/** Throw a die: other faces during the animation, its own value at the end. */
export function tumble(element, value, index, ms, showFace) {
  const cube = element.querySelector(".die-cube");
  const turn = index % 2 ? -1 : 1;
  cube.animate([
    { transform: `translate(${16 * turn}px, 7px) rotate(${turn * 290}deg) scale(0.8)`, opacity: 0.2 },
    { transform: `translate(${5 * turn}px, -3px) rotate(${turn * 120}deg) scale(1.12)`, opacity: 1, offset: 0.55 },
    { transform: "translate(0, 0) rotate(0) scale(1)" },
  ], { duration: ms, easing: "cubic-bezier(0.3, 0.7, 0.4, 1)" });
  const faces = [1, 2, 3, 4].map((step) => ((value - 1 + step * 2 + index) % 6) + 1);
  faces.push(value);
  faces.forEach((face, step) => {
    setTimeout(() => showFace(element, face), (ms * 0.75 * step) / faces.length);
  });
}
