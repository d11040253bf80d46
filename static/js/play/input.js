// Pointer and keyboard on the board. Mouse, touch and pen share one path: the board's geometry maps
// the press and the release to places.

import { BAR, neighbor, placeAt, rows } from "../board/geometry.js";

const DRAG_THRESHOLD = { touch: 12, other: 6 }; // px; a finger is less steady
const HOLD_AFTER = 420; // ms; a longer press on a checker is a long press
const DOUBLE_WITHIN = 320; // ms between the two taps of a double tap
const CLICK_WITHIN = 500; // ms after the end of a press; a pointer's click does not come later
const LETTERS = {
  KeyR: "roll", KeyD: "double", KeyU: "undo", KeyE: "done", KeyS: "swap", KeyH: "hint",
};
const WALKING = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** Return the name of the action that a key stands for, or undefined. */
export function letterOf(event) {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  return hasModifier ? undefined : LETTERS[event.code];
}

export class Input {
  /**
   * @param {Board} board
   * @param {{wake:() => boolean,press:(place:number) => boolean,hold:(place:number) => boolean,
   *   lift:(place:number) => void,tap:(place:number,isTwice:boolean,isByPointer:boolean) => void,
   *   drop:(source:number,place:number|null) => void,abandon:(place:number) => void,
   *   cancel:() => void,dice:() => void,
   *   letter:(action:string) => void,escape?:() => void}} handlers wake = end a running scene and
   *   return whether there was one; press returns whether a checker can be dragged from the place,
   *   hold whether it was picked up; abandon = undo what press, hold and lift selected; escape =
   *   called by Escape instead of cancel
   */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    this.press = null; // the current pointer press
    this.lastTap = { place: null, at: -Infinity };
    this.current = 24; // the place that the tab key reaches
    this.isUpper = true; // the row of the focus; on the bar, the row that it came from
    const { root } = board;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => {
      this.#up(event);
      // Note the release of every pointer, since devices differ in which pointers cause a click. Do
      // not compare event times: a browser may stamp a late click with the moment of its handling.
      this.releasedAt = performance.now();
    });
    root.addEventListener("pointercancel", (event) => this.#abandon(event));
    root.addEventListener("contextmenu", (event) => this.press?.canDrag && event.preventDefault());
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => this.#focus(event));
  }

  /** Make one place the board's stop for the tab key (roving tabindex). */
  rove(place = this.current) {
    this.current = place;
    for (const [key, element] of this.board.places) {
      const index = key === place ? "0" : "-1";
      // Writing the attribute of a focused element makes the browser lay out the page at once.
      if (element.getAttribute("tabindex") !== index) element.setAttribute("tabindex", index);
    }
  }

  // --- Pointer -----------------------------------------------------------------------------

  #down(event) {
    if (!event.isPrimary || event.button !== 0 || !this.board.layout) return;
    if (this.handlers.wake()) {
      this.press = null; // a press that skips a scene does nothing else
      return;
    }
    const spot = this.board.spotAt(event.clientX, event.clientY);
    const isDice = Boolean(event.target.closest?.(".die")) || (spot !== null && this.board.isOnDice(spot));
    const place = spot && !isDice ? placeAt(this.board.layout, spot.x, spot.y) : null;
    this.press = {
      id: event.pointerId, place, isDice, x: event.clientX, y: event.clientY, isDragging: false,
      canDrag: place !== null && this.handlers.press(place), isHeld: false,
    };
    const { press } = this;
    if (press.canDrag) setTimeout(() => this.#hold(press), HOLD_AFTER);
  }

  #hold(press) {
    if (this.press === press && !press.isDragging) press.isHeld = this.handlers.hold(press.place);
  }

  #move(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id || !press.canDrag) return;
    const enough = DRAG_THRESHOLD[event.pointerType] ?? DRAG_THRESHOLD.other;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > enough;
    if (far && !press.isDragging) this.#lift(press, event);
    if (press.isDragging) this.board.drag(this.board.spotAt(event.clientX, event.clientY));
  }

  #lift(press, event) {
    press.isDragging = true;
    this.board.root.setPointerCapture(event.pointerId);
    this.handlers.lift(press.place);
    this.board.liftChecker(press.place);
  }

  #up(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    this.press = null;
    const spot = this.board.spotAt(event.clientX, event.clientY);
    const place = spot ? placeAt(this.board.layout, spot.x, spot.y) : null;
    if (press.isDragging) {
      this.board.releaseChecker();
      this.handlers.drop(press.place, place);
      this.board.settle();
    } else if (press.isHeld) this.lastTap = { place: null, at: event.timeStamp };
    else if (press.isDice) this.handlers.dice();
    else if (press.place === null) this.#tapBeside(event);
    else if (place === press.place) this.#tap(place, event.timeStamp);
  }

  #tap(place, at) {
    const isTwice = this.lastTap.place === place && at - this.lastTap.at < DOUBLE_WITHIN;
    this.lastTap = isTwice ? { place: null, at } : { place, at };
    this.handlers.tap(place, isTwice, true);
  }

  /** Deselect the checker on a double tap beside the points. */
  #tapBeside(event) {
    const isTwice = this.lastTap.place === "beside" && event.timeStamp - this.lastTap.at < DOUBLE_WITHIN;
    this.lastTap = { place: "beside", at: event.timeStamp };
    if (isTwice) this.handlers.cancel();
  }

  #abandon({ pointerId }) {
    const { press } = this;
    if (press?.id !== pointerId) return;
    this.press = null;
    if (!press.canDrag) return;
    this.board.releaseChecker();
    this.handlers.abandon(press.place);
    this.board.settle();
  }

  /** Handle a click without a pointer: a screen reader's or a switch device's activation. */
  #click(event) {
    if (performance.now() - this.releasedAt < CLICK_WITHIN) return;
    const place = this.board.placeOf(event.target);
    if (place !== null) this.activate(place);
  }

  // --- Keyboard ----------------------------------------------------------------------------

  /** Do what a tap on the place does. */
  activate(place) {
    if (this.handlers.wake()) return;
    this.handlers.press(place);
    this.handlers.tap(place, false, false);
  }

  /** Do what a long press on the place does: pick the checker up. */
  #pickUp(place) {
    if (this.handlers.wake()) return;
    this.handlers.press(place);
    if (!this.handlers.hold(place)) this.handlers.tap(place, false, false);
  }

  #focus(event) {
    const place = this.board.placeOf(event.target);
    if (place !== null) this.rove(place);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#actOf(event, this.board.placeOf(event.target) ?? this.current);
    if (!act) return;
    event.preventDefault();
    // A key that is held down acts once: thirty questions a second to the server would close the
    // socket.
    if (!event.repeat || WALKING.has(event.key)) act();
  }

  /** Return the function that carries out a key on a place; null if the key does nothing there. */
  #actOf({ key, code, shiftKey }, place) {
    if (WALKING.has(key)) return () => this.#walk(place, key);
    if (key === "Enter" && shiftKey) return () => this.#pickUp(place);
    if (key === "Enter" || key === " ") return () => this.activate(place);
    if (key === "Escape") return () => (this.handlers.escape ?? this.handlers.cancel)();
    return code in LETTERS ? () => this.handlers.letter(LETTERS[code]) : null;
  }

  #walk(place, key) {
    const { layout } = this.board;
    if (key === "ArrowUp") this.isUpper = true;
    if (key === "ArrowDown") this.isUpper = false;
    const next = neighbor(layout, place, key, this.isUpper);
    if (next !== BAR) this.isUpper = rows(layout)[0].includes(next);
    this.rove(next);
    this.board.places.get(next).focus();
  }
}
