// Helpers for a page: its elements, the data embedded in it, the device's storage.

/** Return the element with `data-part="name"`. */
export function part(name, root = document) {
  return root.querySelector(`[data-part="${name}"]`);
}

/** Set text only if it changes, so that screen readers do not repeat it. */
export function setText(element, text) {
  if (element && element.textContent !== String(text)) element.textContent = String(text);
}

export function setHidden(element, isHidden) {
  if (element && element.hidden !== isHidden) element.hidden = isHidden;
}

/**
 * Create an HTML element with properties (not attributes), data and children.
 * @param {string} name
 * @param {{data?:Record<string,string>,[key:string]:any}} [properties]
 */
export function html(name, { data = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/**
 * Return whether an element is on the page and not hidden; true in Safari before 17.4, which lacks
 * `checkVisibility`.
 */
export function isVisible(element) {
  return element.checkVisibility?.() ?? true;
}

export function wantsLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Return the JSON embedded in the page under an id, or null. */
export function bootData(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

/** Return the device's storage; null where the browser refuses access. */
export function deviceStore() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Return whether two JSON values are equal. */
export function isDeepEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
