// Tell the page when it may interrupt the player, for example to remind them
// how long they have been playing.

const EVERY = 60_000; // ms

export class BetweenTurns {
  /** @param {() => void} tell called while the player has nothing to do, at most once a minute */
  constructor(tell) {
    this.tell = tell;
    this.nextAt = 0;
  }

  /** @param {boolean} isMine whether the player has to act @param {number} now in ms */
  update(isMine, now) {
    if (isMine || now < this.nextAt) return;
    this.nextAt = now + EVERY;
    this.tell();
  }
}
