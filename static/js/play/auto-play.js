// Actions that the settings make automatic: rolling, forced plays, ending the turn.

import { deadDiceText, forcedText, rolled } from "../text/sentences.js";
import { playText } from "../board/positions.js";

const ROLL_AFTER = 250; // ms; separates the roll from the opponent's last move
const FORCED_AFTER = 1100; // ms; leaves time to see the moves before the turn ends
const TIMED_AFTER = 2000; // ms; leaves time to undo before a complete turn ends

export class AutoPlay {
  /** The action that is about to happen: "roll", "end", "forced" or null. */
  pending = null;
  /** True after a roll was sent, until it is shown. */
  isRolling = false;
  #timer = null;
  #rolledFor = null; // seq at which a roll was sent

  /**
   * @param {{turn:TurnInProgress,settings:Settings,
   *   announcer:Announcer,seq:() => number,may:() => object,
   *   roll:() => void,done:() => void,isStaked:() => boolean,isHeldUp:() => boolean,changed:() => void}} table
   *   may() is empty while a scene is still shown or an answer is awaited; isHeldUp = the player is
   *   in a dialog, so that the turn must not end; changed is called when `pending` changes in `update`
   */
  constructor(table) {
    this.table = table;
  }

  /**
   * Start the action that is due. Called when the last scene has been shown, and after each act of
   * the player.
   */
  update() {
    const before = this.pending;
    this.stop();
    this.isRolling = false;
    this.#start();
    if (before && !this.pending) this.table.changed();
  }

  #start() {
    const { turn, may } = this.table;
    if (may().resume) return; // a paused match waits for its player
    if (turn.isActive) this.#playTurn();
    else if (this.#rollsAutomatically()) this.#after("roll", ROLL_AFTER, () => this.#roll());
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.pending = null;
  }

  /** @param {"roll"|"end"|"forced"} name */
  #after(name, ms, act) {
    this.pending = name;
    this.#timer = setTimeout(() => {
      if (name === "end" && this.table.isHeldUp()) return this.#after(name, ms, act);
      this.pending = null;
      return act();
    }, ms);
    this.table.changed();
  }

  #rollsAutomatically() {
    const { settings, may, seq } = this.table;
    const { roll, double } = may();
    // Never roll automatically while the cube could still be offered.
    return Boolean(roll) && !double && settings.get("dice") === "automatic" && this.#rolledFor !== seq();
  }

  #roll() {
    this.#rolledFor = this.table.seq();
    this.isRolling = true;
    this.table.roll();
  }

  #playTurn() {
    const { turn } = this.table;
    if (turn.isNew) this.#playForced();
    turn.isNew = false;
    turn.bearOffAutomatically();
    if (!turn.isComplete || turn.hasUndone) return;
    if (turn.isForced) this.#after("forced", FORCED_AFTER, () => this.#endForced());
    else if (this.#endsAutomatically()) this.#after("end", TIMED_AFTER, () => this.table.done());
  }

  /**
   * Return whether the setting ends a complete turn automatically: "timed" in every match, "safe"
   * only in a match without a stake, and only if the last move was made by a pointer.
   */
  #endsAutomatically() {
    const { turn, settings, isStaked } = this.table;
    const wish = settings.get("endOfTurn");
    return wish === "timed" || (wish === "safe" && turn.isByPointer && !isStaked());
  }

  /** Play and announce a turn without a choice. */
  #playForced() {
    const { turn, settings, announcer } = this.table;
    const moves = settings.get("endOfTurn") === "confirm" ? null : turn.forced;
    if (!moves) return;
    // Name the roll too: screen readers read this sentence instead of the one about the roll.
    const roll = deadDiceText(turn.rolled, turn.deadDice) || rolled(true, turn.rolled);
    announcer.say(`${roll} ${forcedText(playText(moves))}`);
    turn.playForced(moves);
    turn.isForced = true;
  }

  /** End a forced turn once: if the server refuses that, the player decides when to try again. */
  #endForced() {
    this.table.turn.isForced = false;
    this.table.done();
  }
}
