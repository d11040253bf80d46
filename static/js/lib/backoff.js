// How long to wait before trying a connection again.

const FIRST = 200;
const LAST = 5000;

/**
 * Between half and the whole of a span that doubles, so that a thousand pages do not return at once.
 * @param {number} tries how often it was tried in vain
 * @param {() => number} random 0 to 1
 * @returns {number} milliseconds
 */
export function delay(tries, random) {
  const span = Math.min(LAST, FIRST * 2 ** tries);
  return span * (0.5 + random() / 2);
}
