// Leave the table: open the next page when the server has acknowledged `leave`, or after a short wait.

const PATIENCE = 3000; // ms, longest wait for the server's answer

export class Leaving {
  #id = null; // of the command that was sent

  /** @param {object} table of main.js */
  constructor(table) {
    this.table = table;
  }

  start() {
    this.#id = this.table.socket.command("leave");
    setTimeout(() => this.#go(), PATIENCE);
  }

  /** Repeat a command that an action of the opponent made stale; called once the page has that action. */
  repeat() {
    const { socket } = this.table;
    if (this.#id && !socket.pending.has(this.#id)) this.#id = socket.command("leave");
  }

  /** @returns {boolean} whether the ack was for leaving */
  acknowledged(frame) {
    if (frame.id !== this.#id) return false;
    this.#go();
    return true;
  }

  /** @returns {boolean} whether the refusal was of leaving */
  refused(frame) {
    if (frame.command !== "leave") return false;
    if (frame.code !== "stale") this.#go();
    return true;
  }

  #go() {
    location.assign(this.table.boot.urls.after);
  }
}
