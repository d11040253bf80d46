// Play back a match on the board: by buttons, a slider, the arrow keys or a press on a line of the
// list. In a reviewed match, buttons lead from error to error, and arrows show the better play.
// Without this script the page shows one position at a time, by its URL.

import { Board } from "../board/board.js";
import { ChartCursor } from "./chart.js";
import { listenForCopies } from "../lib/copy.js";
import { bootData, deviceStore, part, setHidden, setText, wantsLessMotion } from "../lib/dom.js";
import { fitBoardToWidth } from "../play/fit-board.js";
import { showLooks } from "../play/looks.js";
import { otherSide, parsePlay, playFor } from "../board/positions.js";
import { Settings } from "../play/settings.js";
import { cubeOnBoard, diceOnBoard, positionOf } from "../play/model.js";
import { mark } from "../lib/svg.js";
import { runDiceCheck } from "../dice/verify-button.js";
import { sideName } from "../text/sentences.js";

const WIDE_FROM = 560; // px
// Wide pages, where the moves are beside the board, and phones in landscape always use the layout
// with 14 columns, which is lower.
const LOW = matchMedia("(min-width: 900px), (max-height: 520px)");
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

class Playback {
  /**
   * @param {{steps:object[],arrows:object,errors:[number,number][]}} data arrows by step: `good` and
   *   `bad` moves; errors of the whole match as game and step
   */
  constructor(root, { steps, arrows, errors }, account) {
    this.root = root;
    this.steps = steps;
    this.arrows = arrows;
    this.errors = errors;
    this.side = root.dataset.side || "white";
    this.game = Number(root.dataset.game);
    this.settings = new Settings(deviceStore(), account);
    showLooks(this.settings);
    this.host = part("review-board", root);
    this.slider = part("review-slider", root);
    this.caption = part("review-caption", root);
    this.better = part("better", root);
    this.rows = [...document.querySelectorAll("[data-step]")];
    this.findings = [...document.querySelectorAll("[data-found]")];
    this.board = new Board(this.host, { isInteractive: false, label: gettext("Backgammon board") });
    this.chart = new ChartCursor(part("chart"), (at) => this.go(at));
    this.slider.max = String(steps.length - 1);
    for (const control of [this.slider, part("review-pips", root), this.better?.closest("label")]) {
      if (control) control.hidden = false;
    }
    this.at = this.#wanted();
    this.#namePlays();
    this.#listen();
    this.#layOut();
    this.#showTab();
    this.go(this.at, 0);
  }

  /** Show the opponent's plays in the viewer's point numbers, unless the settings keep theirs. */
  #namePlays() {
    const how = { viewer: this.side, variant: this.root.dataset.variant, keepsNumbers: this.settings.get("theirNumbers") };
    for (const play of document.querySelectorAll("[data-play-of]")) {
      setText(play, playFor(play.textContent, play.dataset.playOf, how));
    }
  }

  /** Return the number of the step named in the URL, so that a moment of a match can be shared. */
  #wanted() {
    const named = Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? this.root.dataset.at);
    return Math.min(named, this.steps.length - 1);
  }

  #listen() {
    document.addEventListener("click", (event) => this.#press(event));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.better?.addEventListener("change", () => this.go(this.at));
    document.addEventListener("keydown", (event) => this.#key(event));
    for (const row of this.rows) row.addEventListener("click", () => this.go(Number(row.dataset.step)));
    new ResizeObserver(() => this.#layOut()).observe(this.host);
  }

  #press(event) {
    const link = event.target.closest?.("[data-go], [data-place]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = link.dataset.go ? this.#placeOf(link.dataset.go) : link.dataset.place.split("-").map(Number);
    if (place && place[0] !== this.game) return; // each game has its own page
    event.preventDefault();
    if (!place) return;
    this.go(place[1]);
    if (!link.closest(".review, .moves")) this.root.scrollIntoView({ block: "nearest" });
  }

  /** @returns {[number, number]|null} game and step that a button leads to */
  #placeOf(where) {
    const last = this.steps.length - 1;
    const isBefore = ([game, at]) => game < this.game || (game === this.game && at < this.at);
    const isAfter = ([game, at]) => game > this.game || (game === this.game && at > this.at);
    switch (where) {
      case "first": return [this.game, 0];
      case "back": return [this.game, Math.max(0, this.at - 1)];
      case "forward": return [this.game, Math.min(last, this.at + 1)];
      case "last": return [this.game, last];
      case "error-before": return this.errors.findLast(isBefore) ?? null;
      default: return this.errors.find(isAfter) ?? null;
    }
  }

  #key(event) {
    const isElsewhere = event.target.closest("input, select, textarea, summary, .menu-sheet");
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    this.go(this.#placeOf(KEYS[event.key])[1]);
  }

  go(at, ms = this.settings.speed(wantsLessMotion()).other) {
    this.at = at;
    const step = this.steps[at];
    const { view, identifiers } = this.#isErrorShown() ? this.steps[at - 1] : step;
    this.board.setPosition(positionOf(view), this.side, ms);
    this.#dice(step);
    this.board.setCube(cubeOnBoard(view, this.side), ms);
    this.#draw(step);
    this.#show(step);
    this.#identify(identifiers);
  }

  /** Return whether the board shows the better play, and therefore the position before it. */
  #isErrorShown() {
    return Boolean(this.at > 0 && this.better?.checked && this.arrows[this.at]?.good.length);
  }

  #dice(step) {
    const dice = this.#latestDice();
    const sideOf = (side) => (side === this.side ? "own" : "enemy");
    if (!dice) return this.board.setDice({});
    if (step.kind === "opening") {
      const [white, black] = dice;
      return this.board.setDice({
        [sideOf("white")]: [{ value: white, side: "white" }],
        [sideOf("black")]: [{ value: black, side: "black" }],
      });
    }
    const side = step.kind === "roll" || step.kind === "play" ? step.side : null;
    if (!side) return this.board.setDice({});
    const isUsed = step.kind === "play" && !this.#isErrorShown();
    return this.board.setDice({ [sideOf(side)]: diceOnBoard(dice, side, isUsed) });
  }

  #latestDice() {
    return this.steps.slice(0, this.at + 1).findLast((step) => step.dice)?.dice ?? null;
  }

  /** Draw the moves of the play, or arrows for the better play and the one that was made. */
  #draw(step) {
    const isShown = this.#isErrorShown();
    const { good, bad } = isShown ? this.arrows[this.at] : { good: [], bad: [] };
    const side = step.side ?? this.side;
    const arrow = (kind) => ([from, to]) => ({ from, to, kind });
    this.board.showArrows([...bad.map(arrow("bad")), ...good.map(arrow("good"))], side);
    const moves = step.kind === "play" && !isShown ? parsePlay(step.text) ?? [] : [];
    this.board.trace(moves, side);
    const legend = part("legend", this.root);
    if (legend) legend.hidden = !isShown;
  }

  #show(step) {
    this.slider.value = String(this.at);
    const text = this.#text(step);
    this.slider.setAttribute("aria-valuetext", text);
    setText(this.caption, text);
    for (const button of this.root.querySelectorAll("[data-go]")) this.#aim(button);
    this.#showRow();
    this.#showFinding();
    this.chart.show(this.at);
    setText(part("review-pips-own", this.root), step.view.pips[this.side]);
    setText(part("review-pips-enemy", this.root), step.view.pips[otherSide(this.side)]);
  }

  /** Show the identifiers of the position on the board; the end of a game has none. */
  #identify(identifiers) {
    const box = part("identifiers", this.root);
    for (const line of box.querySelectorAll("[data-form]")) {
      const value = identifiers[line.dataset.form] ?? "";
      line.hidden = !value;
      line.querySelector("input").value = value;
    }
    setHidden(part("no-identifier", box), Object.keys(identifiers).length > 0);
    setText(part("copied", box), "");
  }

  #aim(button) {
    const place = this.#placeOf(button.dataset.go);
    const leadsElsewhere = Boolean(place) && (place[0] !== this.game || place[1] !== this.at);
    mark(button, "aria-disabled", !leadsElsewhere);
    mark(button, "href", leadsElsewhere ? `?game=${place[0]}&step=${place[1]}#board` : null);
    mark(button, "role", leadsElsewhere ? null : "link");
  }

  /** Scroll the row of games to the one that is shown. */
  #showTab() {
    const tab = document.querySelector(".game-tabs [aria-current]");
    const row = tab?.closest("ul");
    if (row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }

  #showRow() {
    const shown = this.rows.find((row) => Number(row.dataset.step) >= this.at);
    for (const row of this.rows) mark(row, "aria-current", row === shown ? "step" : null);
    const list = shown?.closest(".table-scroll");
    if (list) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
  }

  #showFinding() {
    for (const finding of this.findings) finding.hidden = Number(finding.dataset.found) !== this.at;
    const nothing = part("found-nothing");
    if (nothing) nothing.hidden = this.findings.some((finding) => !finding.hidden);
  }

  #text(step) {
    if (step.kind === "roll") {
      return interpolate(gettext("%(side)s rolls %(a)s-%(b)s."), {
        side: sideName(step.side), a: step.dice[0], b: step.dice[1],
      }, true);
    }
    const row = this.rows.find((candidate) => Number(candidate.dataset.step) === this.at);
    const cells = [...(row?.cells ?? [])].slice(1, 4).map((cell) => cell.textContent.trim());
    return cells.filter(Boolean).join(" · ");
  }

  #layOut() {
    const options = { variant: this.root.dataset.variant, settings: this.settings, wideFrom: LOW.matches ? 0 : WIDE_FROM };
    if (fitBoardToWidth(this.board, this.host, options) && this.board.position) this.#draw(this.steps[this.at]);
  }
}

/**
 * Show the button that recomputes every roll, if the browser can compute hashes; the page has none
 * while the secret is sealed.
 */
function offerCheck(proof) {
  const button = proof && part("check", proof);
  if (!button || !globalThis.crypto?.subtle) return;
  button.hidden = false;
  const known = bootData("review-record");
  button.addEventListener("click", () => runDiceCheck(button, part("verdict", proof), proof.dataset.export, known));
}

offerCheck(part("proof"));
const steps = bootData("review-steps");
const root = steps?.length ? part("review") : null;
if (root) {
  const boot = bootData("review-boot");
  const data = { steps, arrows: bootData("review-arrows"), errors: bootData("review-errors") };
  new Playback(root, data, boot.choices ? boot : null);
  listenForCopies();
}
