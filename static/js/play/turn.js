// The player's turn before it is sent: selecting, moving, undoing. It walks the graph of legal
// plays (board/plays.js) and shows the result on the board.

import { OFF } from "../board/geometry.js";
import {
  deadDice, diceUsed, forcedBearOff, forcedRest, isComplete, movable, moveByDie, moveByOrder,
  moveChecker, movesOf, nextDie, nodeOf, playAll, playWritten, positionOf, startTurn, swapDice, targets,
  textOf, undo,
} from "../board/plays.js";

/** Return the Input handlers that act on a turn; the caller adds wake, tap, dice and letter. */
export function turnHandlers(turn) {
  return {
    press: (place) => turn.press(place),
    hold: (place) => turn.hold(place),
    lift: (place) => turn.select(place),
    drop: (source, place) => turn.drop(source, place),
    abandon: (place) => turn.abandon(place),
    cancel: () => turn.select(null),
  };
}

export class TurnInProgress {
  /**
   * @param {{board:Board,settings:Settings,
   *   ms:() => number,onChange:() => void,onRefused:(from:number,to:number|null) => void,
   *   onMoved:() => void}} table
   */
  constructor(table) {
    this.table = table;
    this.walk = null; // Turn of board/plays.js; null while the player has no turn
    this.selected = null;
    this.isByPointer = false; // true if a pointer made the last move, as endOfTurn "safe" requires
  }

  get isActive() {
    return this.walk !== null;
  }

  begin(graph, dice, side) {
    this.side = side;
    this.rolled = dice;
    this.walk = startTurn(graph, dice);
    this.selected = null;
    this.isByPointer = false;
    this.isNew = true; // until AutoPlay has handled the turn
    this.isForced = false; // true once its only play is made: the turn then ends automatically
    this.hasUndone = false; // once true, nothing in this turn is played or ended automatically
    this.#changed();
  }

  end() {
    this.walk = null;
    this.selected = null;
  }

  // --- Queries -----------------------------------------------------------------------------

  get movable() {
    return this.walk ? movable(this.walk) : new Set();
  }

  get targets() {
    if (!this.walk || this.selected === null) return new Map();
    return targets(this.walk, this.selected);
  }

  get isComplete() {
    return this.walk !== null && isComplete(this.walk);
  }

  get canUndo() {
    return this.walk !== null && this.walk.steps.length > 0;
  }

  get text() {
    return this.walk ? textOf(this.walk) : "";
  }

  /** Return the dice that no legal play can use any more. */
  get deadDice() {
    return this.walk ? deadDice(this.walk) : [];
  }

  get position() {
    return this.walk ? positionOf(this.walk) : null;
  }

  get moves() {
    return this.walk ? movesOf(this.walk) : [];
  }

  /** Return the moves of one die that are possible now. */
  get singleMoves() {
    return this.walk ? this.walk.graph.edges[nodeOf(this.walk)] : [];
  }

  get forced() {
    return this.walk && !this.walk.steps.length ? forcedRest(this.walk) : null;
  }

  /** Return the dice in the form that `Board.setDice` draws. */
  get dice() {
    const used = diceUsed(this.walk);
    const next = nextDie(this.walk);
    const isDoublet = this.walk.dice.length === 4;
    return this.walk.dice.map((value, index) => ({
      value, isUsed: used[index], isNext: !isDoublet && index === next, side: this.side,
    }));
  }

  // --- Actions -----------------------------------------------------------------------------

  /** Return whether a tap plays a checker at once; otherwise a tap picks the checker up. */
  get #playsByTap() {
    return this.table.settings.get("tap") === "play";
  }

  /** Handle a press on a place; return whether a checker can be dragged from it. */
  press(place) {
    this.before = this.selected;
    this.isOnTarget = this.targets.has(place);
    if (!this.movable.has(place)) return false;
    if (!this.isOnTarget && this.before !== place && !this.#playsByTap) this.select(place);
    return true;
  }

  /** Handle a press that ended on the same place. */
  tap(place, isTwice, isByPointer = false) {
    const isPlaying = this.#playsByTap;
    if (isTwice && !isPlaying && this.#playByDoubleClick(place, isByPointer)) return;
    if (this.isOnTarget) this.moveTo(place, this.selected, isByPointer);
    else if (!this.movable.has(place)) this.#refuse(place);
    else if (isPlaying && this.selected === null) this.#playByOrder(place, isByPointer);
    else if (!isPlaying && this.#bearsOffByTap(place)) this.moveTo(OFF, place, isByPointer);
    else if (this.before === place) this.select(null);
    else this.select(place);
  }

  /** Pick up a checker that a tap would play at once. @returns {boolean} whether one was picked up */
  hold(place) {
    if (!this.#playsByTap || this.isOnTarget || !this.movable.has(place)) return false;
    this.select(place);
    return true;
  }

  /** Select what was selected before the press on a place: the press does not count. */
  abandon(place) {
    if (this.selected === place) this.select(this.before);
  }

  drop(source, place) {
    if (!this.walk) return; // the turn ended during the drag, for example by a resignation
    if (place === source || place === null) {
      if (this.#playsByTap) this.select(null);
      return;
    }
    if (this.selected !== source) this.select(source);
    if (this.moveTo(place, source, true)) return;
    if (this.#playsByTap) this.select(null);
    this.table.onRefused(source, place);
  }

  select(place) {
    this.selected = place;
    this.#changed();
  }

  /** Move the selected checker (or the one given); return false when the graph has no such move. */
  moveTo(target, source = this.selected, isByPointer = false) {
    return source !== null && this.#take(moveChecker(this.walk, source, target), isByPointer);
  }

  undo() {
    if (!this.canUndo) return;
    this.walk = undo(this.walk);
    this.selected = null;
    this.hasUndone = true;
    this.#show();
  }

  /** Undo every move of the turn. */
  takeBack() {
    if (!this.canUndo) return;
    while (this.canUndo) this.walk = undo(this.walk);
    this.selected = null;
    this.hasUndone = true;
    this.#show();
  }

  swap() {
    if (!this.walk) return;
    this.walk = swapDice(this.walk);
    this.#changed();
  }

  /** Play moves that leave no choice. */
  playForced(moves) {
    this.walk = playAll(this.walk, moves);
    this.selected = null;
    this.#show();
  }

  /** Play typed moves; return the first that is impossible, after playing those before it. */
  playTyped(written) {
    const { turn, refused } = playWritten(this.walk, written);
    this.isByPointer = false;
    this.walk = turn;
    this.selected = null;
    this.#show();
    return refused;
  }

  /** Bear off automatically, if the settings ask for it and no choice is left. */
  bearOffAutomatically() {
    const { settings } = this.table;
    if (!settings.get("autoBearOff") && settings.get("bearOff") !== "automatic") return false;
    if (this.hasUndone || !this.walk) return false;
    const rest = forcedBearOff(this.walk, this.side);
    if (rest) this.playForced(rest);
    return rest !== null;
  }

  #bearsOffByTap(place) {
    if (this.table.settings.get("bearOff") === "drag" || this.selected !== place) return false;
    const reachable = targets(this.walk, place);
    return reachable.has(OFF) && [...reachable.values()].every((moves) => moves.at(-1).target === OFF);
  }

  /**
   * Play the first unused die that the checker can play. If that bears off and the settings allow
   * bearing off only by dragging, pick the checker up.
   */
  #playByOrder(place, isByPointer) {
    const turn = moveByOrder(this.walk, place);
    const bearsOff = movesOf(turn).at(-1).target === OFF;
    if (bearsOff && this.table.settings.get("bearOff") === "drag") this.select(place);
    else this.#take(turn, isByPointer);
  }

  #playByDoubleClick(place, isByPointer) {
    const wish = this.table.settings.get("doubleClick");
    if (wish === "none" || !this.movable.has(place)) return false;
    if (wish === "bear_off") return this.moveTo(OFF, place, isByPointer);
    const open = this.walk.dice.filter((_, at) => !diceUsed(this.walk)[at]).sort((a, b) => b - a);
    if (wish === "smaller") open.reverse();
    return open.some((die) => this.#take(moveByDie(this.walk, place, die), isByPointer));
  }

  #take(turn, isByPointer) {
    if (!turn) return false;
    this.walk = turn;
    this.isByPointer = isByPointer;
    this.selected = null;
    this.#show();
    this.table.onMoved();
    return true;
  }

  /**
   * Report an impossible move; the table asks the server for the reason. A tap on a place without
   * checkers of the player is ignored unless a checker is picked up.
   */
  #refuse(place) {
    const held = this.selected;
    if (held === null && !this.position[this.side][place]) return;
    this.table.onRefused(held ?? place, held === null ? null : place);
  }

  #show() {
    this.table.board.setPosition(positionOf(this.walk), this.side, this.table.ms());
    this.#changed();
  }

  #changed() {
    this.table.onChange();
  }
}
