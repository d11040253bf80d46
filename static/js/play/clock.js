// Clocks as the server counts them. Pure: the page's time is given.

/** Keeps the difference between the page's clock and the match clock of the server. */
export class ServerTime {
  #best = null;

  /**
   * @param {number} serverNow the server's `now` in a frame, ms since the match was created
   * @param {number} localNow when the frame came, by performance.now()
   * @param {number|null} roundTrip ms, when the frame answers a question of ours
   */
  learn(serverNow, localNow, roundTrip = null) {
    const lag = roundTrip === null ? 0 : roundTrip / 2;
    const offset = serverNow + lag - localNow;
    // A frame can only be late: the largest offset seen is the nearest to the truth.
    if (this.#best === null || offset > this.#best) this.#best = offset;
    // After a sleep of the device or a restart the old value is worthless.
    else if (this.#best - offset > 3000) this.#best = offset;
  }

  at(localNow) {
    return this.#best === null ? 0 : localNow + this.#best;
  }
}

/**
 * What is left to a side.
 * @param {object|null} clock of the view, as of the match time `asOf`
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

/** "1:05", "0:09": whole seconds, rounded up so that 0:00 means over. */
export function clockText(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "1:02:05" or "4:09" of elapsed time. */
export function elapsedText(ms) {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3600);
  const rest = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** Says once each when 30 and when 10 seconds are left. */
export class LowTime {
  #said = null;

  /** @returns {30|10|null} the warning that is due now */
  check(left) {
    if (!left || !left.isRunning) {
      this.#said = null;
      return null;
    }
    const total = left.delay + left.reserve;
    const due = total <= 10_000 ? 10 : total <= 30_000 ? 30 : null;
    if (due === null || due === this.#said || (due === 30 && this.#said === 10)) return null;
    this.#said = due;
    return due;
  }
}
