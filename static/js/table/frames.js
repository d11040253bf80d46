// Frames of the server, in the order in which match-socket.js delivers them.

import { fetchJson } from "../lib/browser.js";
import { isDeepEqual } from "../lib/dom.js";
import { isFinished, isToPlay, lacksHistory, reduce, withHistory } from "../play/model.js";
import { withTexts } from "../lib/late-texts.js";

/** Return the module with the sentences of refusals; null if it cannot be loaded: play goes on. */
const openRefusals = () => withTexts(import("../text/refusals.js")).catch(() => null);

// Frames about the chat, which a state does not contain.
const OF_CHAT = new Set(["said", "hidden", "silenced"]);

/** Apply each frame to the table's model and update the parts that depend on it. */
export class Frames {
  #isFetching = false;

  /** @param {object} table of main.js */
  constructor(table) {
    this.table = table;
  }

  receive(frame, { roundTrip }) {
    const { table } = this;
    if (frame.now !== undefined) table.time.learn(frame.now, performance.now(), roundTrip);
    switch (frame.t) {
      case "state": return this.#state(frame);
      case "current": return this.#repeatStale();
      case "event": return this.#event(frame);
      case "ack": return this.#ack(frame);
      case "error": return this.#error(frame);
      case "why": return this.#explain(frame);
      case "hint": return table.coach?.receive(frame);
      case "held": return this.#held(frame);
      case "premove": return this.#premove(frame);
      case "said":
      case "heard":
      case "hidden":
      case "silenced":
      case "presence":
      case "watchers":
      case "rematch": return this.#toPeople("receive", frame);
      default: return undefined;
    }
  }

  #state(frame) {
    const { table } = this;
    const isSame = table.turn.isActive && isDeepEqual(frame.plays, table.model.plays);
    table.model = reduce(table.model, frame);
    table.connection.draw();
    // A state has the newest presence, watchers and rematch: frames from before it must not replace them.
    table.forPeople = table.forPeople?.filter(([, { t }]) => OF_CHAT.has(t)) ?? null;
    this.#toPeople("join", frame);
    table.coach?.join();
    this.#repeatStale();
    if (lacksHistory(table.model)) this.#fetchHistory();
    // Keep the moves already made in an unchanged turn.
    if (isSame && isToPlay(table.model) && table.stage.isIdle) return table.prepareNext();
    table.mustShowState = true; // drawn later, after an interrupted scene has finished
    table.stage.clear();
    table.turn.end();
    if (!table.stage.isIdle) return undefined;
    return table.shown ? table.prepareNext() : table.stage.add({ view: table.model.view });
  }

  /** Repeat commands that were refused as stale, once the page has every action. */
  #repeatStale() {
    this.table.leaving.repeat();
    this.table.entropy.advance();
  }

  /** Fetch the actions of the match from before this page joined. */
  async #fetchHistory() {
    const { table } = this;
    // Only players may read the log of a match in play.
    const mayRead = table.model.you.side !== null || isFinished(table.model);
    if (this.#isFetching || !mayRead) return;
    this.#isFetching = true;
    const match = await fetchJson(table.boot.urls.export_json);
    this.#isFetching = false;
    if (!match) return;
    table.model = withHistory(table.model, match.actions);
    table.render();
  }

  #event(frame) {
    const { table } = this;
    const before = table.model.view;
    table.model = reduce(table.model, frame);
    table.entropy.advance();
    table.stage.add({ action: frame.action, view: frame.view, before });
    if (table.stage.isIdle) table.prepareNext();
  }

  #ack(frame) {
    const { table } = this;
    if (table.leaving.acknowledged(frame)) return;
    table.ackSeq = Math.max(table.ackSeq, frame.seq);
    table.entropy.answered(frame.id, frame.seq);
    table.entropy.advance();
    table.render();
  }

  /** Call the people panel now, or once its script has loaded. */
  #toPeople(name, frame) {
    const { people, forPeople } = this.table;
    if (people) people[name](frame);
    else forPeople?.push([name, frame]);
  }

  async #error(frame) {
    const { table } = this;
    if (table.leaving.refused(frame)) return;
    if (table.people?.refused(frame) || table.coach?.refused(frame)) return;
    if (frame.code === "blunder") {
      table.prepareNext();
      return;
    }
    table.entropy.refused(frame.id, frame.code);
    if (frame.command?.startsWith("entropy")) return;
    const text = table.people?.refusalText(frame) ?? (await openRefusals())?.errorText(frame);
    if (text) table.announcer.say(text);
    if (text) table.typed.refuse(text);
    table.prepareNext();
  }

  #premove(frame) {
    const { table } = this;
    table.model = reduce(table.model, frame);
    table.render();
  }

  async #explain(frame) {
    const { table } = this;
    const text = (await openRefusals())?.reasonText(frame.reason, frame.points);
    table.culprits = frame.points ?? [];
    table.announcer.clear();
    if (text) table.announcer.say(text);
    if (text) table.typed.refuse(text);
    table.render();
  }

  #held(frame) {
    const { table } = this;
    table.model = reduce(table.model, frame);
    table.turn.end();
    table.autoPlay.stop();
    if (table.shown) table.scenes.showState(table.shown);
    table.connection.draw();
    table.render();
  }
}
