// Between the table and a member's account: changes go there soon after they were made, changes
// made elsewhere come here. Whatever happens on the way, play goes on: nothing here throws.

const SEND_AFTER = 400; // ms: several presses in a row are one message
const RETRY_AFTER = 4000;

/**
 * @typedef {"saved"|"refused"|"failed"} Outcome refused = it would be again, failed = try later
 * @typedef {Object} AccountApi how the account is reached
 * @property {(changes:object) => Promise<Outcome>} send
 * @property {() => Promise<object|null>} fetch the choices as the account has them
 */

export class SettingsSync {
  #timer = null;
  #isSending = false;
  #hasRetried = false;
  #asked = 0;

  /**
   * @param {Settings} settings of a member
   * @param {AccountApi} line
   * @param {{set:(f:() => void, ms:number) => any, clear:(timer:any) => void}} timers
   */
  constructor(settings, line, timers) {
    this.settings = settings;
    this.line = line;
    this.timers = timers;
    settings.onChange(() => this.#changed());
    this.send();
  }

  get #owesNothing() {
    return Object.keys(this.settings.unsent).length === 0;
  }

  #changed() {
    if (this.#owesNothing) return; // what changed came from the account
    this.#hasRetried = false;
    this.#later(SEND_AFTER);
  }

  #later(ms) {
    this.timers.clear(this.#timer);
    this.#timer = this.timers.set(() => this.send(), ms);
  }

  /** Sends what is owed, at once. */
  async send() {
    if (this.#isSending || this.#owesNothing) return;
    this.timers.clear(this.#timer);
    const changes = this.settings.unsent;
    this.#isSending = true;
    const outcome = await this.line.send(changes);
    this.#isSending = false;
    if (outcome === "failed") this.#failed();
    else this.settings.sent(changes);
    if (outcome !== "failed" && !this.#owesNothing) this.#later(SEND_AFTER);
  }

  /** Once more by itself; then with the next change or the next visit: the device remembers. */
  #failed() {
    if (this.#hasRetried) return;
    this.#hasRetried = true;
    this.#later(RETRY_AFTER);
  }

  /** Something was chosen elsewhere: take it over. */
  async refresh() {
    this.#asked += 1;
    const mine = this.#asked;
    const choices = await this.line.fetch();
    if (choices && mine === this.#asked) this.settings.take(choices);
  }
}

/** @returns {AccountApi} by fetch; `keepalive` lets a change arrive whose page is being left */
export function accountApi(url, token) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  return {
    async send(changes) {
      try {
        const body = JSON.stringify(changes);
        const answer = await fetch(url, { method: "POST", headers, body, keepalive: true });
        if (answer.ok) return "saved";
        return answer.status >= 500 || answer.status === 429 ? "failed" : "refused";
      } catch {
        return "failed";
      }
    },
    async fetch() {
      try {
        const answer = await fetch(url, { headers: { Accept: "application/json" } });
        return answer.ok ? await answer.json() : null;
      } catch {
        return null;
      }
    },
  };
}

/** Ties a member's page to his account. */
export function syncWithAccount(settings, { url, token }) {
  const timers = { set: (act, ms) => setTimeout(act, ms), clear: (timer) => clearTimeout(timer) };
  const account = new SettingsSync(settings, accountApi(url, token), timers);
  for (const name of ["nudge-choices", "nudge-any"]) {
    document.body.addEventListener(name, () => account.refresh());
  }
  addEventListener("pagehide", () => account.send());
}
