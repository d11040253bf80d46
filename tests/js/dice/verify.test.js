// The test vector of the dice scheme, and every manipulation that a check must detect.

import assert from "node:assert/strict";
import test from "node:test";

import { checkMatch, loggedRolls, matchKey, roll } from "../../../static/js/dice/verify.js";
import { runDiceCheck } from "../../../static/js/dice/verify-button.js";
import { fromHex, sha256, toHex } from "../../../static/js/lib/sha256.js";

const SECRET = toHex(Uint8Array.from({ length: 32 }, (_, at) => at));
const WHITE = "00112233445566778899aabbccddeeff";
const BLACK = toHex(new TextEncoder().encode("привет"));
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const GAME_1 = [[1, 2], [2, 2], [5, 4], [2, 1], [6, 5], [1, 5], [3, 3], [4, 6]];
const GAME_2 = [[5, 4], [2, 6], [4, 2]];

async function exported() {
  const hashOf = async (side, hex) => ({ kind: "entropy_hash", side, hash: await sha256(fromHex(hex)) });
  return {
    id: "AbCdEf123456", variant: "short", rules: { variant: "short", parity: false, delay_ms: 20_000 },
    result: { winner: "white", cause: "resign_match", score: { white: 1, black: 0 } },
    actions: [
      { kind: "commit", hash: COMMITMENT },
      await hashOf("white", WHITE), await hashOf("black", BLACK),
      { kind: "entropy", side: "white", hex: WHITE }, { kind: "entropy", side: "black", hex: BLACK },
      { kind: "start", game: 1 }, { kind: "opening", white: 1, black: 2 },
      { kind: "roll", side: "black", d1: 2, d2: 2 }, { kind: "play", side: "black", text: "-" },
      { kind: "roll", side: "white", d1: 5, d2: 4 },
      { kind: "start", game: 2 }, { kind: "opening", white: 5, black: 4 },
      { kind: "resign_match", side: "black" }, { kind: "reveal", secret: SECRET },
    ],
    dice: { commitment: COMMITMENT, secret: SECRET, white_entropy: WHITE, black_entropy: BLACK },
  };
}

/** Replace the dice of all rolls by those that the secret and both entropies give. */
async function rollAgain(match) {
  const { secret, white_entropy, black_entropy } = match.dice;
  const bytes = [white_entropy, black_entropy].map((hex) => fromHex(hex ?? ""));
  const key = await matchKey(fromHex(secret), match.id, ...bytes);
  let [game, number] = [0, 0];
  for (const action of match.actions) {
    if (action.kind === "start") [game, number] = [action.game, 0];
    if (action.kind === "opening") [action.white, action.black] = await roll(key, game, (number += 1));
    if (action.kind === "roll") [action.d1, action.d2] = await roll(key, game, (number += 1));
  }
}

test("the vector's commitment, key and rolls are correct", async () => {
  assert.equal(await sha256(fromHex(SECRET)), COMMITMENT);
  const key = await matchKey(fromHex(SECRET), "AbCdEf123456", fromHex(WHITE), fromHex(BLACK));
  assert.equal(toHex(key), "84de1d640ea4915c28f50a0e03637e0e7912c2bea1484e3eec8dc363cef66a40");
  for (const [at, dice] of GAME_1.entries()) assert.deepEqual(await roll(key, 1, at + 1), dice);
  for (const [at, dice] of GAME_2.entries()) assert.deepEqual(await roll(key, 2, at + 1), dice);
});

test("repeated opening rolls count, and the rolls of each game are counted from one", async () => {
  assert.deepEqual(loggedRolls((await exported()).actions).map(({ game, number }) => [game, number]),
    [[1, 1], [1, 2], [1, 3], [2, 1]]);
  const repeated = [
    { kind: "start", game: 1 }, { kind: "opening", white: 4, black: 4 }, { kind: "opening", white: 5, black: 2 },
    { kind: "roll", side: "white", d1: 6, d2: 1 },
  ];
  assert.deepEqual(loggedRolls(repeated).map(({ number, dice }) => [number, ...dice]), [[1, 4, 4], [2, 5, 2], [3, 6, 1]]);
});

test("an unchanged match passes", async () => {
  assert.deepEqual(await checkMatch(await exported()), { ok: true, rolls: 4, fault: null });
});

test("a match whose secret is lost is reported as impossible to check", async () => {
  const match = await exported();
  match.actions[match.actions.length - 1] = { kind: "secret_lost" };
  match.dice = { ...match.dice, secret: null, lost: true };
  assert.equal((await checkMatch(match)).fault, "lost");
});

test("a file that claims a lost secret against its own log is detected", async () => {
  const match = await exported();
  match.dice = { ...match.dice, secret: null, lost: true };
  assert.equal((await checkMatch(match)).fault, "record");
});

test("a changed roll is detected and named", async () => {
  const match = await exported();
  match.actions[9].d1 = 6;
  const { ok, fault, game, number } = await checkMatch(match);
  assert.deepEqual([ok, fault, game, number], [false, "roll", 1, 3]);
});

test("a secret that differs from the committed one is detected", async () => {
  const match = await exported();
  match.dice.secret = "00".repeat(32);
  assert.equal((await checkMatch(match)).fault, "commitment");
  match.actions.at(-1).secret = match.dice.secret;
  await rollAgain(match);
  assert.equal((await checkMatch(match)).fault, "commitment");
});

test("a whole match forged from another secret is detected by a page that knows the commitment", async () => {
  const match = await exported();
  match.dice.secret = match.actions.at(-1).secret = "00".repeat(32);
  match.dice.commitment = match.actions[0].hash = await sha256(fromHex(match.dice.secret));
  await rollAgain(match);
  assert.equal((await checkMatch(match)).ok, true);
  assert.equal((await checkMatch(match, { commitment: COMMITMENT })).fault, "record");
});

test("entropy without a matching hash is detected", async () => {
  const match = await exported();
  match.dice.white_entropy = match.actions[3].hex = "ff".repeat(16);
  assert.equal((await checkMatch(match)).fault, "entropy");
});

test("of several hashes of a side, the last before any entropy counts", async () => {
  const match = await exported();
  const another = { kind: "entropy_hash", side: "white", hash: await sha256(fromHex("ff")) };
  match.actions.splice(1, 0, another);
  assert.equal((await checkMatch(match)).ok, true);
  match.actions.splice(1, 1);
  match.actions.splice(3, 0, another);
  assert.equal((await checkMatch(match)).fault, "entropy");
});

test("a hash that a side sent after the other's entropy does not count", async () => {
  const match = await exported();
  const [late] = match.actions.splice(1, 1);
  match.actions.splice(3, 0, late); // after White's entropy
  assert.equal((await checkMatch(match)).fault, "entropy");
  [match.actions[2], match.actions[3], match.actions[4]] = [match.actions[4], match.actions[3], match.actions[2]];
  assert.equal((await checkMatch(match)).fault, "entropy"); // Black's entropy first, then White's hash
});

test("entropy that was promised may be missing only before the first roll", async () => {
  const match = await exported();
  match.actions = match.actions.filter(({ kind }) => kind !== "entropy");
  match.dice.white_entropy = match.dice.black_entropy = null;
  await rollAgain(match);
  assert.equal((await checkMatch(match)).fault, "entropy");
  match.actions = match.actions.filter(({ kind }) => ["commit", "entropy_hash", "reveal"].includes(kind));
  assert.deepEqual(await checkMatch(match), { ok: true, rolls: 0, fault: null });
});

test("a bot's empty entropy needs no hash", async () => {
  const match = await exported();
  match.actions = match.actions.filter((action) => action.side !== "black" || !action.kind.startsWith("entropy"));
  match.dice.black_entropy = null;
  await rollAgain(match);
  assert.deepEqual(await checkMatch(match), { ok: true, rolls: 4, fault: null });
});

test("before the end there is nothing to check", async () => {
  const match = await exported();
  match.dice.secret = null;
  assert.equal((await checkMatch(match)).fault, "no_secret");
});

/** Yield the path of keys to each leaf of a value. */
function* leaves(value, path = []) {
  if (value === null || typeof value !== "object") yield path;
  else for (const key of Object.keys(value)) yield* leaves(value[key], [...path, key]);
}

function changed(value) {
  if (typeof value === "number") return (value % 6) + 1;
  if (typeof value === "boolean") return !value;
  return (value[0] === "0" ? "1" : "0") + value.slice(1);
}

/** Return a copy in which `change` has replaced the value at the path. */
function tampered(match, path, change) {
  const copy = structuredClone(match);
  const holder = path.slice(0, -1).reduce((value, key) => value[key], copy);
  holder[path.at(-1)] = change(holder[path.at(-1)]);
  return copy;
}

// The dice alone prove neither plays, sides, rules and result nor that the log of a game is
// complete after its last roll. The check compares these with what the page knows.
const NEEDS_THE_PAGE = /^(variant|rules|result)\b|^actions\.\d+\.(text|side)$|^actions\.(8|9|11|12)\.kind$/;

test("any change of the file is detected by a page that knows the match", async () => {
  const match = await exported();
  const { id, variant, rules, result, actions, dice: { commitment } } = match;
  const known = structuredClone({ id, variant, rules, result, actions, commitment });
  for (const path of leaves(match)) {
    for (const change of [changed, () => null]) {
      const file = tampered(match, path, change);
      assert.equal((await checkMatch(file, known)).ok, false, path.join("."));
      if (!NEEDS_THE_PAGE.test(path.join("."))) assert.equal((await checkMatch(file)).ok, false, `alone: ${path.join(".")}`);
    }
  }
  assert.equal((await checkMatch(match, known)).ok, true);
});

test("a missing action is detected", async () => {
  const match = await exported();
  const known = { actions: structuredClone(match.actions) };
  match.actions.splice(8, 1);
  assert.equal((await checkMatch(match, known)).fault, "record");
});

test("rules added by a newer version of the site do not fail an older match", async () => {
  const match = await exported();
  match.rules.newer = false;
  assert.equal((await checkMatch(match, { rules: { variant: "short", parity: false, delay_ms: 20_000 } })).ok, true);
});

test("a file that is not one of a match is refused, and the button can be pressed again", async () => {
  globalThis.gettext = (text) => text;
  const button = { disabled: false };
  const result = { dataset: { ok: "true" }, textContent: "" };
  for (const file of [{}, [], { actions: 1 }]) {
    globalThis.fetch = async () => ({ ok: true, json: async () => file });
    await runDiceCheck(button, result, "/match/AbCdEf123456/export.json", {});
    assert.equal(result.textContent, "The file does not match what this page knows about the match: it was changed, or it belongs to another match.");
    assert.deepEqual([button.disabled, result.dataset.ok], [false, "false"]);
  }
});
