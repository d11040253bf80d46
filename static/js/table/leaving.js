// Leave the table: send `leave` and open the next page once the server has acknowledged or refused
// it, or after a short wait. A `leave` that is refused as stale is sent again instead.

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

  /** Send `leave` again if it was refused as stale; called when the page has the newest state. */
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

  /** @returns {boolean} whether it was `leave` that was refused */
  refused(frame) {
    if (frame.command !== "leave") return false;
    if (frame.code !== "stale") this.#go();
    return true;
  }

  #go() {
    location.assign(this.table.boot.urls.after);
  }
}
