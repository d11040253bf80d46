// A clock and timers that a test advances by hand.

export class FakeTime {
  now = 0; // ms
  #pending = new Map();
  #next = 1;

  timers = {
    set: (act, ms) => {
      this.#pending.set(this.#next, { act, at: this.now + ms });
      return (this.#next += 1) - 1;
    },
    clear: (timer) => this.#pending.delete(timer),
  };

  /** Advance by `ms` and run the timers that become due, in order. */
  run(ms) {
    const until = this.now + ms;
    for (;;) {
      const [id, due] = [...this.#pending].sort((a, b) => a[1].at - b[1].at)[0] ?? [];
      if (!due || due.at > until) break;
      this.now = due.at;
      this.#pending.delete(id);
      due.act();
    }
    this.now = until;
  }
}
