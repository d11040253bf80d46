// The delay before the next attempt to connect.

const MAX_FIRST = 200; // ms, longest first delay
const MAX = 5000; // ms, longest of all delays

/**
 * Return a random delay between half and the whole of a doubling span. The randomness spreads the
 * reconnects of many pages after an outage.
 * @param {number} tries failed attempts so far
 * @param {() => number} random 0 to 1
 * @returns {number} milliseconds
 */
export function delay(tries, random) {
  const span = Math.min(MAX, MAX_FIRST * 2 ** tries);
  return span * (0.5 + random() / 2);
}
