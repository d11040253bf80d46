// Recompute every roll of a match from its secret and the players' entropy, in this browser. Pure
// except for WebCrypto. The rules pages and games/engine/dice.py describe the scheme.

import { fromHex, sha256 } from "../lib/sha256.js";

// The largest multiple of six up to 256. Bytes from it on are skipped, so that all faces are equally
// likely.
const BYTE_LIMIT = 252;

export async function hmac(key, message) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

export function lengthPrefixed(bytes) {
  return [bytes.length >> 8, bytes.length & 255, ...bytes];
}

/**
 * Derive the key of all rolls of a match.
 * @param {Uint8Array} secret
 * @param {string} id the match's public id
 * @param {Uint8Array} white White's entropy
 * @param {Uint8Array} black Black's entropy
 */
export async function matchKey(secret, id, white, black) {
  const ascii = new TextEncoder().encode(id);
  const message = [
    ...new TextEncoder().encode("5sg1"),
    ...lengthPrefixed(ascii), ...lengthPrefixed(white), ...lengthPrefixed(black),
  ];
  return hmac(secret, Uint8Array.from(message));
}

/**
 * Compute roll `number` of game `game`, both counted from 1.
 * @returns {Promise<[number, number]>}
 */
export async function roll(key, game, number) {
  const dice = [];
  for (let block = 0; dice.length < 2; block += 1) {
    const bytes = await hmac(key, new TextEncoder().encode(`${game}:${number}:${block}`));
    for (const byte of bytes) {
      if (byte < BYTE_LIMIT && dice.length < 2) dice.push((byte % 6) + 1);
    }
  }
  return dice;
}

/** Return every logged roll, including repeated opening rolls: {game, number, dice}. */
export function loggedRolls(actions) {
  const rolls = [];
  let game = 0;
  let number = 0;
  for (const action of actions) {
    if (action.kind === "start") {
      game = action.game;
      number = 0;
    }
    const dice = diceOf(action);
    if (!dice) continue;
    number += 1;
    rolls.push({ game, number, dice });
  }
  return rolls;
}

function diceOf(action) {
  if (action.kind === "opening") return [action.white, action.black];
  return action.kind === "roll" ? [action.d1, action.d2] : null;
}

/**
 * Check an exported match.
 * @param {object} match the export: id, rules, actions, result, dice {commitment, secret, *_entropy}
 * @param {object} known facts that the page already has: any of id, rules, result, actions
 *   and commitment. A file that contradicts them belongs to another match or was changed.
 * @returns {Promise<{ok:boolean,rolls:number,fault:null|"lost"|"no_secret"|"commitment"|"entropy"|"roll"|"record",
 *   game?:number,number?:number}>} rolls = the number of logged rolls. lost: the site could not reveal
 *   the secret; no_secret: it is not revealed yet; commitment: it has another hash; entropy: an
 *   entropy has another hash; roll: roll `number` of game `game` differs; record: the file
 *   contradicts the page or its own log
 */
export async function checkMatch(match, known = {}) {
  const { dice, actions } = match;
  const rolls = loggedRolls(actions);
  const bad = (fault, where = {}) => ({ ok: false, rolls: rolls.length, fault, ...where });
  if (dice?.lost) return bad(actions.some((action) => action.kind === "secret_lost") ? "lost" : "record");
  if (!dice?.secret) return bad("no_secret");
  if (!(await secretMatchesCommitment(match))) return bad("commitment");
  if (!(await entropyMatchesHashes(match))) return bad("entropy");
  const [white, black] = [dice.white_entropy, dice.black_entropy].map((hex) => fromHex(hex ?? ""));
  const key = await matchKey(fromHex(dice.secret), match.id, white, black);
  for (const { game, number, dice: logged } of rolls) {
    const [first, second] = await roll(key, game, number);
    if (first !== logged[0] || second !== logged[1]) return bad("roll", { game, number });
  }
  if (!matchesKnownFacts(match, known)) return bad("record");
  return { ok: true, rolls: rolls.length, fault: null };
}

/** Return whether the file agrees with every fact that the page has. */
function matchesKnownFacts(match, known) {
  return contains({ ...match, commitment: match.dice?.commitment }, known);
}

function contains(file, known) {
  if (file === null || known === null || typeof file !== "object" || typeof known !== "object") return file === known;
  if (Array.isArray(known) && file.length !== known.length) return false;
  return Object.keys(known).every((key) => contains(file[key], known[key]));
}

/** Return whether the secret is the one revealed at the end and matches the hash logged first. */
async function secretMatchesCommitment({ actions, dice }) {
  const revealed = actions.find((action) => action.kind === "reveal");
  const [first] = actions;
  if (first?.kind !== "commit" || first.hash !== dice.commitment) return false;
  return revealed?.secret === dice.secret && (await sha256(fromHex(dice.secret))) === dice.commitment;
}

/**
 * Return whether each entropy is the value in the export and has the hash that its side sent last
 * before any entropy was known. In a match that ended before its first roll it may be missing.
 */
async function entropyMatchesHashes({ actions, dice }) {
  const known = actions.findIndex(({ kind }) => kind === "entropy");
  const before = known < 0 ? actions : actions.slice(0, known);
  for (const side of ["white", "black"]) {
    const promised = before.findLast((action) => action.kind === "entropy_hash" && action.side === side)?.hash;
    const hex = actions.find((action) => action.kind === "entropy" && action.side === side)?.hex ?? "";
    if (hex !== (dice[`${side}_entropy`] ?? "")) return false;
    const isOwed = promised && loggedRolls(actions).length;
    if ((hex || isOwed) && (await sha256(fromHex(hex))) !== promised) return false;
  }
  return true;
}
