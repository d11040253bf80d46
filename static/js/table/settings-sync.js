// Synchronize the table's settings with the member's account: send changes soon after they are
// made, fetch changes made elsewhere. Nothing here throws, so that play is never interrupted.

import { browserTimers, fetchJson } from "../lib/browser.js";
import { NamedTimers } from "../lib/named-timers.js";

const SEND_AFTER = 400; // ms; joins several presses into one message
const RETRY_AFTER = 4000; // ms from a failed sending to the next try

/**
 * @typedef {"saved"|"refused"|"failed"} Outcome
 *   refused = a repetition would be refused too; failed = try later
 * @typedef {Object} AccountApi access to the account
 * @property {(changes:object) => Promise<Outcome>} send
 * @property {() => Promise<object|null>} fetch the choices as the account has them
 */

export class SettingsSync {
  #isSending = false;
  #hasRetried = false;
  #requests = 0; // number of requests for the account's choices; only the answer to the latest counts

  /**
   * @param {Settings} settings of a member
   * @param {AccountApi} api
   * @param {{set:(f:() => void, ms:number) => any, clear:(timer:any) => void}} timers
   */
  constructor(settings, api, timers) {
    this.settings = settings;
    this.api = api;
    this.timers = new NamedTimers(timers);
    settings.onChange(() => this.#changed());
    this.send();
  }

  get #hasNothingToSend() {
    return Object.keys(this.settings.unsent).length === 0;
  }

  #changed() {
    if (this.#hasNothingToSend) return; // the change came from the account
    this.#hasRetried = false;
    this.#later(SEND_AFTER);
  }

  #later(ms) {
    this.timers.set("send", ms, () => this.send());
  }

  /** Send unsent changes at once. */
  async send() {
    if (this.#isSending || this.#hasNothingToSend) return;
    this.timers.cancel("send");
    const changes = this.settings.unsent;
    this.#isSending = true;
    const outcome = await this.api.send(changes);
    this.#isSending = false;
    if (outcome === "failed") this.#failed();
    else this.settings.sent(changes);
    if (outcome === "refused") this.refresh(); // for example, a look is no longer owned
    if (outcome !== "failed" && !this.#hasNothingToSend) this.#later(SEND_AFTER);
  }

  /** Retry once, then only with the next change or visit; the device keeps the changes. */
  #failed() {
    if (this.#hasRetried) return;
    this.#hasRetried = true;
    this.#later(RETRY_AFTER);
  }

  /** Apply choices made elsewhere. */
  async refresh() {
    this.#requests += 1;
    const mine = this.#requests;
    const choices = await this.api.fetch();
    if (choices && mine === this.#requests) this.settings.take(choices);
  }
}

/**
 * Access the account by fetch; `keepalive` completes a change while the page is being left.
 * @returns {AccountApi}
 */
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
    fetch: () => fetchJson(url),
  };
}

let account = null;

/** Synchronize a member's page with their account; a second call does nothing. */
export function syncWithAccount(settings, { url, token }) {
  if (account) return;
  account = new SettingsSync(settings, accountApi(url, token), browserTimers);
  for (const name of ["nudge-choices", "nudge-any"]) {
    document.body.addEventListener(name, () => account.refresh());
  }
  addEventListener("pagehide", () => account.send());
}
