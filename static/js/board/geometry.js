// Geometry of the board. Pure: no document here.
//
// Places are numbered as the viewer counts: 1-24 = points, 25 = bar, 0 = own tray, 26 = enemy's
// tray. The viewer's home is at the bottom right and their checkers travel counterclockwise to it;
// `isMirrored` flips the board left to right. The unit is a tenth of a checker's diameter.

export const CHECKER = 10;
export const OFF = 0;
export const BAR = 25;
export const ENEMY_TRAY = 26;

const PITCH = 10.4; // width of one column
const FREE_STACK = 5; // checkers that fit without overlap
const RAISE = 0.22; // shift of each layer of a stack to the upper left, where the light comes from
const EDGE_STEP = 3.5; // height of a borne-off checker, which lies on its edge
// In board units: the rails of the frame, the bar, the wood between the field and a side tray, and
// the side tray.
const WIDE = { side: 3, top: 5.6, bottom: 5.6, bar: 11, divider: 2.2, tray: 11 };
// 13 columns of 24 px each at a width of 320 px leave only this much for the frame. The outer
// trays, `tray` high with their margins, lie within `top` and `bottom`.
const NARROW = { side: 1.6, top: 16.2, bottom: 16.2, bar: 10.4, divider: 0, tray: 10.6 };
// Limits of the height of one row of points.
const HALF_RANGE = { wide: [56, 66], narrow: [54, 96] };
const LABEL_BAND = 5.4; // height of the band of point numbers, where a press counts for the point

/**
 * @typedef {Object} Layout
 * @property {boolean} isWide 14 columns with trays at the side, else 13 with trays above and below
 * @property {boolean} isMirrored
 * @property {string} variant
 * @property {number} width
 * @property {number} height
 * @property {{x:number,y:number,width:number,height:number}} field
 * @property {number} half height of one row of points
 * @property {{x:number,width:number}} bar
 * @property {{own:Box,enemy:Box}|null} trays
 * @typedef {{x:number,y:number,width:number,height:number}} Box
 */

/**
 * @param {{variant?:string,isWide?:boolean,isMirrored?:boolean,hasTrays?:boolean,aspect?:number|null}} options
 *   aspect = height / width of the available space: the rows stretch towards it within limits
 * @returns {Layout}
 */
export function makeLayout(options = {}) {
  const { variant = "short", isWide = true, isMirrored = false, hasTrays = true } = options;
  const frame = isWide ? WIDE : NARROW;
  const edges = hasTrays ? frame : { ...frame, top: 5.6, bottom: 5.6, divider: 0, tray: 0 };
  const sideTray = isWide && hasTrays ? edges.divider + edges.tray : 0;
  const fieldWidth = 12 * PITCH + edges.bar;
  const width = 2 * edges.side + fieldWidth + sideTray;
  const half = halfHeight(isWide, width, edges.top + edges.bottom, options.aspect ?? null);
  const fieldX = edges.side + (isMirrored ? sideTray : 0);
  const field = { x: fieldX, y: edges.top, width: fieldWidth, height: 2 * half };
  const layout = {
    variant, isWide, isMirrored, width, half, field,
    height: 2 * half + edges.top + edges.bottom,
    bar: { x: fieldX + 6 * PITCH, width: edges.bar },
    trays: null,
  };
  if (hasTrays) layout.trays = isWide ? sideTrays(layout, edges) : outerTrays(layout, edges);
  return Object.freeze(layout);
}

function halfHeight(isWide, width, edgesHeight, aspect) {
  const [least, most] = HALF_RANGE[isWide ? "wide" : "narrow"];
  if (!aspect) return isWide ? 58 : 61; // the height of the space is not limited
  return Math.min(most, Math.max(least, (aspect * width - edgesHeight) / 2));
}

function sideTrays({ field, half, isMirrored, width }, edges) {
  const x = isMirrored ? edges.side : width - edges.side - edges.tray;
  const height = half - 4;
  return {
    own: { x, y: field.y + field.height - height, width: edges.tray, height },
    enemy: { x, y: field.y, width: edges.tray, height },
  };
}

function outerTrays({ variant, field, height, isMirrored }, edges) {
  const width = 15 * EDGE_STEP + 3;
  const right = field.x + field.width - width;
  const homeX = isMirrored ? field.x : right;
  const farX = isMirrored ? right : field.x;
  const enemyX = variant === "long" ? farX : homeX;
  const tray = edges.tray - 1.4;
  return {
    own: { x: homeX, y: height - tray - 0.8, width, height: tray },
    enemy: { x: enemyX, y: 0.8, width, height: tray },
  };
}

/** Convert a place from the enemy's numbering to the viewer's. Bar and off keep their numbers. */
export function fromEnemy(variant, point) {
  if (point < 1 || point > 24) return point;
  if (variant === "long") return point <= 12 ? point + 12 : point - 12;
  return 25 - point;
}

export function isTop(point) {
  return point > 12 && point <= 24;
}

/** Return the column of a point, 0 to 11 from left to right, not counting the bar. */
function columnOf(layout, point) {
  const column = isTop(point) ? point - 13 : 12 - point;
  return layout.isMirrored ? 11 - column : column;
}

function columnX(layout, column) {
  return layout.field.x + column * PITCH + (column > 5 ? layout.bar.width : 0);
}

/** Return the box of a point: its column, from the edge of the field to the middle line. */
export function pointBox(layout, point) {
  const x = columnX(layout, columnOf(layout, point));
  const y = isTop(point) ? layout.field.y : layout.field.y + layout.half;
  return { x, y, width: PITCH, height: layout.half };
}

/** Return the length of a point's triangle. */
export function pointLength(layout) {
  const most = layout.isWide ? 57 : Math.max(57, 0.84 * layout.half); // a phone's rows are long
  return Math.min(layout.half - 9, most);
}

/**
 * Return where a checker of a stack lies: its distance from the first one, and its layer. The first
 * five lie side by side, the next four over the gaps between them, then three, two and one.
 * @param {number} index 0 = at the edge
 * @returns {{along:number,layer:number}}
 */
export function stackSpot(index) {
  let [first, inLayer, layer] = [0, FREE_STACK, 0];
  while (index >= first + inLayer && inLayer > 1) {
    first += inLayer;
    inLayer -= 1;
    layer += 1;
  }
  return { along: CHECKER * (index - first + layer / 2), layer };
}

/**
 * Return the center of a checker.
 * @param {Layout} layout
 * @param {number} place viewer's numbering
 * @param {number} index 0 = at the edge, first in the tray, nearest to the bar's middle
 * @param {number} count of checkers on the place
 * @param {boolean} isOwn
 */
export function checkerSpot(layout, place, index, count, isOwn) {
  if (place === OFF || place === ENEMY_TRAY) return traySpot(layout, index, isOwn);
  if (place === BAR) return barSpot(layout, index, count, isOwn);
  const box = pointBox(layout, place);
  const { along, layer } = stackSpot(index);
  const away = CHECKER / 2 + 0.4 + along;
  return {
    x: box.x + box.width / 2 - layer * RAISE,
    y: (isTop(place) ? box.y + away : box.y + box.height - away) - layer * RAISE,
  };
}

// Own checkers on the bar are in the upper half, in front of the enemy's home, where they enter.
// The 13 units keep them clear of the cube, which is in the middle of the bar or near its ends.
function barSpot(layout, index, count, isOwn) {
  const middle = layout.field.y + layout.half;
  const room = layout.half - 13 - 13 - CHECKER;
  const step = Math.min(CHECKER, count > 1 ? room / (count - 1) : CHECKER);
  const away = 13 + index * step;
  return { x: layout.bar.x + layout.bar.width / 2, y: isOwn ? middle - away : middle + away };
}

function traySpot(layout, index, isOwn) {
  const box = trayBox(layout, isOwn);
  const length = layout.isWide ? box.height : box.width;
  const step = Math.min(EDGE_STEP, (length - 2) / 15);
  const along = 1 + step / 2 + index * step;
  if (layout.isWide) {
    return {
      x: box.x + box.width / 2,
      y: isOwn ? box.y + box.height - along : box.y + along,
    };
  }
  const fromRight = box.x > layout.width / 3;
  return { x: fromRight ? box.x + box.width - along : box.x + along, y: box.y + box.height / 2 };
}

/** Return the box of a tray; without trays, a box beside the field, where checkers disappear. */
export function trayBox(layout, isOwn) {
  if (layout.trays) return isOwn ? layout.trays.own : layout.trays.enemy;
  const { field, width } = layout;
  return { x: width, y: isOwn ? field.y + field.height - 20 : field.y, width: 11, height: 20 };
}

/** Return where the borne-off count is written: between the side trays, or beside an outer tray. */
export function trayCountSpot(layout, isOwn) {
  const box = trayBox(layout, isOwn);
  const { field, half } = layout;
  if (layout.isWide) {
    return { x: box.x + box.width / 2, y: field.y + half + (isOwn ? 3.4 : -0.9), anchor: "middle" };
  }
  const isRight = box.x > layout.width / 3;
  return {
    x: isRight ? box.x - 2.5 : box.x + box.width + 2.5, y: box.y + box.height / 2 + 1.5,
    anchor: isRight ? "end" : "start",
  };
}

/**
 * Return the center of a side's dice. The viewer's dice are in the half of the board with the
 * viewer's home, the enemy's dice in the other half.
 */
export function diceCenter(layout, isOwn) {
  const isRight = isOwn !== layout.isMirrored;
  const column = isRight ? 9 : 3;
  return { x: columnX(layout, column), y: layout.field.y + layout.half };
}

/** Return whether a spot is on or near a row of `count` dice, but not on a stack of checkers. */
export function isOnDice(layout, { x, y }, isOwn, count) {
  const center = diceCenter(layout, isOwn);
  const reach = { x: count * 5.1 + 2, y: Math.min(8, layout.half - FREE_STACK * CHECKER + 1) };
  return count > 0 && Math.abs(x - center.x) <= reach.x && Math.abs(y - center.y) <= reach.y;
}

/** @param {"center"|"own"|"enemy"|"to_own"|"to_enemy"} where to_* = offered to that side */
export function cubeSpot(layout, where) {
  const x = layout.bar.x + layout.bar.width / 2;
  const { y, height } = layout.field;
  if (where === "own") return { x, y: y + height - 7 };
  if (where === "enemy") return { x, y: y + 7 };
  if (where === "center") return { x, y: y + height / 2 };
  return diceCenter(layout, where === "to_own");
}

/** Return the place at a spot in board units, or null. */
export function placeAt(layout, x, y) {
  const { field, bar, trays, half } = layout;
  if (trays) {
    if (contains(trays.own, x, y)) return OFF;
    if (contains(trays.enemy, x, y)) return ENEMY_TRAY;
  }
  if (!contains({ ...field, y: field.y - LABEL_BAND, height: field.height + 2 * LABEL_BAND }, x, y)) {
    return null;
  }
  if (x >= bar.x && x < bar.x + bar.width) return BAR;
  const beyondBar = x > bar.x ? bar.width : 0;
  const shown = Math.min(11, Math.max(0, Math.floor((x - field.x - beyondBar) / PITCH)));
  const column = layout.isMirrored ? 11 - shown : shown;
  return y < field.y + half ? 13 + column : 12 - column;
}

function contains(box, x, y) {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/** Return the places of the upper and the lower row, from left to right on the screen. */
export function rows(layout) {
  const upper = [13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24];
  const lower = [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1];
  if (layout.isMirrored) {
    upper.reverse();
    lower.reverse();
  }
  const enemyFirst = layout.variant === "long" && !layout.isWide ? !layout.isMirrored : layout.isMirrored;
  enemyFirst ? upper.unshift(ENEMY_TRAY) : upper.push(ENEMY_TRAY);
  layout.isMirrored ? lower.unshift(OFF) : lower.push(OFF);
  return [upper, lower];
}

/**
 * Return the place to which an arrow key, Home or End moves the focus; at an edge, the same place.
 * @param {boolean} wasUpper whether the focus was in the upper row; needed since the bar is in both
 */
export function neighbor(layout, place, key, wasUpper = true) {
  const [upper, lower] = rows(layout);
  const inUpper = place === BAR ? wasUpper : upper.includes(place);
  const row = inUpper ? upper : lower;
  const at = row.indexOf(place);
  if (key === "ArrowLeft") return row[Math.max(0, at - 1)];
  if (key === "ArrowRight") return row[Math.min(row.length - 1, at + 1)];
  if (key === "Home") return row[0];
  if (key === "End") return row[row.length - 1];
  const across = key === "ArrowUp" ? upper : key === "ArrowDown" ? lower : null;
  if (!across || across === row) return place;
  return acrossFrom(layout, place, across);
}

function acrossFrom(layout, place, row) {
  if (place === OFF) return row.includes(ENEMY_TRAY) ? ENEMY_TRAY : place;
  if (place === ENEMY_TRAY) return row.includes(OFF) ? OFF : place;
  return place === BAR ? BAR : 25 - place;
}
