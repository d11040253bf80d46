// The delay before the next attempt to connect.

const FIRST = 200; // ms, longest first delay
const LAST = 5000; // ms, longest delay at all

/**
 * Return a random delay between half and the whole of a doubling span. The randomness spreads the
 * reconnects of many pages after an outage.
 * @param {number} tries failed attempts so far
 * @param {() => number} random 0 to 1
 * @returns {number} milliseconds
 */
export function delay(tries, random) {
  const span = Math.min(LAST, FIRST * 2 ** tries);
  return span * (0.5 + random() / 2);
}
