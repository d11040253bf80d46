// Small helpers to build SVG without markup strings (the content policy allows no inline style).

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An SVG element with attributes and children; null attributes are left out.
 * @param {string} name
 * @param {Record<string, string|number|null|undefined>} [attributes]
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** Moves an element by a CSS transform in user units (animatable, unlike the attribute). */
export function moveTo(element, x, y, rest = "") {
  element.style.transform = `translate(${round(x)}px, ${round(y)}px)${rest}`;
}

export function round(value) {
  return Math.round(value * 100) / 100;
}

/** Sets an attribute, or takes it away for null and false; true is written as "true". */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
