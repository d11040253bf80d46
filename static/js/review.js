// A match played back on the board: first, back, forward, last, a slider, the arrow keys, a press
// on a line of the list. Without script the list stands alone.

import { Board } from "./board.js";
import { bootData, deviceStore, part, setText, wantsLessMotion } from "./dom.js";
import { makeLayout } from "./geometry.js";
import { showLooks } from "./looks.js";
import { otherSide, readPlay } from "./positions.js";
import { Settings } from "./settings.js";
import { cubeWhere, positionOf } from "./state.js";
import { runDiceCheck } from "./verdict.js";
import { sideName } from "./words.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

class Review {
  constructor(root, steps, account) {
    this.root = root;
    this.steps = steps;
    this.side = root.dataset.side || "white";
    this.variant = root.dataset.variant;
    this.settings = new Settings(deviceStore(), account);
    showLooks(this.settings);
    this.host = part("review-board", root);
    this.slider = part("review-slider", root);
    this.caption = part("review-caption", root);
    this.rows = [...document.querySelectorAll("[data-step]")];
    this.board = new Board(this.host, { isInteractive: false, label: gettext("Backgammon board") });
    this.at = 0;
    this.slider.max = String(steps.length - 1);
    this.#listen();
    this.#layOut();
    this.go(this.#wanted(), 0);
  }

  /** The step named in the address, so that a moment of a match can be shown to others. */
  #wanted() {
    const named = Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 0);
    return Math.min(named, this.steps.length - 1);
  }

  #listen() {
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.move(button.dataset.go);
    });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
    for (const row of this.rows) row.addEventListener("click", () => this.go(Number(row.dataset.step)));
    new ResizeObserver(() => this.#layOut()).observe(this.host);
  }

  #key(event) {
    const isElsewhere = event.target.closest("input, select, textarea, summary, .menu-sheet");
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    this.move(KEYS[event.key]);
  }

  /** @param {"first"|"back"|"forward"|"last"} where */
  move(where) {
    const last = this.steps.length - 1;
    const next = { first: 0, back: this.at - 1, forward: this.at + 1, last }[where];
    this.go(Math.min(last, Math.max(0, next)));
  }

  go(at, ms = this.settings.speed(wantsLessMotion()).other) {
    this.at = at;
    const step = this.steps[at];
    this.board.setPosition(positionOf(step.view), this.side, ms);
    this.#dice(step);
    this.#cube(step.view, ms);
    this.#trace(step);
    this.#show(step);
  }

  #dice(step) {
    const dice = this.#thrownBefore();
    const sideOf = (side) => (side === this.side ? "own" : "enemy");
    if (!dice) return this.board.setDice({});
    if (step.kind === "opening") {
      const [white, black] = dice;
      return this.board.setDice({
        [sideOf("white")]: [{ value: white, color: "white" }],
        [sideOf("black")]: [{ value: black, color: "black" }],
      });
    }
    const side = step.kind === "roll" || step.kind === "play" ? step.side : null;
    if (!side) return this.board.setDice({});
    const faces = (dice[0] === dice[1] ? [...dice, ...dice] : [...dice].sort((a, b) => b - a))
      .map((value) => ({ value, color: side, isUsed: step.kind === "play" }));
    return this.board.setDice({ [sideOf(side)]: faces });
  }

  #thrownBefore() {
    return this.steps.slice(0, this.at + 1).findLast((step) => step.dice)?.dice ?? null;
  }

  #cube(view, ms) {
    this.board.setCube({
      where: cubeWhere(view, this.side), value: view.cube.value * (view.cube.offered ? 2 : 1),
    }, ms);
  }

  #trace(step) {
    const moves = step.kind === "play" ? readPlay(step.text) ?? [] : [];
    this.board.trace(moves, step.side ?? this.side);
  }

  #show(step) {
    this.slider.value = String(this.at);
    const text = this.#text(step);
    this.slider.setAttribute("aria-valuetext", text);
    setText(this.caption, text);
    for (const name of ["first", "back"]) this.#enable(name, this.at > 0);
    for (const name of ["forward", "last"]) this.#enable(name, this.at < this.steps.length - 1);
    const shown = this.rows.find((row) => Number(row.dataset.step) >= this.at);
    for (const row of this.rows) {
      if (row === shown) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    const list = shown?.closest(".table-scroll");
    if (list) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
    setText(part("review-pips-own", this.root), step.view.pips[this.side]);
    setText(part("review-pips-enemy", this.root), step.view.pips[otherSide(this.side)]);
  }

  #enable(name, isEnabled) {
    this.root.querySelector(`[data-go="${name}"]`).disabled = !isEnabled;
  }

  #text(step) {
    if (step.kind === "roll") {
      return interpolate(gettext("%(side)s rolls %(a)s-%(b)s."), {
        side: sideName(step.side), a: step.dice[0], b: step.dice[1],
      }, true);
    }
    const row = this.rows.find((candidate) => Number(candidate.dataset.step) === this.at);
    const cells = [...(row?.cells ?? [])].slice(1).map((cell) => cell.textContent.trim());
    return cells.filter(Boolean).join(" · ");
  }

  #layOut() {
    const { width } = this.host.getBoundingClientRect();
    if (!width) return;
    const layout = makeLayout({
      variant: this.variant, isWide: width >= 560, isMirrored: this.settings.isMirrored(this.variant),
    });
    this.host.style.aspectRatio = `${layout.width} / ${layout.height}`;
    this.board.setLayout(layout, { hasNumbers: this.settings.get("numbers") });
    if (this.board.position) this.#trace(this.steps[this.at]);
  }
}

/** The button that recomputes every roll; there is none while the secret is sealed. */
function offerCheck(proof) {
  const button = proof && part("check", proof);
  if (!button) return;
  button.hidden = false;
  const known = bootData("review-record");
  button.addEventListener("click", () => runDiceCheck(button, part("verdict", proof), proof.dataset.export, known));
}

offerCheck(part("proof"));
const steps = bootData("review-steps");
const root = steps?.length ? part("review") : null;
if (root) {
  root.hidden = false;
  const boot = bootData("review-boot");
  new Review(root, steps, boot.choices ? boot : null);
}
