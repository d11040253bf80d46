// Repeat the draw of a tournament's rounds from its secret, in this browser. Pure except for
// WebCrypto. tournaments/README.md, "The draw", describes the scheme and the file.

import { fromHex, sha256 } from "../lib/sha256.js";
import { hmac, lengthPrefixed } from "./verify.js";

const ascii = (text) => new TextEncoder().encode(text);

/** The random numbers of one round's draw: HMAC blocks in order, four bytes for each number. */
class Numbers {
  constructor(key) {
    this.key = key;
    this.block = 0;
    this.words = [];
  }

  async next() {
    if (!this.words.length) {
      const { buffer, byteOffset, byteLength } = await hmac(this.key, ascii(String(this.block)));
      const view = new DataView(buffer, byteOffset, byteLength);
      for (let at = 0; at < byteLength; at += 4) this.words.push(view.getUint32(at));
      this.block += 1;
    }
    return this.words.shift();
  }

  /** Return a number below `bound`, all equally likely. */
  async below(bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let word = await this.next();
    while (word >= limit) word = await this.next();
    return word % bound;
  }

  async shuffled(items) {
    const mixed = [...items];
    for (let place = mixed.length - 1; place > 0; place -= 1) {
      const other = await this.below(place + 1);
      [mixed[place], mixed[other]] = [mixed[other], mixed[place]];
    }
    return mixed;
  }
}

/**
 * Return the numbers of a round.
 * @param {Uint8Array} secret @param {string} id the tournament's public id @param {number} round
 */
export async function numbersOf(secret, id, round) {
  const parts = [ascii("5sg-draw1"), lengthPrefixed(ascii(id)), lengthPrefixed(ascii(String(round)))];
  return new Numbers(await hmac(secret, Uint8Array.from(parts.flatMap((part) => [...part]))));
}

/**
 * Check the file of a draw.
 * @param {object} file format, id, kind, commitment, secret, entrants, rounds
 * @param {object} known facts that the page has: any of id, kind, commitment, entrants and rounds
 * @returns {Promise<{ok:boolean, rounds:number, fault:null|"commitment"|"record"|"round", round?:number}>}
 *   rounds = the number of rounds in the file; commitment = the secret has another hash; record = the
 *   file contradicts the page; round = this round does not follow from the secret
 */
export async function checkDraw(file, known = {}) {
  const bad = (fault, more = {}) => ({ ok: false, rounds: file.rounds.length, fault, ...more });
  const secret = fromHex(file.secret);
  if ((await sha256(secret)) !== file.commitment) return bad("commitment");
  if (Object.entries(known).some(([name, value]) => !isSame(file[name], value))) return bad("record");
  for (let round = 1; round <= file.rounds.length; round += 1) {
    const drawn = await DRAWS[file.kind](file, secret, round);
    const written = file.rounds[round - 1].map(({ first, second }) => [first, second]);
    if (!isSame(drawn, written)) return bad("round", { round });
  }
  return { ok: true, rounds: file.rounds.length, fault: null };
}

const isSame = (one, two) => JSON.stringify(one) === JSON.stringify(two);
const upTo = (count, from = 0) => Array.from({ length: count }, (_, place) => place + from);

async function knockout(file, secret, round) {
  const size = file.entrants.length;
  const half = 2 ** (Math.ceil(Math.log2(size)) - 1);
  const numbers = await numbersOf(secret, file.id, 1);
  const line = await numbers.shuffled(upTo(size, 1));
  const byes = (await numbers.shuffled(upTo(half))).slice(0, 2 * half - size);
  let column = upTo(half).map((place) => [line.shift(), byes.includes(place) ? null : line.shift()]);
  for (const played of file.rounds.slice(0, round - 1)) {
    const winners = new Map(played.flatMap(({ first, second, winner }) => [[first, winner], [second, winner]]));
    const through = column.map(([first, second]) => (first ?? second) === null ? null : winners.get(first ?? second) ?? null);
    column = upTo(Math.floor(through.length / 2)).map((pair) => [through[2 * pair], through[2 * pair + 1]]);
  }
  return column.filter(([first, second]) => first !== null || second !== null)
    .map(([first, second]) => (first === null ? [second, null] : [first, second]));
}

async function roundRobin(file, secret, round) {
  const numbers = await numbersOf(secret, file.id, 1);
  let seats = await numbers.shuffled(upTo(file.entrants.length, 1));
  if (seats.length % 2) seats.push(null);
  const roundsInLeg = seats.length - 1;
  for (let step = 0; step < (round - 1) % roundsInLeg; step += 1) {
    seats = [seats.at(-2), ...seats.slice(0, -2), seats.at(-1)];
  }
  const isReturn = Math.floor((round - 1) / roundsInLeg) % 2 === 1;
  return upTo(seats.length / 2)
    .map((place) => [seats[place], seats.at(-1 - place)])
    .map(([first, second]) => (isReturn && second !== null ? [second, first] : [first, second]));
}

async function swiss(file, secret, round) {
  const before = file.rounds.slice(0, round - 1).flat();
  const entrants = file.rounds[round - 1].flatMap(({ first, second }) => [first, second])
    .filter((entrant) => entrant !== null).sort((one, two) => one - two);
  const wins = (entrant) => before.filter(({ winner }) => winner === entrant).length;
  const shuffled = await (await numbersOf(secret, file.id, round)).shuffled(entrants);
  const order = shuffled.sort((one, two) => wins(two) - wins(one));
  const met = new Set(before.flatMap(({ first, second }) => [`${first} ${second}`, `${second} ${first}`]));
  const withoutBye = order.filter((entrant) => !met.has(`${entrant} null`)).reverse();
  const byes = order.length % 2 ? (withoutBye.length ? withoutBye : [...order].reverse()) : [null];
  for (const repeats of upTo(order.length)) {
    for (const bye of byes) {
      const pairs = firstPairing(order.filter((entrant) => entrant !== bye), met, repeats);
      if (pairs) return bye === null ? pairs : [...pairs, [bye, null]];
    }
  }
  return [];
}

/** Return the first pairing in which at most `repeats` pairs have met before, or null. */
function firstPairing(line, met, repeats) {
  if (!line.length) return [];
  const [entrant, ...others] = line;
  for (const other of others) {
    const left = repeats - met.has(`${entrant} ${other}`);
    const rest = left >= 0 && firstPairing(others.filter((each) => each !== other), met, left);
    if (rest) return [[entrant, other], ...rest];
  }
  return null;
}

const DRAWS = { KNOCKOUT: knockout, ROUND_ROBIN: roundRobin, DOUBLE_ROUND_ROBIN: roundRobin, SWISS: swiss };
