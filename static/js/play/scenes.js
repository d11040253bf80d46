// Show each kind of action on the board: rolls, moves, the cube.

import { BAR } from "../board/geometry.js";
import { SIDES, otherSide, parsePlay, playFor, replay } from "../board/positions.js";
import { LANDING } from "../board/motion.js";
import { cubeOnBoard, diceAfter, diceOnBoard, positionOf } from "./model.js";
import { playMove } from "./sound.js";
import * as words from "../text/sentences.js";

const PASS_HOLD = 1000; // ms; the player's own pass is shown at least this long
const OPENING_HOLD = 2; // an opening roll is shown for this multiple of the pause `hold`
const CELEBRATION = 2.3; // time of one checker in the celebration, as a multiple of a move's time

export class Scenes {
  /**
   * @param {{board:Board,announcer:Announcer,
   *   sounds:Sounds,speed:() => object,side:() => string,variant:string,
   *   hasMoved:(text:string) => boolean,keepsNumbers:() => boolean,
   *   spectatorText:() => SpectatorText|null,isOfTournament:() => boolean}} table hasMoved = the
   *   board shows the play already; keepsNumbers = the opponent's moves are named in the opponent's
   *   numbers; spectatorText = replacements of the sentences for a spectator, null for a player
   */
  constructor(table) {
    this.table = table;
  }

  /** @param {Scene} scene */
  async play(scene, pause, isHurried) {
    const show = this[`show_${scene.action.kind}`] ?? this.showOther;
    const speed = isHurried() ? { own: 0, other: 0, dice: 0, hold: 0 } : this.table.speed();
    await show.call(this, scene, pause, speed, isHurried);
    this.#cube(scene.view, isHurried() ? 0 : speed.own);
    this.#celebrate(scene, isHurried() ? 0 : speed.own);
  }

  /** Celebrate a game that the viewer has won; spectators see every won game celebrated. */
  #celebrate({ before, view }, ms) {
    const winner = SIDES.find((side) => before?.score && view.score[side] > before.score[side]);
    const isShown = winner && (winner === this.table.side() || this.table.spectatorText());
    if (!isShown) return;
    this.table.board.celebrate(winner, ms * CELEBRATION);
    this.table.sounds.play("win", ms);
  }

  /** Show a whole state at once, without movement. */
  showState(view) {
    const { board, announcer } = this.table;
    announcer.clear(); // the last event may be long past
    board.clearTrace();
    board.setPosition(positionOf(view), this.table.side());
    // A match may end between a roll and its play: the dice stay on the board in their side's
    // color.
    this.#dice(view.turn, view.turn ? view.dice ?? [] : [], 0);
    this.#cube(view, 0);
  }

  #isMine(action) {
    return action.side === this.table.side();
  }

  #dice(side, dice, ms, isUsed = false) {
    this.#faces(side, dice.length ? diceOnBoard(dice, side, isUsed) : [], ms);
  }

  #faces(side, faces, ms = 0) {
    this.table.board.setDice(side === this.table.side() ? { own: faces } : { enemy: faces }, ms);
  }

  #cube(view, ms) {
    this.table.board.setCube(cubeOnBoard(view, this.table.side()), ms);
  }

  async show_start({ action, view }, pause, speed) {
    const { board, announcer, side } = this.table;
    const me = side();
    announcer.clear();
    announcer.say(words.gameStarts(action.game, view.score[me], view.score[otherSide(me)]));
    board.clearTrace();
    board.setDice({});
    board.setPosition(positionOf(view), me, speed.own);
    await pause(speed.own);
  }

  async show_opening({ action, view }, pause, speed) {
    const { board, announcer, sounds, side, variant } = this.table;
    const me = side();
    const [mine, theirs] = [action[me], action[otherSide(me)]];
    board.setDice({
      own: [{ value: mine, side: me }], enemy: [{ value: theirs, side: otherSide(me) }],
    }, speed.dice);
    sounds.play("dice", speed.dice * LANDING);
    await pause(speed.dice);
    announcer.say(this.table.spectatorText()?.opening(action) ?? words.opening(mine, theirs, variant === "short"));
    await pause(speed.hold * OPENING_HOLD);
    if (view.dice) this.#dice(view.turn, view.dice, 0);
    else if (mine !== theirs) board.setDice({});
  }

  async show_roll({ action }, pause, speed) {
    const { board, announcer, sounds } = this.table;
    const dice = [action.d1, action.d2];
    if (this.#isMine(action)) board.clearTrace();
    this.#dice(action.side, dice, speed.dice);
    this.lastDice = dice;
    sounds.play("dice", speed.dice * LANDING);
    await pause(speed.dice);
    if (this.#isMine(action)) announcer.clear();
    announcer.say(this.table.spectatorText()?.rolled(action) ?? words.rolled(this.#isMine(action), dice));
  }

  async show_play(scene, pause, speed, isHurried) {
    const { action, view, before } = scene;
    const moves = parsePlay(action.text) ?? [];
    const dice = before.dice ?? this.lastDice;
    if (!moves.length) await this.#pass(scene, dice, pause, speed);
    else await this.#moves(scene, { moves, dice }, pause, speed, isHurried);
    this.table.board.setPosition(positionOf(view), this.table.side(), isHurried() ? 0 : speed.own);
    if (dice) this.#dice(action.side, dice, 0, true);
  }

  async #pass({ action, before }, dice, pause, speed) {
    const isOnBar = before[action.side][BAR] > 0;
    this.table.announcer.say(this.table.spectatorText()?.passed(action) ?? words.passed(this.#isMine(action), dice, isOnBar));
    await pause(this.#isMine(action) ? Math.max(PASS_HOLD, speed.hold) : speed.hold);
  }

  async #moves({ action, before }, { moves, dice }, pause, speed, isHurried) {
    const { board, announcer, sounds, variant } = this.table;
    const isMine = this.#isMine(action);
    if (isMine && this.table.hasMoved(action.text)) {
      announcer.clear();
    } else {
      board.setPosition(positionOf(before), this.table.side());
      const steps = replay(positionOf(before), action.side, moves, variant);
      for (const [index, move] of moves.entries()) {
        const ms = isHurried() ? 0 : speed.other;
        if (dice) this.#faces(action.side, diceAfter(dice, action.side, moves.slice(0, index + 1)));
        board.moveChecker(action.side, move, steps[index].isHit, ms);
        const { isHit } = steps[index];
        await pause(ms);
        if (!isHurried()) playMove(sounds, { ...move, isHit }, { ms });
        if (isHit) await pause(ms);
      }
    }
    const text = playFor(action.text, action.side, {
      viewer: this.table.side(), variant, keepsNumbers: this.table.keepsNumbers(),
    });
    announcer.say(this.table.spectatorText()?.played(action.side, text) ?? words.played(isMine, text));
    if (!isMine) board.trace(moves, action.side);
  }

  async showOther({ action, view }, pause, speed) {
    const { announcer, sounds } = this.table;
    const isMine = this.#isMine(action);
    if (isMine) announcer.clear();
    announcer.say(this.table.spectatorText()?.happened(action, view) ?? words.happened(action, isMine, view, this.table.isOfTournament()));
    if (["double", "take", "beaver"].includes(action.kind)) {
      this.table.board.setDice({});
      this.#cube(view, speed.own);
      sounds.play("cube");
      await pause(speed.own);
    }
  }
}
