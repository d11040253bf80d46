// A small live board to try choices on. It uses the parts of the table, with fixed situations from
// the server, which include the graphs of legal plays.

import { Announcer } from "../play/announcer.js";
import { Board } from "../board/board.js";
import { part, setHidden, setText, wantsLessMotion } from "../lib/dom.js";
import { AutoPlay } from "../play/auto-play.js";
import { fitBoardToWidth } from "../play/fit-board.js";
import { MiddleButtons } from "../play/middle.js";
import { TurnInProgress, turnHandlers } from "../play/turn.js";
import { Input } from "../play/input.js";
import { showLooks } from "../play/looks.js";
import { parseGraph } from "../board/plays.js";
import { pips } from "../board/positions.js";
import { reasonText } from "../text/refusals.js";
import { Scenes } from "../play/scenes.js";
import { playMove } from "../play/sound.js";
import { Stage } from "../play/stage.js";
import { drawTurn } from "../play/draw-turn.js";
import { pipsText, promptBeforeAutomatic } from "../text/sentences.js";

const ME = "white";
const OPPONENT = "black";
const WIDE_FROM = 520; // px
// Settings that change the layout.
const REDRAWN = new Set(["mirrorShort", "mirrorLong", "numbers"]);

/** The next phase after the scenes of a phase are shown. */
const NEXT_PHASE = { opponent: "to_roll", rolling: "to_play", ending: "over" };

export class PracticeBoard {
  // Number of the player's rolls and plays so far. AutoPlay gets it in place of a table's seq and
  // rolls at most once for each value.
  #decisions = 0;

  /**
   * @param {Element} root has the parts practice-board, practice-status, practice-pips and buttons
   *   with data-practice
   * @param {Settings} settings
   * @param {Sounds} sounds
   */
  constructor(root, settings, sounds) {
    this.root = root;
    this.settings = settings;
    this.sounds = sounds;
    this.phase = "over";
    this.variant = "short";
    this.host = part("practice-board", root);
    this.board = new Board(this.host, { label: gettext("Practice board") });
    this.announcer = new Announcer(part("practice-status", root));
    this.#makeParts();
    this.#listen();
  }

  #makeParts() {
    const practice = this;
    const { board, settings, announcer, sounds } = this;
    const speed = () => settings.speed(wantsLessMotion());
    this.turn = new TurnInProgress({
      board, settings, ms: () => speed().own,
      onChange: () => this.render(),
      onRefused: () => announcer.say(reasonText("")),
      onMoved: () => this.#moved(),
    });
    this.scenes = new Scenes({
      board, announcer, sounds, speed, side: () => ME,
      keepsNumbers: () => settings.get("theirNumbers"),
      hasMoved: (text) => this.turn.isActive && this.turn.text === text,
      spectatorText: () => null,
      get variant() { return practice.variant; },
    });
    this.middle = new MiddleButtons(part("middle", this.root), board, this.host);
    this.stage = new Stage((scene, pause, isHurried) => this.scenes.play(scene, pause, isHurried), () => this.#prepareNext());
    this.autoPlay = new AutoPlay({
      turn: this.turn, settings, announcer, seq: () => this.#decisions,
      may: () => ({ roll: this.phase === "to_roll" }),
      roll: () => this.roll(), done: () => this.done(),
      isStaked: () => false, isHeldUp: () => false, changed: () => this.render(),
    });
  }

  #listen() {
    this.input = new Input(this.board, {
      ...turnHandlers(this.turn),
      wake: () => this.stage.finish(),
      tap: (...tap) => this.turn.isActive && this.turn.tap(...tap),
      dice: () => this.middle.pressDice(this.turn),
      letter: (name) => this.act(name),
    });
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-practice], .middle-button");
      if (button && !this.middle.isTooEarly(button)) this.act(button.dataset.practice ?? button.dataset.action);
    });
    this.settings.onChange((name) => this.#optionChanged(name));
    new ResizeObserver(() => this.#layOut()).observe(this.host);
  }

  // --- Display -------------------------------------------------------------------------------

  /** @param {{variant:string,situations:object[]}} lesson from the server */
  start(lesson) {
    this.lesson = lesson;
    this.variant = lesson.variant;
    this.at = 0;
    showLooks(this.settings, this.root);
    this.again();
  }

  /** Restart the situation. */
  again() {
    this.close();
    this.isRestarting = !this.stage.isIdle; // an interrupted scene still finishes its last frame
    this.#layOut();
    if (this.isRestarting || !this.board.layout) return undefined;
    const { before, opponent } = this.situation;
    this.board.clearTrace();
    this.board.setDice({});
    this.board.setPosition(before, ME);
    this.announcer.clear();
    this.phase = "opponent";
    if (!opponent) return this.#prepareNext();
    this.#show({ kind: "roll", side: OPPONENT, d1: opponent.dice[0], d2: opponent.dice[1] }, before, before, opponent.dice);
    this.#show({ kind: "play", side: OPPONENT, text: opponent.play }, before, this.situation.after, opponent.dice);
    return this.render();
  }

  /** End the situation: its turn, scenes and automatic actions. */
  close() {
    this.autoPlay.stop();
    this.turn.end();
    this.phase = "over";
    this.isRestarting = false;
    this.stage.clear();
  }

  get situation() {
    return this.lesson.situations[this.at];
  }

  #show(action, before, after, dice) {
    const cube = { on: false, value: 1 };
    this.stage.add({ action, before: { ...before, dice, cube }, view: { ...after, cube } });
  }

  #prepareNext() {
    if (this.isRestarting) return this.again();
    this.phase = NEXT_PHASE[this.phase] ?? this.phase;
    if (this.phase === "to_roll") this.#myTurn();
    if (this.phase === "to_play") this.#begin();
    if (this.phase === "over") this.turn.end();
    this.autoPlay.update();
    return this.render();
  }

  #myTurn() {
    this.#decisions += 1;
    this.sounds.play("turn");
  }

  #begin() {
    this.#decisions += 1;
    this.turn.begin(parseGraph(this.situation.plays), this.situation.dice, ME);
  }

  render() {
    if (!this.lesson || !this.board.position) return;
    const { board, turn, input, phase } = this;
    board.setColors(this.settings.colorsFor(ME));
    const shown = turn.position ?? board.position;
    drawTurn({ board, turn, input }, { side: ME, variant: this.variant, position: board.position });
    this.announcer.prompt(this.#prompt());
    setText(part("practice-pips", this.root), pipsText(pips(shown[ME]), pips(shown[OPPONENT])));
    setHidden(part("practice-pips", this.root), !this.settings.get("pips"));
    this.#button("roll", phase === "to_roll" || phase === "rolling" || phase === "opponent", phase === "to_roll");
    this.#button("done", phase === "to_play" || phase === "ending", turn.isComplete);
    this.#button("next", phase === "over", true);
    this.#button("undo", true, turn.canUndo);
    this.#drawMiddle();
  }

  #drawMiddle() {
    const { turn, autoPlay, phase } = this;
    const isAutomatic = ["roll", "forced"].includes(autoPlay.pending);
    const canEnd = phase === "to_play" && turn.isComplete && !isAutomatic;
    this.middle.draw({
      roll: phase === "to_roll" && !isAutomatic, done: canEnd, undo: canEnd && turn.canUndo, isEnding: autoPlay.pending === "end",
    });
  }

  #button(name, isShown, isEnabled) {
    const button = this.root.querySelector(`[data-practice="${name}"]`);
    const hadFocus = document.activeElement === button;
    setHidden(button, !isShown);
    button.disabled = !isEnabled;
    // The pressed button disappears, so move the focus to the board.
    if (hadFocus && (button.hidden || button.disabled)) this.board.places.get(this.input.current).focus();
  }

  #prompt() {
    if (this.autoPlay.pending) return promptBeforeAutomatic(this.autoPlay.pending);
    switch (this.phase) {
      case "opponent": return gettext("Your opponent moves.");
      case "to_roll": return gettext("Your turn: roll the dice.");
      case "over": return gettext("Your turn is over.");
      default: return this.turn.isComplete ? gettext("Press Done to end your turn.") : gettext("Your turn: move your checkers.");
    }
  }

  #layOut() {
    const options = { variant: this.variant, settings: this.settings, wideFrom: WIDE_FROM };
    if (!this.lesson || !fitBoardToWidth(this.board, this.host, options)) return;
    this.middle.place();
    this.render();
  }

  #optionChanged(name) {
    if (!this.lesson) return;
    showLooks(this.settings, this.root);
    if (REDRAWN.has(name)) this.#layOut();
    else this.render();
    this.autoPlay.update();
  }

  // --- Actions -------------------------------------------------------------------------------

  /** @param {"roll"|"done"|"undo"|"next"|"again"|"swap"} name */
  act(name) {
    this.stage.finish();
    switch (name) {
      case "roll": return this.roll();
      case "done": return this.done();
      case "undo": return this.undo();
      case "swap": return this.turn.swap();
      case "again": return this.again();
      case "next": return this.next();
      default: return undefined;
    }
  }

  roll() {
    if (this.phase !== "to_roll") return;
    this.autoPlay.stop();
    this.phase = "rolling";
    const { after, dice } = this.situation;
    this.#show({ kind: "roll", side: ME, d1: dice[0], d2: dice[1] }, after, after, dice);
    this.render();
  }

  undo() {
    this.turn.undo();
    this.autoPlay.update();
  }

  done() {
    if (this.phase !== "to_play" || !this.turn.isComplete) return;
    this.autoPlay.stop();
    this.phase = "ending";
    const { after, dice } = this.situation;
    this.#show({ kind: "play", side: ME, text: this.turn.text }, after, this.turn.position, dice);
    this.render();
  }

  next() {
    if (this.phase !== "over") return;
    this.at = (this.at + 1) % this.lesson.situations.length;
    this.again();
  }

  #moved() {
    this.announcer.clear();
    const { own } = this.settings.speed(wantsLessMotion());
    playMove(this.sounds, this.turn.moves.at(-1), { ms: own, at: own });
    this.autoPlay.update();
  }
}
