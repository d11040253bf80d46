// The play behavior section of the profile: "Try it" beside a choice opens a small live board below
// it, where the choices of the form apply at once, saved or not.

import { fetchJson } from "../lib/browser.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { PracticeBoard } from "./practice-board.js";
import { CHOICES, SWITCHES, Settings } from "../play/settings.js";
import { Sounds } from "../play/sound.js";
import { whenComplete } from "../lib/page-complete.js";

// Choices that change the course of a turn: the situation restarts to show their effect.
const TURN_CHOICES = new Set(["dice", "tap", "doubleClick", "bearOff", "autoBearOff", "endOfTurn", "speed"]);
// The sound to play as a sample when a choice about sounds changes, unless the choice is off.
const SAMPLES = { soundCheckers: "checker", soundDice: "dice", soundTurn: "turn", soundTime: "time", volume: "checker" };

const fieldName = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Return the choices in the form, under the names that the table uses. */
function chosenIn(form) {
  const chosen = {};
  for (const name of Object.keys(CHOICES)) chosen[name] = form.elements.namedItem(fieldName(name))?.value;
  for (const name of Object.keys(SWITCHES)) chosen[name] = form.elements.namedItem(fieldName(name))?.checked;
  return chosen;
}

class TryOut {
  constructor(section) {
    this.section = section;
    this.box = part("tryout", section);
    this.form = section.closest("form");
    this.settings = new Settings(null);
    this.settings.take(chosenIn(this.form));
    this.lessons = new Map();
    this.button = null; // the button whose board is open
    this.#listen();
    for (const button of section.querySelectorAll("[data-lesson]")) setHidden(button, false);
  }

  #listen() {
    // Create the sounds before the first press, which is the gesture that allows them.
    for (const type of ["pointerover", "focusin"]) {
      this.section.addEventListener(type, () => { this.sounds ??= this.#newSounds(); }, { once: true });
    }
    this.settings.onChange((name, value) => this.#changed(name, value));
    this.form.addEventListener("change", () => this.settings.take(chosenIn(this.form)));
    this.form.addEventListener("reset", () => setTimeout(() => this.settings.take(chosenIn(this.form))));
    this.section.addEventListener("click", (event) => {
      const button = event.target.closest("[data-lesson], [data-action=close]");
      if (button) this.#toggle(button.dataset.lesson ? button : this.button);
    });
  }

  #newSounds() {
    return new Sounds(this.settings);
  }

  #changed(name, value) {
    const sample = SAMPLES[name];
    if (sample && value) this.sounds?.play(sample);
    if (this.button && TURN_CHOICES.has(name)) this.practice?.again();
  }

  #toggle(button) {
    const isClosing = button === this.button;
    this.#close();
    if (isClosing) button.focus();
    else this.#open(button);
  }

  #close() {
    this.practice?.close();
    this.button?.setAttribute("aria-expanded", "false");
    this.button = null;
    setHidden(this.box, true);
  }

  async #open(button) {
    this.button = button;
    button.setAttribute("aria-expanded", "true");
    button.closest("[data-try]").append(this.box);
    setText(part("tryout-title", this.box), button.dataset.title);
    setText(part("tryout-hint", this.box), button.dataset.hint);
    setHidden(this.box, false);
    this.box.focus({ preventScroll: true });
    const lesson = await this.#lesson(button.dataset.url);
    if (this.button !== button) return; // closed, or another opened, meanwhile
    setHidden(part("tryout-failed", this.box), Boolean(lesson));
    setHidden(part("tryout-body", this.box), !lesson);
    this.box.scrollIntoView({ block: "nearest" });
    if (!lesson) return;
    this.sounds ??= this.#newSounds();
    this.practice ??= new PracticeBoard(this.box, this.settings, this.sounds);
    this.practice.start(lesson);
    this.box.scrollIntoView({ block: "nearest" });
  }

  /** Return the lesson at an address; null if it could not be fetched: the next press tries again. */
  async #lesson(url) {
    const lesson = this.lessons.get(url) ?? await fetchJson(url);
    if (lesson) this.lessons.set(url, lesson);
    return lesson;
  }
}

function start() {
  const section = part("behavior");
  if (section) new TryOut(section);
}

whenComplete(start);
