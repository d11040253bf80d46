// Frames of the server, in the order in which match-socket.js delivers them.

import { fetchJson } from "../lib/browser.js";
import { isDeepEqual } from "../lib/dom.js";
import { isFinished, isToPlay, lacksHistory, reduce, withHistory } from "../play/model.js";
import { withTexts } from "../lib/late-texts.js";

/** Return the module with the sentences of refusals; null if it cannot be loaded: play goes on. */
const openRefusals = () => withTexts(import("../text/refusals.js")).catch(() => null);

// Frames about the chat. A `state` frame has nothing about the chat.
const OF_CHAT = new Set(["said", "hidden", "silenced"]);
// Commands that are sent again, once, if another action came first and made them stale.
const REPEATED = new Set(["next", "pause", "resign_match"]);
const REPEATED_WITHIN = 5000; // ms from the refusal; later the player may want something else
const HISTORY_AGAIN = 5000; // ms until the history is fetched again, once, after a failure

/** Apply each frame to the table's model and update the parts that depend on it. */
export class Frames {
  #isFetching = false;
  #stale = null; // the refusal as stale of a command of REPEATED, and its time: {frame, at}
  #repeated = null; // the command of REPEATED that was sent again; its next refusal is shown

  /** @param {object} table of main.js */
  constructor(table) {
    this.table = table;
  }

  receive(frame, { roundTrip, isFirst = false }) {
    const { table } = this;
    if (frame.now !== undefined) table.time.learn(frame.now, performance.now(), roundTrip);
    switch (frame.t) {
      case "state": return this.#state(frame, isFirst);
      case "pong": return table.tick();
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

  /** @param {boolean} isFirst the first one of a connection */
  #state(frame, isFirst) {
    const { table } = this;
    // The answer to a ping may be a state that the page has already, by events that the ping has
    // crossed.
    const isNews = !table.shown || frame.seq > table.model.seq || frame.you.holder !== table.model.you.holder;
    const isSame = table.turn.isActive && isDeepEqual(frame.plays, table.model.plays);
    table.model = reduce(table.model, frame);
    table.connection.draw();
    // A state has the newest presence, watchers and rematch: frames from before it must not replace
    // them.
    table.forPeople = table.forPeople?.filter(([, { t }]) => OF_CHAT.has(t)) ?? null;
    this.#toPeople(isFirst ? "begin" : "join", frame);
    table.coach?.join();
    this.#repeatStale();
    if (lacksHistory(table.model)) this.#fetchHistory();
    // Keep the moves already made in an unchanged turn.
    if (isSame && isToPlay(table.model) && table.stage.isIdle) return table.prepareNext();
    if (!isNews && !table.stage.isIdle) return undefined; // the running scene shows it
    if (!isNews && !table.turn.isActive) return table.prepareNext();
    table.mustShowState = true; // drawn later, after an interrupted scene has finished
    table.stage.clear();
    table.turn.end();
    if (!table.stage.isIdle) return undefined;
    return table.shown ? table.prepareNext() : table.stage.add({ view: table.model.view });
  }

  /** Repeat commands that were refused as stale, once the page has every action. */
  #repeatStale() {
    const { table } = this;
    table.leaving.repeat();
    table.entropy.advance();
    const stale = this.#stale;
    this.#stale = null;
    if (!stale) return;
    const { frame, at } = stale;
    if (performance.now() - at < REPEATED_WITHIN && this.#mayRepeat(frame.command)) {
      this.#repeated = frame.command;
      table.command(frame.command);
      return;
    }
    // A `next` that is not repeated is done: the next game has begun by itself.
    if (frame.command !== "next") this.#sayRefusal(frame);
  }

  /** Return whether a command still has the meaning that it had for the player. */
  #mayRepeat(command) {
    const { model, moreDialog } = this.table;
    return command === "resign_match" ? moreDialog.isStillAgreed() : Boolean(model.may[command]);
  }

  /** Fetch the actions of the match from before this page joined. */
  async #fetchHistory(isAgain = false) {
    const { table } = this;
    // Only players may read the log of a match in play.
    const mayRead = table.model.you.side !== null || isFinished(table.model);
    if (this.#isFetching || !mayRead) return;
    this.#isFetching = true;
    const match = await fetchJson(table.boot.urls.export_json);
    this.#isFetching = false;
    if (!match) {
      const again = () => lacksHistory(table.model) && this.#fetchHistory(true);
      if (!isAgain) setTimeout(again, HISTORY_AGAIN);
      return;
    }
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
    if (!table.entropy.answered(frame.id, frame.seq)) { // it was an act of the player
      this.#stale = null;
      this.#repeated = null;
    }
    table.entropy.advance();
    // If the event came before and its scene is over, nothing else starts automatic actions.
    if (table.stage.isIdle && !table.isBusy) table.autoPlay.update();
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
    const isSecond = frame.command === this.#repeated;
    this.#repeated = null;
    if (frame.code === "stale" && REPEATED.has(frame.command) && !isSecond) {
      this.#stale = { frame, at: performance.now() };
      // The next game may have begun by itself: then nothing else shows its buttons.
      if (table.stage.isIdle) table.prepareNext();
      return;
    }
    await this.#sayRefusal(frame);
    if (table.model.view) table.prepareNext(); // a refused join comes before any state
  }

  async #sayRefusal(frame) {
    const { table } = this;
    const text = table.people?.refusalText(frame) ?? (await openRefusals())?.errorText(frame);
    if (text) table.announcer.say(text);
    if (text) table.typed.refuse(text);
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
