// Positions and the notation of moves. Pure. A position is {white, black}, each 26 counts in that
// side's own numbering: [0] = off, [1..24] = points, [25] = bar.

import { BAR, OFF, fromEnemy } from "./geometry.js";

/** @typedef {{white:number[],black:number[]}} Position */

export const SIDES = ["white", "black"];

export function otherSide(side) {
  return side === "white" ? "black" : "white";
}

/**
 * Read the server's hex form, one digit for each count: White's points 1-24, Black's points 1-24,
 * both bars (only in short backgammon), both trays.
 * @param {string} text
 * @returns {Position}
 */
export function parseHex(text) {
  const counts = Array.from(text, (digit) => parseInt(digit, 16));
  const hasBar = counts.length === 52;
  const offs = hasBar ? 50 : 48;
  const side = (n) => [
    counts[offs + n], ...counts.slice(24 * n, 24 * n + 24), hasBar ? counts[48 + n] : 0,
  ];
  return { white: side(0), black: side(1) };
}

export function pips(counts) {
  return counts.reduce((sum, count, place) => sum + count * place, 0);
}

export function isHome(counts) {
  return counts.every((count, place) => count === 0 || place <= 6);
}

function placeText(place) {
  if (place === BAR) return "bar";
  return place === OFF ? "off" : String(place);
}

/** @param {{source:number,target:number,isHit?:boolean}} move */
export function moveText(move) {
  return `${placeText(move.source)}/${placeText(move.target)}${move.isHit ? "*" : ""}`;
}

export function playText(moves) {
  return moves.map(moveText).join(" ") || "-";
}

const ITEM = /^(?:bar|\d{1,2})\*?(?:\/(?:bar|off|\d{1,2})\*?)+(?:\((\d)\))?$/;

/**
 * Read a play in notation: "13/7 8/7*", "24/18/13*", "8/7(2)"; "-" is a pass.
 * @returns {{source:number,target:number}[]|null} null when the notation is invalid
 */
export function parsePlay(text) {
  const items = text.trim().toLowerCase().split(/\s+/);
  if (items.length === 1 && items[0] === "-") return [];
  const written = [];
  for (const item of items) {
    const found = ITEM.exec(item);
    if (!found) return null;
    const stops = item.replace(/\(.*/, "").replaceAll("*", "").split("/").map(readPlace);
    for (let n = 1; n < stops.length; n += 1) {
      if (!(stops[n - 1] <= BAR && stops[n] < stops[n - 1])) return null;
    }
    for (let time = Number(found[1] ?? 1); time > 0; time -= 1) {
      for (let n = 1; n < stops.length; n += 1) {
        written.push({ source: stops[n - 1], target: stops[n] });
      }
    }
  }
  return written;
}

/**
 * Return a play in the viewer's numbers: the points of an enemy's play are converted; the bar and
 * off keep their names.
 * @param {{viewer:string,variant:string,keepsNumbers:boolean}} how keepsNumbers = do not convert
 */
export function playFor(text, side, { viewer, variant, keepsNumbers }) {
  if (side === viewer || keepsNumbers) return text;
  return text.replace(/(?<!\(|\d)\d+/g, (number) => String(fromEnemy(variant, Number(number))));
}

function readPlace(text) {
  if (text === "bar") return BAR;
  return text === "off" ? OFF : Number(text);
}

/** Return how many own and enemy checkers are on a place, in the viewer's numbering. */
export function countsAt(position, side, variant, place) {
  const enemy = position[otherSide(side)];
  const theirs = place >= 1 && place <= 24 ? enemy[fromEnemy(variant, place)] : enemy[place];
  return { own: position[side][place] ?? 0, enemy: theirs ?? 0 };
}

/**
 * Return the position after each move of one side; hit checkers go to their bar.
 * @param {Position} position
 * @param {string} side the side that moves; moves are in its own numbering
 * @param {{source:number,target:number}[]} moves
 * @returns {{position:Position,isHit:boolean}[]} one entry for each move
 */
export function replay(position, side, moves, variant) {
  const enemy = otherSide(side);
  let now = position;
  return moves.map(({ source, target }) => {
    const own = [...now[side]];
    const theirs = [...now[enemy]];
    own[source] -= 1;
    own[target] += 1;
    const met = target >= 1 && target <= 24 ? fromEnemy(variant, target) : OFF;
    const isHit = variant === "short" && met !== OFF && theirs[met] === 1;
    if (isHit) {
      theirs[met] = 0;
      theirs[BAR] += 1;
    }
    now = { [side]: own, [enemy]: theirs };
    return { position: now, isHit };
  });
}
