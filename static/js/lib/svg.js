// Helpers to build SVG without markup strings (the content security policy allows no inline style).

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Create an SVG element with attributes and children; null attributes are omitted.
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

/** Round to two decimals. */
export function round(value) {
  return Math.round(value * 100) / 100;
}

/** Set an attribute, or remove it for null and false; true is written as "true". */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
