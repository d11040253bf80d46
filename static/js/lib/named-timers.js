// Timers by name: a new timer replaces the running one of its name. Pure: the caller passes the
// functions that set and clear a timer.

export class NamedTimers {
  #timers;
  #running = new Map();

  /** @param {{set:(f:() => void, ms:number) => any, clear:(timer:any) => void}} timers */
  constructor(timers) {
    this.#timers = timers;
  }

  set(name, ms, action) {
    this.cancel(name);
    this.#running.set(name, this.#timers.set(() => {
      this.#running.delete(name);
      return action();
    }, ms));
  }

  cancel(name) {
    if (!this.#running.has(name)) return;
    this.#timers.clear(this.#running.get(name));
    this.#running.delete(name);
  }

  cancelAll() {
    for (const name of [...this.#running.keys()]) this.cancel(name);
  }
}
