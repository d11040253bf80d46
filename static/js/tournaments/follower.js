// Decide when to leave a table whose match is over. The page passes the functions to call.

const WAIT = 15_000; // ms; templates/tournaments/tv_live.html says it in seconds

/**
 * Call `over` when the match is over, and `follow` WAIT later unless `stay` is called in between.
 * @param {{dataset: {phase?: string}}} table the table's root element
 * @param {{over: () => void, follow: () => void}} calls
 */
export class Follower {
  #timer = null;
  #hasStayed = false;

  constructor(table, calls) {
    this.table = table;
    this.calls = calls;
  }

  /** Check whether the match is over; called whenever the table has changed. */
  check() {
    if (this.#timer !== null || this.#hasStayed || this.table.dataset.phase !== "finished") return;
    this.calls.over();
    this.#timer = setTimeout(this.calls.follow, WAIT);
  }

  /** Stay at this table if its match is over; return whether it is. */
  stay() {
    if (this.#timer === null) return false;
    clearTimeout(this.#timer);
    this.#hasStayed = true;
    return true;
  }
}
