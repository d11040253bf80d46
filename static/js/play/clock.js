// The players' clocks, computed from the server's values. Pure: callers pass the page's time.

// ms, the longest time that a pong is assumed to take from the server. Up to this limit the assumed
// time is half of the round trip. After a longer round trip the ping was probably delayed before
// the server wrote its time: half would be too much, and the clock would run ahead.
const LONGEST_LAG = 250;

/** Track the offset between the page's clock and the server's match clock. */
export class ServerTime {
  #best = null;

  /**
   * Correct the offset by the time in a frame.
   * @param {number} serverNow the server's `now` in a frame, ms since the match was created
   * @param {number} localNow arrival of the frame, by performance.now()
   * @param {number|null} roundTrip ms, if the frame answers a request of this page
   */
  learn(serverNow, localNow, roundTrip = null) {
    const lag = roundTrip === null ? 0 : Math.min(roundTrip / 2, LONGEST_LAG);
    const offset = serverNow + lag - localNow;
    // A frame can only be late: the largest offset seen is closest to the true one.
    if (this.#best === null || offset > this.#best) this.#best = offset;
    // More than 3 s late: the device slept or the server restarted, so the old offset is wrong.
    else if (this.#best - offset > 3000) this.#best = offset;
  }

  /** Return the match time in ms at a time of performance.now(); 0 before the first frame. */
  at(localNow) {
    return this.#best === null ? 0 : localNow + this.#best;
  }
}

/**
 * Return the time left to a side.
 * @param {object|null} clock of the view, as of the match time `asOf`; null in a match without a clock
 * @param {"white"|"black"} side
 * @param {number} asOf ms since the match was created
 * @param {number} now ms since the match was created, by ServerTime
 * @returns {{delay:number,reserve:number,isRunning:boolean,isPaused:boolean}|null} ms
 */
export function remaining(clock, side, asOf, now) {
  if (!clock) return null;
  const reserve = clock.reserve_ms[side];
  const isRunning = clock.running === side && !clock.paused;
  const delay = clock.running === side ? clock.delay_left_ms : clock.delay_ms;
  if (!isRunning) return { delay, reserve, isRunning, isPaused: Boolean(clock.paused) };
  const spent = Math.max(0, now - asOf);
  return {
    delay: Math.max(0, delay - spent),
    reserve: Math.max(0, reserve - Math.max(0, spent - delay)),
    isRunning,
    isPaused: false,
  };
}

/** Warn at 30 and at 10 seconds left, once each until the clock of the side stops. */
export class LowTime {
  #warned = null;

  /**
   * @param {object|null} left as returned by `remaining`
   * @returns {30|10|null} the warning that is due now, in seconds left
   */
  check(left) {
    if (!left || !left.isRunning) {
      this.#warned = null;
      return null;
    }
    const total = left.delay + left.reserve;
    const due = total <= 10_000 ? 10 : total <= 30_000 ? 30 : null;
    if (due === null || due === this.#warned || (due === 30 && this.#warned === 10)) return null;
    this.#warned = due;
    return due;
  }
}
