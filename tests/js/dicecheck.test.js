// The test vector of the dice scheme, and what a check must notice.

import assert from "node:assert/strict";
import test from "node:test";

import { checkMatch, fromHex, loggedRolls, matchKey, roll, sha256, toHex } from "../../static/js/dicecheck.js";

const SECRET = toHex(Uint8Array.from({ length: 32 }, (_, at) => at));
const WHITE = "00112233445566778899aabbccddeeff";
const BLACK = toHex(new TextEncoder().encode("привет"));
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const GAME_1 = [[1, 2], [2, 2], [5, 4], [2, 1], [6, 5], [1, 5], [3, 3], [4, 6]];
const GAME_2 = [[5, 4], [2, 6], [4, 2]];

async function exported() {
  const promise = async (side, hex) => ({ kind: "entropy_hash", side, hash: await sha256(fromHex(hex)) });
  return {
    id: "AbCdEf123456",
    actions: [
      { kind: "commit", hash: COMMITMENT },
      await promise("white", WHITE), await promise("black", BLACK),
      { kind: "entropy", side: "white", hex: WHITE }, { kind: "entropy", side: "black", hex: BLACK },
      { kind: "start", game: 1 }, { kind: "opening", white: 1, black: 2 },
      { kind: "roll", side: "black", d1: 2, d2: 2 }, { kind: "play", side: "black", text: "-" },
      { kind: "roll", side: "white", d1: 5, d2: 4 },
      { kind: "start", game: 2 }, { kind: "opening", white: 5, black: 4 },
    ],
    dice: { commitment: COMMITMENT, secret: SECRET, white_entropy: WHITE, black_entropy: BLACK },
  };
}

test("the vector's seal, key and rolls hold", async () => {
  assert.equal(await sha256(fromHex(SECRET)), COMMITMENT);
  const key = await matchKey(fromHex(SECRET), "AbCdEf123456", fromHex(WHITE), fromHex(BLACK));
  assert.equal(toHex(key), "84de1d640ea4915c28f50a0e03637e0e7912c2bea1484e3eec8dc363cef66a40");
  for (const [at, dice] of GAME_1.entries()) assert.deepEqual(await roll(key, 1, at + 1), dice);
  for (const [at, dice] of GAME_2.entries()) assert.deepEqual(await roll(key, 2, at + 1), dice);
});

test("opening tries count as rolls and every game counts from one", async () => {
  assert.deepEqual(loggedRolls((await exported()).actions).map(({ game, number }) => [game, number]),
    [[1, 1], [1, 2], [1, 3], [2, 1]]);
});

test("an honest match passes", async () => {
  assert.deepEqual(await checkMatch(await exported()), { ok: true, rolls: 4, fault: null });
});

test("a changed roll is found and named", async () => {
  const match = await exported();
  match.actions[9].d1 = 6;
  const { ok, fault, game, number } = await checkMatch(match);
  assert.deepEqual([ok, fault, game, number], [false, "roll", 1, 3]);
});

test("another secret than the promised one is found", async () => {
  const match = await exported();
  match.dice.secret = "00".repeat(32);
  assert.equal((await checkMatch(match)).fault, "commitment");
});

test("entropy that was not promised is found", async () => {
  const match = await exported();
  match.dice.white_entropy = match.actions[3].hex = "ff".repeat(16);
  assert.equal((await checkMatch(match)).fault, "entropy");
});

test("a bot's empty entropy needs no promise", async () => {
  const match = await exported();
  match.actions = match.actions.filter((action) => action.side !== "black" || !action.kind.startsWith("entropy"));
  match.dice.black_entropy = null;
  const { fault } = await checkMatch(match);
  assert.notEqual(fault, "entropy");
});

test("before the end there is nothing to check", async () => {
  const match = await exported();
  match.dice.secret = null;
  assert.equal((await checkMatch(match)).fault, "no_secret");
});
