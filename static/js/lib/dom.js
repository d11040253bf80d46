// Small helpers for the page around the board.

/** The element of the page that bears `data-part="name"`. */
export function part(name, root = document) {
  return root.querySelector(`[data-part="${name}"]`);
}

/** Sets text only where it changes, so that screen readers hear no repetition. */
export function setText(element, text) {
  if (element && element.textContent !== String(text)) element.textContent = String(text);
}

export function setHidden(element, isHidden) {
  if (element && element.hidden !== isHidden) element.hidden = isHidden;
}

/**
 * An HTML element with properties (not attributes), data and children.
 * @param {string} name
 * @param {{data?:Record<string,string>,[key:string]:any}} [properties]
 */
export function html(name, { data = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

export function wantsLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The JSON that the page carries under an id, or null. */
export function bootData(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

/** The device's store; null where the browser refuses it. */
export function deviceStore() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Whether two pieces of JSON say the same. */
export function isDeepEqual(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
