// A turn to play in a lesson or in the rules, on a live board that replaces the server's drawing.
// The form of the page sends the play; without script the form offers a list of plays.

import { Announcer } from "../play/announcer.js";
import { Board } from "../board/board.js";
import { bootData, deviceStore, part, setHidden, wantsLessMotion } from "../lib/dom.js";
import { drawTurn } from "../play/draw-turn.js";
import { fitBoardToWidth } from "../play/fit-board.js";
import { Input } from "../play/input.js";
import { parseGraph } from "../board/plays.js";
import { reasonText } from "../text/refusals.js";
import { Settings } from "../play/settings.js";
import { showLooks } from "../play/looks.js";
import { TurnInProgress, turnHandlers } from "../play/turn.js";
import { whenComplete } from "../lib/page-complete.js";

const ME = "white";
const WIDE_FROM = 520; // px

class Exercise {
  constructor(form, settings) {
    this.form = form;
    this.settings = settings;
    this.task = JSON.parse(form.querySelector("script").textContent);
    this.host = part("exercise-board", form);
    this.host.replaceChildren();
    this.board = new Board(this.host, { label: gettext("Board of the exercise") });
    this.announcer = new Announcer(part("exercise-status", form));
    this.turn = new TurnInProgress({
      board: this.board, settings, ms: () => settings.speed(wantsLessMotion()).own,
      onChange: () => this.#render(),
      onRefused: () => this.announcer.say(reasonText("")),
      onMoved: () => this.announcer.clear(),
    });
    this.#replaceChoices();
    this.#listen();
    this.#layOut();
    this.board.setPosition(this.task.position, ME);
    this.turn.begin(parseGraph(this.task.plays), this.task.dice, ME);
  }

  /** Let the form send the play made on the board instead of a choice from the list. */
  #replaceChoices() {
    const choices = part("choices", this.form);
    choices.disabled = true;
    setHidden(choices, true);
    this.play = part("play", this.form);
    this.play.disabled = false;
    this.undo = part("undo", this.form);
    setHidden(this.undo, false);
    this.check = part("check", this.form);
  }

  #listen() {
    const { turn } = this;
    this.input = new Input(this.board, {
      ...turnHandlers(turn),
      wake: () => false,
      tap: (...tap) => turn.tap(...tap),
      dice: () => turn.swap(),
      letter: (name) => this.#act(name),
    });
    this.undo.addEventListener("click", () => this.#act("undo"));
    new ResizeObserver(() => this.#layOut()).observe(this.host);
  }

  #act(name) {
    if (name === "undo") this.turn.undo();
    else if (name === "swap") this.turn.swap();
    else if (name === "done" && this.turn.isComplete) this.form.requestSubmit(this.check);
  }

  #layOut() {
    const options = { variant: this.task.variant, settings: this.settings, wideFrom: WIDE_FROM };
    if (fitBoardToWidth(this.board, this.host, options) && this.turn.isActive) this.#render();
  }

  #render() {
    const { board, turn, input } = this;
    drawTurn({ board, turn, input }, { side: ME, variant: this.task.variant, position: this.task.position });
    this.play.value = turn.isComplete ? turn.text : "";
    this.#enable(this.check, turn.isComplete);
    this.#enable(this.undo, turn.canUndo);
    this.announcer.prompt(turn.isComplete ? gettext("Press Check to send your play.") : gettext("Your turn: move your checkers."));
  }

  /** Enable or disable a button; a disabled one passes its focus to the board. */
  #enable(button, isEnabled) {
    const hadFocus = document.activeElement === button;
    button.disabled = !isEnabled;
    if (hadFocus && !isEnabled) this.board.places.get(this.input.current).focus();
  }
}

function start() {
  const boot = bootData("exercise-boot");
  const settings = new Settings(deviceStore(), boot?.choices ? boot : null);
  showLooks(settings);
  for (const form of document.querySelectorAll('[data-part="exercise"]')) new Exercise(form, settings);
}

whenComplete(start);
