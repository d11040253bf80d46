// Draw the board as three SVG sheets, one over another. Callers pass the position and the hints; no
// rule of the game is here. As in chessground, the board of lichess.org, the code is divided into
// state, functions over the state, and a view that reuses its DOM nodes.

import { BAR, ENEMY_TRAY, OFF, checkerSpot, cubeSpot, fromEnemy, isOnDice, trayCountSpot } from "./geometry.js";
import { DiceLayer } from "./dice-layer.js";
import { drawChecker, drawCube, paint, shapeEdge, showCube } from "./pieces.js";
import { arrowMark, culpritMark, movableHint, targetHint, traceMark } from "./marks.js";
import { needRelief } from "./relief.js";
import { drawNumbers, drawPlaces, drawSurface, drawTrayLights } from "./surface.js";
import { glide } from "./motion.js";
import { SIDES, otherSide } from "./positions.js";
import { html, setText } from "../lib/dom.js";
import { mark, svg } from "../lib/svg.js";

export class Board {
  /**
   * @param {Element} host where the sheets go; its children are replaced
   * @param {{isInteractive?:boolean,label?:string}} [options]
   */
  constructor(host, { isInteractive = true, label = "" } = {}) {
    this.isInteractive = isInteractive;
    this.layers = {};
    const layers = (...names) => names.map((name) => (this.layers[name] = svg("g", { class: `layer-${name}` })));
    const sheet = (name) => svg("svg", { class: `board-sheet board-${name}`, "aria-hidden": "true", focusable: "false" });
    // Three sheets, so that an animation in one repaints no other: the textures, which take long to
    // paint, the thirty checkers, and everything over them.
    this.surface = sheet("surface");
    this.pieces = sheet("pieces");
    this.pieces.append(...layers("lights", "trace", "checkers"));
    this.root = svg("svg", {
      class: "board", role: isInteractive ? "group" : "img", "aria-label": label || null,
      "data-testid": isInteractive ? "board" : null, focusable: "false",
    }, ...layers("off", "places", "dots", "hints", "arrows", "cube", "dice", "stars"));
    this.side = "white"; // the viewer's side: places are numbered from its view
    this.colors = { white: "light", black: "dark" };
    this.stacks = { white: emptyStacks(), black: emptyStacks() };
    this.dots = new Map(); // place of a movable checker -> its dot {element, x, y}
    this.dice = new DiceLayer(this.layers.dice, isInteractive);
    this.position = null;
    this.cube = null; // the cube's SVG element
    this.cubeAt = null; // the argument of the last call of setCube: {where, value}
    needRelief();
    host.replaceChildren(html("div", { className: "board-stack" }, this.surface, this.pieces, this.root));
  }

  /**
   * Redraw the board for a layout. Checkers, dice and cube keep their places; hints, arrows and
   * traces are removed.
   */
  setLayout(layout, { hasNumbers = true } = {}) {
    this.layout = layout;
    for (const sheet of [this.surface, this.pieces, this.root]) {
      sheet.classList.toggle("is-wide", layout.isWide);
      sheet.setAttribute("viewBox", `0 0 ${layout.width.toFixed(2)} ${layout.height.toFixed(2)}`);
    }
    this.surface.replaceChildren(drawSurface(layout), ...(hasNumbers ? [drawNumbers(layout)] : []));
    this.layers.lights.replaceChildren(...drawTrayLights(layout));
    const focused = this.placeOf(document.activeElement);
    this.places = drawPlaces(layout, this.isInteractive);
    this.layers.places.replaceChildren(...this.places.values());
    if (focused !== null) this.places.get(focused)?.focus();
    for (const name of ["hints", "arrows", "trace", "stars"]) this.layers[name].replaceChildren();
    this.#setDots(new Set());
    this.checkerPattern = drawChecker(); // thirty copies of it are faster than thirty drawings
    for (const checker of [this.checkerPattern, ...this.layers.checkers.children]) shapeEdge(checker, layout.isWide);
    this.#placeCheckers(0);
    this.dice.place(layout);
    if (this.cubeAt) this.setCube(this.cubeAt);
  }

  /** Return the place of an element, or null. */
  placeOf(element) {
    const place = element?.closest?.("[data-place]");
    return place && this.root.contains(place) ? Number(place.dataset.place) : null;
  }

  /** Convert window coordinates to board units. */
  spotAt(clientX, clientY) {
    const matrix = this.root.getScreenCTM();
    return matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : null;
  }

  /** Return whether a spot is on shown dice or right beside them: they are small under a finger. */
  isOnDice(spot) {
    const { dice } = this.layers;
    const count = (name) => dice.querySelectorAll(`[data-testid^="${name}-"]`).length;
    return isOnDice(this.layout, spot, true, count("die")) || isOnDice(this.layout, spot, false, count("enemy-die"));
  }

  // --- Checkers ----------------------------------------------------------------------------

  /** Show a position; checkers glide from their old places in `ms`. */
  setPosition(position, side = this.side, ms = 0) {
    const isTurned = side !== this.side;
    this.side = side;
    const [movedOwn, movedEnemy] = [side, otherSide(side)].map((each) => this.#restack(each, position[each]));
    this.position = position;
    const hits = movedEnemy.filter((checker) => this.stacks[otherSide(side)][BAR].includes(checker));
    this.layers.checkers.append(...movedEnemy, ...movedOwn); // moving checkers are drawn over the others
    this.#placeCheckers(isTurned ? 0 : ms, { mover: movedOwn.length === 1 ? movedOwn[0] : null, hits });
  }

  /** Change the stacks of a side; return the checkers whose place has changed. */
  #restack(side, counts) {
    const stacks = this.stacks[side];
    const spare = stacks.flatMap((stack, place) => stack.splice(counts[place])).reverse();
    const moved = [];
    counts.forEach((count, place) => {
      while (stacks[place].length < count) {
        const checker = spare.pop();
        if (checker) moved.push(checker);
        stacks[place].push(checker ?? this.#newChecker(side));
      }
    });
    for (const checker of spare) checker.remove();
    return moved;
  }

  #newChecker(side) {
    const checker = this.checkerPattern.cloneNode(true);
    paint(checker, this.colors[side]);
    this.layers.checkers.append(checker);
    return checker;
  }

  /** Assign one of the two checker colors to each side, for checkers and dice. */
  setColors(colors) {
    if (isSame(colors, this.colors)) return;
    this.colors = colors;
    for (const side of SIDES) {
      for (const checker of this.stacks[side].flat()) paint(checker, colors[side]);
    }
    this.dice.paint(colors);
  }

  /**
   * Move one checker of a side, in that side's numbering. The stacks change at once; the movement
   * takes `ms`.
   */
  moveChecker(side, { source, target }, isHit, ms) {
    const stacks = this.stacks[side];
    const checker = stacks[source].pop();
    if (!checker) return;
    stacks[target].push(checker);
    let hit = null;
    if (isHit) {
      const enemy = this.stacks[otherSide(side)];
      hit = enemy[fromEnemy(this.layout.variant, target)].pop();
      if (hit) enemy[BAR].push(hit);
    }
    this.#placeCheckers(ms, { mover: checker, hits: hit ? [hit] : [] });
  }

  /**
   * Return the center of the topmost checker on a place in the viewer's numbering; with `isAdded`,
   * of the checker that would be added.
   */
  spotOf(place, isOwn, isAdded = false) {
    const side = isOwn ? this.side : otherSide(this.side);
    const key = isOwn ? place : this.#enemyNumber(place);
    const count = this.stacks[side][key].length + (isAdded ? 1 : 0);
    return checkerSpot(this.layout, place, Math.max(0, count - 1), Math.max(1, count), isOwn);
  }

  /** Lift one of the viewer's checkers so that it follows the pointer. */
  liftChecker(place) {
    this.dragged = this.topChecker(place);
    if (!this.dragged) return;
    this.dragged.classList.add("is-dragged");
    this.layers.checkers.append(this.dragged);
    this.#countWithout(place);
  }

  /** Write the count of the remaining checkers on the one below the lifted checker. */
  #countWithout(place) {
    const stack = this.stacks[this.side][place];
    const rest = stack.length - 1;
    showCount(this.dragged, 0);
    if (rest > 5) showCount(stack[rest - 1], rest);
  }

  drag(spot) {
    if (this.dragged && spot) glide(this.dragged, spot, 0);
  }

  releaseChecker() {
    this.dragged?.classList.remove("is-dragged");
    this.dragged = null;
  }

  /** Glide every checker back to its place. */
  settle(ms = 120) {
    this.#placeCheckers(ms);
  }

  topChecker(place, isOwn = true) {
    return this.stacks[isOwn ? this.side : otherSide(this.side)][place]?.at(-1) ?? null;
  }

  /** Convert a place from the viewer's numbering to the enemy's; `fromEnemy` is its own inverse. */
  #enemyNumber(place) {
    if (place === ENEMY_TRAY) return OFF;
    return fromEnemy(this.layout.variant, place);
  }

  #placeCheckers(ms, { mover = null, hits = [] } = {}) {
    for (const side of SIDES) {
      const isOwn = side === this.side;
      this.stacks[side].forEach((stack, number) => {
        const place = this.#placeFor(number, isOwn);
        stack.forEach((checker, index) => {
          const spot = checkerSpot(this.layout, place, index, stack.length, isOwn);
          const isOff = number === OFF;
          const isTop = index === stack.length - 1;
          checker.classList.toggle("is-off", isOff);
          showCount(checker, isTop && stack.length > 5 && !isOff ? stack.length : 0);
          const isHit = hits.includes(checker);
          // The checker that was hit starts to move when the hitting checker has arrived.
          glide(checker, spot, ms, { isArc: checker === mover || isHit, delay: isHit ? ms : 0 });
          // A checker in the right order stays: moving it in the document would paint it again.
          const isUnder = stack[index - 1]?.compareDocumentPosition(checker) & Node.DOCUMENT_POSITION_PRECEDING;
          if (isUnder) this.layers.checkers.append(checker);
        });
      });
    }
    if (mover) this.layers.checkers.append(...hits, mover);
    this.#countOff();
  }

  /** Write the number of borne-off checkers beside the trays. */
  #countOff() {
    if (!this.layout.trays) return;
    this.layers.off.replaceChildren(...[true, false].flatMap((isOwn) => {
      const count = this.stacks[isOwn ? this.side : otherSide(this.side)][OFF].length;
      if (!count) return [];
      const { x, y, anchor } = trayCountSpot(this.layout, isOwn);
      return [svg("text", { class: "tray-count", x, y, "text-anchor": anchor }, String(count))];
    }));
  }

  // --- Hints -------------------------------------------------------------------------------

  /**
   * @param {{movable?:Set<number>,targets?:Map<number,{isCombined:boolean}>,selected?:number|null,
   *   culprits?:Iterable<number>}} hints in the viewer's numbering; culprits = places that a
   *   refusal names
   */
  setHints({ movable = new Set(), targets = new Map(), selected = null, culprits = [] } = {}) {
    const { hints } = this.layers;
    hints.replaceChildren(...[...culprits].map((place) => culpritMark(this.places.get(place))));
    for (const [place, group] of this.places) {
      mark(group, "data-movable", movable.has(place));
      mark(group, "data-target", targets.has(place));
      mark(group, "data-selected", selected === place);
    }
    this.#setDots(new Set([...movable].filter((place) => place !== selected)));
    for (const [place, { isCombined }] of targets) {
      const isHit = place !== OFF && this.stacks[otherSide(this.side)][this.#enemyNumber(place)].length > 0;
      const spot = isHit ? this.spotOf(place, false) : this.spotOf(place, true, true);
      hints.append(targetHint(spot, { isCombined, isHit, isTray: place === OFF, color: this.colors[this.side] }));
    }
    mark(this.pieces, "data-tray-lit", targets.has(OFF));
    const lifted = selected === null ? null : this.topChecker(selected);
    for (const checker of this.layers.checkers.children) {
      checker.classList.toggle("is-selected", checker === lifted);
    }
  }

  /** Show a dot on the topmost checker of these places; keep dots that are already right. */
  #setDots(places) {
    const wanted = new Map([...places].map((place) => [place, this.spotOf(place, true)]));
    for (const [place, { element, x, y }] of this.dots) {
      const spot = wanted.get(place);
      if (spot?.x === x && spot?.y === y) continue;
      element.remove();
      this.dots.delete(place);
    }
    for (const [place, { x, y }] of wanted) {
      if (this.dots.has(place)) continue;
      const element = movableHint({ x, y });
      this.layers.dots.append(element);
      this.dots.set(place, { element, x, y });
    }
  }

  /** Draw a dotted line from the start to the end of each move; CSS fades it until it is faint. */
  trace(moves, side) {
    const isOwn = side === this.side;
    this.layers.trace.replaceChildren(...moves.map(({ source, target }) => {
      const from = this.spotOf(this.#placeFor(source, isOwn), isOwn, true);
      const to = this.spotOf(this.#placeFor(target, isOwn), isOwn);
      return traceMark(from, to);
    }));
  }

  /** Convert a place from its side's own numbering to the viewer's. */
  #placeFor(number, isOwn) {
    if (isOwn) return number;
    return number === OFF ? ENEMY_TRAY : fromEnemy(this.layout.variant, number);
  }

  clearTrace() {
    this.layers.trace.replaceChildren();
  }

  /** Draw arrows for checkers of a side, in that side's numbering; an empty list removes them. */
  showArrows(arrows, side = this.side) {
    const isOwn = side === this.side;
    this.layers.arrows.replaceChildren(...arrows.map(({ from, to, kind = "good" }) => {
      const start = this.spotOf(this.#placeFor(from, isOwn), isOwn);
      return arrowMark(start, this.spotOf(this.#placeFor(to, isOwn), isOwn, true), kind);
    }));
  }

  /**
   * Celebrate a game that `side` has won. Do nothing if the script cannot be loaded, or if the
   * position has changed while it was loading.
   */
  async celebrate(side, ms) {
    if (ms <= 0) return;
    const { position } = this;
    const celebration = await import("./celebration.js").catch(() => null);
    if (position === this.position) celebration?.celebrate(this, this.stacks[side].flat(), ms);
  }

  // --- Dice and cube -----------------------------------------------------------------------

  /** @param {{own?:DieView[],enemy?:DieView[]}} shown @param {number} ms > 0 animates the throw */
  setDice(shown, ms = 0) {
    this.dice.show(shown, { colors: this.colors, layout: this.layout, ms });
  }

  /** @param {{where:string|null,value:number}} cube where = as in geometry.cubeSpot, null = no cube */
  setCube(cube, ms = 0) {
    this.cubeAt = cube;
    if (cube.where === null) {
      this.cube?.remove();
      this.cube = null;
      return;
    }
    if (!this.cube) this.layers.cube.append((this.cube = drawCube()));
    showCube(this.cube, cube.value);
    const isOffered = cube.where.startsWith("to_");
    if (isOffered) this.setDice({}); // the cube is drawn where the dice would be
    this.cube.classList.toggle("is-offered", isOffered);
    mark(this.cube, "data-where", cube.where);
    glide(this.cube, cubeSpot(this.layout, cube.where), ms, { scale: isOffered ? 1.6 : 1 });
  }
}

function isSame(colors, others) {
  return SIDES.every((side) => colors[side] === others[side]);
}

function emptyStacks() {
  return Array.from({ length: 26 }, () => []);
}

function showCount(checker, count) {
  if (!count && !checker.classList.contains("has-count")) return;
  checker.classList.toggle("has-count", count > 0);
  setText(checker.querySelector(".checker-count"), count > 0 ? count : "");
}
