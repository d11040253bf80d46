import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (context, text) => text;
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

const { Scenes } = await import("../../../static/js/play/scenes.js");

/** Return the dice on White's board after a state frame. */
function diceShown(view) {
  const shown = [];
  const board = { clearTrace() {}, setPosition() {}, setCube() {}, setDice: (dice) => shown.push(dice) };
  const whole = { white: [], black: [], cube: { value: 1, owner: null, offered: false }, ...view };
  new Scenes({ board, announcer: { clear() {} }, side: () => "white" }).showState(whole);
  return shown.at(-1);
}

test("the dice of a match that ends after a roll keep their side's color", () => {
  for (const phase of ["to_play", "finished"]) {
    assert.deepEqual(diceShown({ phase, turn: "white", dice: [2, 5] }),
      { own: [{ value: 5, side: "white", isUsed: false }, { value: 2, side: "white", isUsed: false }] }, phase);
  }
});

test("no dice are shown before the roll, or without a side on turn", () => {
  assert.deepEqual(diceShown({ phase: "finished", turn: null, dice: [2, 5] }), { enemy: [] });
  assert.deepEqual(diceShown({ phase: "to_roll", turn: "black", dice: null }), { enemy: [] });
});

/** Return the sentences that White hears about a play, and the pauses before the next event. */
async function said(action, { keepsNumbers = false, variant = "short" } = {}) {
  const heard = [];
  const pauses = [];
  const board = new Proxy({}, { get: () => () => {} });
  const counts = () => [0, ...Array(24).fill(1), 0];
  const view = { white: counts(), black: counts(), cube: { value: 1, owner: null, offered: false }, dice: [6, 1] };
  const scenes = new Scenes({
    board, announcer: { say: (text) => heard.push(text), clear() {} }, sounds: { play() {} },
    speed: () => ({ own: 0, other: 0, dice: 0, hold: 400 }), side: () => "white", variant,
    hasMoved: () => false, keepsNumbers: () => keepsNumbers, spectatorText: () => null, isOfTournament: () => false,
  });
  await scenes.play({ action, view, before: view }, async (ms) => pauses.push(ms), () => false);
  return { heard, pauses };
}

test("an opponent's move is named in the viewer's numbers, or in the opponent's by choice", async () => {
  const play = { kind: "play", side: "black", text: "13/7 8/7" };
  assert.deepEqual((await said(play)).heard, ["Your opponent played 12/18 17/18."]);
  assert.deepEqual((await said(play, { keepsNumbers: true })).heard, ["Your opponent played 13/7 8/7."]);
  assert.deepEqual((await said({ ...play, side: "white" })).heard, ["You played 13/7 8/7."]);
});

/** Return the dice that White sees as used when each of Black's moves begins. */
async function usedDice(text, dice) {
  const used = [];
  let shown = [];
  const board = new Proxy({}, {
    get: (_, name) => {
      if (name === "setDice") return ({ enemy }) => { shown = enemy; };
      return name === "moveChecker" ? () => used.push(shown.filter((die) => die.isUsed).map((die) => die.value)) : () => {};
    },
  });
  const counts = () => [0, ...Array(24).fill(4), 0];
  const view = { white: counts(), black: counts(), cube: { value: 1, owner: null, offered: false }, dice };
  const scenes = new Scenes({
    board, announcer: { say() {}, clear() {} }, sounds: { play() {} }, speed: () => ({ own: 0, other: 0, dice: 0, hold: 0 }),
    side: () => "white", variant: "long", hasMoved: () => false, keepsNumbers: () => false, spectatorText: () => null,
  });
  await scenes.play({ action: { kind: "play", side: "black", text }, view, before: view }, async () => {}, () => false);
  return used;
}

test("each move of the opponent marks its die as used, or one more die of a doublet", async () => {
  assert.deepEqual(await usedDice("13/7 8/7", [1, 6]), [[6], [6, 1]]);
  assert.deepEqual(await usedDice("8/7 13/7", [1, 6]), [[1], [6, 1]]);
  assert.deepEqual(await usedDice("24/21 24/21 8/5 8/5", [3, 3]), [[3], [3, 3], [3, 3, 3], [3, 3, 3, 3]]);
  assert.deepEqual(await usedDice("4/off 5/off", [6, 5]), [[5], [6, 5]]); // a move uses the smallest die that is enough
});

test("the player's own pass is shown for at least a second", async () => {
  const { heard, pauses } = await said({ kind: "play", side: "white", text: "-" });
  assert.match(heard[0], /^You have no legal move/);
  assert.ok(Math.max(...pauses) >= 1000);
});

/** Return the celebrations at the end of a game: the side, and whether they are animated. */
async function celebrated(before, after, { own = 180, spectator = null } = {}) {
  const shown = [];
  const board = new Proxy({}, { get: (_, name) => (name === "celebrate" ? (side, ms) => shown.push([side, ms > 0]) : () => {}) });
  const counts = () => [0, ...Array(24).fill(1), 0];
  const view = (score) => ({ white: counts(), black: counts(), cube: { value: 1, owner: null, offered: false }, score });
  const scenes = new Scenes({
    board, announcer: { say() {}, clear() {} }, sounds: { play() {} }, speed: () => ({ own, other: 0, dice: 0, hold: 0 }),
    side: () => "white", variant: "short", hasMoved: () => false, keepsNumbers: () => false, spectatorText: () => spectator, isOfTournament: () => false,
  });
  await scenes.play({ action: { kind: "next" }, view: view(after), before: view(before) }, async () => {}, () => false);
  return shown;
}

test("a game that the viewer has won is celebrated, a lost one and a running one are not", async () => {
  const [start, afterWin, afterLoss] = [{ white: 0, black: 0 }, { white: 2, black: 0 }, { white: 0, black: 1 }];
  assert.deepEqual(await celebrated(start, afterWin), [["white", true]]);
  assert.deepEqual(await celebrated(start, afterLoss), []);
  assert.deepEqual(await celebrated(afterWin, afterWin), []);
  assert.deepEqual(await celebrated(start, afterWin, { own: 0 }), [["white", false]]); // without movement nothing is drawn
});

test("spectators see every won game celebrated", async () => {
  const spectator = new Proxy({}, { get: () => () => "" });
  assert.deepEqual(await celebrated({ white: 0, black: 0 }, { white: 0, black: 1 }, { spectator }), [["black", true]]);
});
