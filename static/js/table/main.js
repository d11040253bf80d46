// Run the page of a table: join the match and connect the parts of the page. static/js/README.md
// lists the hooks for tests.

import { LowTime, ServerTime } from "../play/clock.js";
import { bootData, deviceStore, isDeepEqual, part, wantsLessMotion } from "../lib/dom.js";
import { nextTask } from "../lib/next-task.js";
import { readStored, writeStored } from "../lib/storage.js";
import { fitBoardToArea } from "../play/fit-board.js";
import { Input } from "../play/input.js";
import { escape, holdLink, pressButton, pressKey, pressLetter } from "./buttons.js";
import { BetweenTurns } from "../lib/between-turns.js";
import { Connection } from "./connection.js";
import { Frames } from "./frames.js";
import { Leaving } from "./leaving.js";
import { showLooks } from "../play/looks.js";
import { drawTable, drawTime, drawTitle } from "./draw.js";
import { makeParts, openFirst, openRest } from "./build.js";
import { parseGraph } from "../board/plays.js";
import { needRelief } from "../board/relief.js";
import { deadDiceText } from "../text/sentences.js";
import { turnHandlers } from "../play/turn.js";
import { playMove } from "../play/sound.js";
import { Settings } from "../play/settings.js";
import { emptyModel, isMyTurn, isPlayer, isSeating, isToPlay, positionOf, viewer } from "../play/model.js";

const TICK = 250; // ms from one drawing of the clocks to the next

class Table {
  constructor(boot) {
    this.boot = boot;
    this.root = part("table");
    this.store = deviceStore();
    this.settings = new Settings(this.store, boot.choices && { member: boot.member, choices: boot.choices });
    this.model = emptyModel();
    this.culprits = []; // places named by the last refusal
    this.shown = null; // the displayed view; it follows the model
    this.layoutSize = ""; // of the area, at the last layout
    this.isPreparing = false; // true during `prepareNext`, which draws once, at its end
    this.time = new ServerTime();
    this.lowTime = new LowTime();
    this.ackSeq = -1;
    this.title = document.title;
    this.offers = null; // module of the panels of offers and results; null until it has loaded
    this.premoves = null; // null until their script has loaded
    this.coach = null; // null outside training, and until its script has loaded
    this.forPeople = part("chat") && []; // frames that wait for the people panel until its script has loaded
    this.restFailures = 0; // failed attempts to load the scripts of `openRest`
    Object.assign(this, makeParts(this, {
      turnChanged: () => this.#turnChanged(),
      moved: () => this.#moved(),
      playScene: (scene, pause, isHurried) => this.#playScene(scene, pause, isHurried),
      prepareNext: () => this.prepareNext(),
      leave: () => this.leaving.start(),
    }));
    this.leaving = new Leaving(this);
    this.betweenTurns = new BetweenTurns(() => document.body.dispatchEvent(new Event("between-turns")));
    const frames = new Frames(this);
    this.connection = new Connection(this, (frame, info) => frames.receive(frame, info));
    this.socket = this.connection.socket;
    this.#listen();
  }

  #listen() {
    this.input = new Input(this.board, {
      ...turnHandlers(this.turn),
      wake: () => this.wake(),
      tap: (...tap) => this.#tap(...tap),
      dice: () => this.middle.pressDice(this.turn),
      escape: () => escape(this),
      letter: (name) => pressLetter(this, name),
    });
    document.addEventListener("click", holdLink);
    document.addEventListener("click", (event) => pressButton(this, event));
    document.addEventListener("keydown", (event) => pressKey(this, event));
    document.addEventListener("keydown", () => { this.usesKeys = true; }, true);
    document.addEventListener("pointerdown", () => { this.usesKeys = false; }, true);
    document.addEventListener("visibilitychange", () => drawTitle(this));
    this.settings.onChange((name) => this.#optionChanged(name));
    new ResizeObserver(() => this.#areaChanged()).observe(this.host);
  }

  async start() {
    await nextTask();
    this.#areaChanged(); // the observer may have called it already
    await nextTask();
    await openFirst(this).catch(() => null); // `openRest` tries again
    this.socket.start();
    setInterval(() => this.tick(), TICK);
  }

  // --- Queries -------------------------------------------------------------------------------

  speed() {
    return this.settings.speed(wantsLessMotion());
  }

  /** Return the actions allowed now: none while a scene is shown or an answer is pending. */
  mayNow() {
    const isShown = this.stage.isIdle && this.shown === this.model.view;
    const isOpen = isPlayer(this.model) && isShown && !this.isBusy && this.isLive;
    return isOpen ? this.model.may : {};
  }

  get isBusy() {
    return this.socket.pending.size > 0 || this.ackSeq > this.model.seq;
  }

  get isLive() {
    return this.connection.isLive;
  }

  // --- Showing -------------------------------------------------------------------------------

  async #playScene(scene, pause, isHurried) {
    if (!scene.action) return this.#showFirst(scene.view);
    await this.scenes.play(scene, pause, isHurried);
    const isOwnPlay = scene.action.kind === "play" && scene.action.side === viewer(this.model);
    if (isOwnPlay || scene.action.kind === "start") this.turn.end();
    this.shown = scene.view;
    return this.render();
  }

  /**
   * Draw the board of the first state in a task of its own: the rest of the page follows in the
   * next task.
   */
  async #showFirst(view) {
    this.mustShowState = false; // a second state sets it again; events come as scenes
    await nextTask();
    this.scenes.showState(view);
    await nextTask();
  }

  /** Prepare the next step; called when every scene was shown. */
  prepareNext() {
    const wasMine = this.isMine;
    this.shown = this.model.view;
    this.isMine = isMyTurn(this.model);
    this.isPreparing = true;
    try {
      this.#prepareTurn();
    } finally {
      this.isPreparing = false;
    }
    if (this.isMine && !wasMine) this.sounds.play("turn");
    this.render();
    this.rest ??= openRest(this).then(() => this.#noteReload(""), () => this.#restFailed());
    this.betweenTurns.update(this.isMine, performance.now());
  }

  #prepareTurn() {
    if (!isToPlay(this.model)) this.turn.end(); // ended by a resignation, or taken over by another window
    this.#correctBoard();
    if (isToPlay(this.model) && !this.turn.isActive) {
      this.turn.begin(parseGraph(this.model.plays), this.model.view.dice, this.model.you.side);
      this.announcer.say(deadDiceText(this.turn.rolled, this.turn.deadDice));
    }
    if (isSeating(this.model)) this.entropy.start();
    this.autoPlay.update();
  }

  /**
   * Let `prepareNext` load the scripts again after the next scenes. Some browsers remember a failed
   * import as long as the page is open, so reload the page once if the second try fails as well:
   * without these scripts a player cannot answer a double, claim a win or chat.
   */
  #restFailed() {
    this.rest = null;
    this.restFailures += 1;
    const wasReloaded = !this.store || readStored(this.store, this.#reloadKey);
    if (this.restFailures < 2 || !this.isLive || wasReloaded) return;
    this.#noteReload("yes");
    location.reload();
  }

  get #reloadKey() {
    return `reloaded:${this.boot.id}`;
  }

  /** Note on the device that this page was reloaded ("yes"), or that its scripts have loaded (""). */
  #noteReload(text) {
    if (text || readStored(this.store, this.#reloadKey)) writeStored(this.store, this.#reloadKey, text);
  }

  /** Make the board equal to the model, in case a scene failed. */
  #correctBoard() {
    if (this.mustShowState) this.scenes.showState(this.shown);
    this.mustShowState = false;
    const position = positionOf(this.shown);
    const isShown = this.turn.isActive || isDeepEqual(this.board.position, position);
    if (!isShown) this.board.setPosition(position, viewer(this.model));
  }

  render() {
    if (this.shown && this.model.match && !this.isPreparing) drawTable(this);
  }

  #layOut() {
    const { variant } = this.boot;
    const size = this.#areaSize();
    if (!fitBoardToArea(this.board, this.host, { variant, settings: this.settings })) return;
    this.layoutSize = size;
    if (this.shown) {
      this.middle.place();
      this.render();
    } else nextTask().then(() => this.middle.place()); // measuring at once would force a layout
  }

  /** Lay out if the area has another size than at the last layout. */
  #areaChanged() {
    if (this.#areaSize() !== this.layoutSize) this.#layOut();
  }

  #areaSize() {
    const { width, height } = this.host.getBoundingClientRect();
    return `${width} ${height}`;
  }

  /**
   * Draw what depends on time. Called at each pong too, since browsers slow the timer of a
   * background tab.
   */
  tick() {
    if (!this.model.view) return;
    drawTime(this, this.time.at(performance.now()));
    this.people?.draw();
  }

  // --- Actions -------------------------------------------------------------------------------

  /** Show the rest of all scenes at once; called when the player acts. */
  wake() {
    return this.stage.finish();
  }

  /** Send a command, if possible with a request for the coach's warning. */
  command(t, fields = {}) {
    this.send(t, this.coach ? this.coach.withWarning(t, fields) : fields);
  }

  /** Send a command as it is; `command` adds the request for a warning. */
  send(t, fields = {}) {
    this.isDoubling = false;
    this.autoPlay.stop();
    this.socket.command(t, fields);
    this.render();
  }

  done() {
    if (this.coach?.isWarning) return; // the warning waits for an answer
    if (this.turn.isComplete && !this.isBusy) this.command("play", { d: this.turn.text });
  }

  undo() {
    this.turn.undo();
    this.autoPlay.update();
  }

  takeBack() {
    this.turn.takeBack();
    this.board.places.get(this.input.current).focus({ preventScroll: true });
    this.autoPlay.update();
  }

  /** Replace the moves made so far by a whole play; it is not sent yet. */
  put(written) {
    this.turn.takeBack();
    this.turn.playTyped(written);
    this.#moved();
  }

  /** Ask the server which rule forbids a move. */
  why(from, to) {
    const isPlace = from >= 1 && from <= 25 && (to === null || to <= 24);
    if (this.turn.isActive && isPlace) {
      const moves = this.turn.text === "-" ? "" : this.turn.text;
      this.socket.ask({ t: "why", d: moves, from, to });
    }
  }

  #turnChanged() {
    this.culprits = [];
    this.render();
  }

  #moved() {
    this.announcer.clear();
    playMove(this.sounds, this.turn.moves.at(-1), { ms: this.speed().own, at: this.speed().own });
    this.autoPlay.update();
  }

  #tap(...tap) {
    if (this.turn.isActive && !this.isBusy) this.turn.tap(...tap);
  }

  askDouble(isAsking) {
    this.isDoubling = isAsking;
    this.render();
  }

  #optionChanged(name) {
    if (name === "board" || name === "checkers") showLooks(this.settings);
    if (["mirrorShort", "mirrorLong", "numbers"].includes(name)) this.#layOut();
    else this.render();
    this.autoPlay.update();
  }
}

async function open(boot) {
  needRelief(); // called here to have a task of its own; `new Board` calls it again
  await nextTask();
  await new Table(boot).start();
}

const boot = bootData("match-boot");
if (boot) open(boot);
