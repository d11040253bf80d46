import assert from "node:assert/strict";
import test from "node:test";

import {
  awayOf, clockOf, cubeAt, cubeOnBoard, emptyModel, gameStartedAt, hasPremove, isMyTurn, isPlayer, isPremoveUseful, isReady, isToPlay,
  lacksHistory, mayPremove, reduce, turnsOf, withHistory,
} from "../../../static/js/play/model.js";

const VIEW = { phase: "to_play", to_act: "white", cube: { on: true, value: 1, owner: null, offered: false } };
const STATE = {
  t: "state", seq: 7, now: 500, you: { side: "white", holder: true }, match: { variant: "short" },
  view: VIEW, plays: { nodes: [], edges: [], finals: [] }, may: { play: true }, actions: [],
};

test("a state frame replaces the model", () => {
  const model = reduce(emptyModel(), STATE);
  assert.equal(model.seq, 7);
  assert.ok(isMyTurn(model) && isToPlay(model) && isPlayer(model));
});

test("an event updates the model and the log", () => {
  const roll = { kind: "roll", side: "black", d1: 3, d2: 1, at_ms: 600 };
  const model = reduce(reduce(emptyModel(), STATE), {
    t: "event", seq: 8, now: 600, action: roll, view: { ...VIEW, to_act: "black" }, plays: null, may: {},
  });
  assert.equal(model.seq, 8);
  assert.equal(isToPlay(model), false);
  assert.deepEqual(model.log, [roll]);
  assert.equal(model.match.variant, "short");
});

test("a seat held by another tab makes the page passive", () => {
  const model = reduce(reduce(emptyModel(), STATE), { t: "held" });
  assert.equal(isPlayer(model), false);
  assert.equal(isToPlay(model), false);
  assert.deepEqual(model.may, {});
});

test("missed actions are appended to the log", () => {
  const first = { kind: "start", game: 1, at_ms: 10 };
  const model = reduce(reduce(emptyModel(), { ...STATE, actions: [first] }), { ...STATE, seq: 9, actions: [{ kind: "take" }] });
  assert.deepEqual(model.log.map((action) => action.kind), ["start", "take"]);
  assert.equal(gameStartedAt(model.log), 10);
});

test("a state frame adds no action that an event delivered meanwhile", () => {
  const roll = { kind: "roll", side: "white", d1: 3, d2: 1, at_ms: 600 };
  const play = { kind: "play", side: "white", text: "8/5 6/5", at_ms: 900 };
  const updated = reduce(reduce(emptyModel(), STATE), { t: "event", seq: 8, now: 600, action: roll, view: VIEW, plays: null, may: {} });
  for (const [seq, actions] of [[8, [roll]], [9, [roll, play]]]) {
    assert.deepEqual(reduce(updated, { ...STATE, seq, actions }).log, [roll, play].slice(0, seq - 7));
  }
});

test("a state frame that skips actions up to another game leaves no move of the game before", () => {
  const view = { ...VIEW, game: 1 };
  const event = (seq, action) => ({ t: "event", seq, now: 600, action, view, plays: null, may: {} });
  const first = [{ kind: "start", game: 1 }, { kind: "play", side: "white", text: "8/5 6/5" }].reduce(
    (model, action) => reduce(model, event(model.seq + 1, action)), reduce(emptyModel(), STATE),
  );
  const after = (game) => reduce(first, { ...STATE, seq: 80, view: { ...VIEW, game } });
  assert.deepEqual(after(1).log.map((action) => action.kind), ["start", "play"]);
  const missed = [{ kind: "roll", side: "black", d1: 6, d2: 6 }].reduce((model, action) => reduce(model, event(model.seq + 1, action)), first);
  const later = reduce(
    reduce(missed, { ...STATE, seq: 80, view }), event(81, { kind: "play", side: "white", text: "8/4 6/4" }),
  );
  assert.deepEqual(turnsOf(later).at(-1).dice, null, "no dice of a roll before the gap");
  assert.deepEqual(after(2).log, []);
  assert.ok(lacksHistory(after(2)));
  assert.equal(gameStartedAt(after(2).log), null);
});

test("unknown frames change nothing", () => {
  const model = reduce(emptyModel(), STATE);
  assert.equal(reduce(model, { t: "weather" }), model);
});

test("the cube is at its owner, or in front of the side that must answer", () => {
  const cube = (given, toAct = "white") => cubeOnBoard({ ...VIEW, to_act: toAct, cube: { ...VIEW.cube, ...given } }, "white").where;
  assert.equal(cube({}), "center");
  assert.equal(cube({ owner: "white" }), "own");
  assert.equal(cube({ owner: "black" }), "enemy");
  assert.equal(cube({ offered: true }), "to_own");
  assert.equal(cube({ offered: true }, "black"), "to_enemy");
  assert.equal(cube({ on: false }), null);
  assert.equal(cubeOnBoard({ ...VIEW, crawford: true }, "white").where, null);
});

test("the move list has the running game only", () => {
  const log = [
    { kind: "start", game: 1 }, { kind: "opening", white: 6, black: 1 }, { kind: "play", side: "white", text: "13/7 8/7" },
    { kind: "start", game: 2 }, { kind: "opening", white: 3, black: 1 }, { kind: "play", side: "white", text: "8/5 6/5" },
    { kind: "roll", side: "black", d1: 6, d2: 6 }, { kind: "play", side: "black", text: "-", auto: true },
    { kind: "double", side: "white" },
  ];
  assert.deepEqual(turnsOf({ log, gap: 0 }).map((turn) => [turn.side, turn.dice ?? null, turn.text ?? turn.kind]), [
    ["white", [3, 1], "8/5 6/5"], ["black", [6, 6], "-"], ["white", null, "double"],
  ]);
});

test("a late page takes the history and keeps later events", () => {
  const late = reduce(reduce(emptyModel(), STATE), {
    t: "event", seq: 8, now: 600, action: { kind: "take" }, view: VIEW, plays: null, may: {},
  });
  assert.ok(lacksHistory(late));
  const history = Array.from({ length: 7 }, (_, at) => ({ kind: "roll", at_ms: at }));
  const known = withHistory(late, history);
  assert.equal(known.log.length, 8);
  assert.equal(known.log.at(-1).kind, "take");
  assert.equal(lacksHistory(known), false);
});

test("a history that is newer than the page keeps out what events still bring", () => {
  const late = { ...reduce(emptyModel(), STATE), seq: 3 };
  const history = Array.from({ length: 5 }, (_, at) => ({ kind: "roll", at_ms: at }));
  const known = [4, 5].reduce(
    (model, seq) => reduce(model, { t: "event", seq, now: 1, action: history[seq - 1], view: VIEW, plays: null, may: {} }),
    withHistory(late, history),
  );
  assert.deepEqual(known.log, history);
});

test("a history that leaves a gap is ignored", () => {
  const late = reduce(emptyModel(), STATE);
  assert.deepEqual(withHistory(late, [{ kind: "start" }]).log, []);
});

test("a side is ready when it has given its entropy, a bot always", () => {
  const seats = { white: { kind: "user" }, black: { kind: "user" } };
  const none = { hash: false, entropy: false };
  const seating = { ...VIEW, phase: "seating" };
  const waiting = reduce(emptyModel(), { ...STATE, match: { seats }, view: seating, seating: { white: none, black: none } });
  assert.equal(isReady(waiting, "white"), false);
  const given = ["entropy_hash", "entropy"].reduce(
    (model, kind) => reduce(model, { t: "event", seq: 8, now: 1, action: { kind, side: "white" }, view: seating, plays: null, may: {} }),
    waiting,
  );
  assert.equal(isReady(given, "white"), true);
  assert.equal(isReady(given, "black"), false);
  assert.equal(isReady({ ...given, match: { seats: { ...seats, black: { kind: "bot" } } } }, "black"), true);
  const begun = reduce(given, { t: "event", seq: 9, now: 1, action: { kind: "start" }, view: VIEW, plays: null, may: {} });
  assert.equal(isReady(begun, "white"), null);
  const between = { ...begun, view: { ...VIEW, phase: "between_games", ready: ["black"] } };
  assert.deepEqual(["white", "black"].map((side) => isReady(between, side)), [false, true]);
});

test("the points still needed are those to the length; a money session has none", () => {
  assert.equal(awayOf({ length: 5, score: { white: 3 } }, "white"), 2);
  assert.equal(awayOf({ length: 3, score: { white: 4 } }, "white"), 0);
  assert.equal(awayOf({ length: null, score: { white: 4 } }, "white"), null);
});

test("decisions in advance end with their game", () => {
  const game = { ...VIEW, game: 1 };
  const decided = reduce(reduce(emptyModel(), { ...STATE, view: game, premove: { roll: false, cube: null } }), {
    t: "premove", id: null, premove: { roll: true, cube: "take" },
  });
  const after = (view) => reduce(decided, { t: "event", seq: 8, now: 1, action: { kind: "play" }, view, plays: null, may: {} }).premove;
  assert.deepEqual(after(game), { roll: true, cube: "take" });
  assert.equal(after({ ...game, phase: "between_games" }), null);
  assert.deepEqual(after({ ...game, game: 2 }), { roll: false, cube: null });
});

const PREMOVE_MODEL = {
  you: { side: "white", holder: true }, premove: { roll: false, cube: null },
  match: { seats: { white: { kind: "user" }, black: { kind: "user" } } },
  view: { phase: "to_play", to_act: "black", cube: { on: true }, crawford: false },
};

test("only the page that holds the seat decides, and only during a game", () => {
  assert.ok(mayPremove(PREMOVE_MODEL));
  assert.ok(!mayPremove({ ...PREMOVE_MODEL, you: { side: "white", holder: false } }));
  assert.ok(!mayPremove({ ...PREMOVE_MODEL, premove: null }));
});

test("a premove is offered on a human opponent's turn if something can be decided", () => {
  const withView = (view) => ({ ...PREMOVE_MODEL, view: { ...PREMOVE_MODEL.view, ...view } });
  assert.ok(isPremoveUseful(PREMOVE_MODEL, false));
  assert.ok(!isPremoveUseful(withView({ to_act: "white" }), false));
  assert.ok(!isPremoveUseful(withView({ crawford: true }), false));
  assert.ok(isPremoveUseful(withView({ crawford: true }), true));
  const bot = { ...PREMOVE_MODEL, match: { seats: { ...PREMOVE_MODEL.match.seats, black: { kind: "bot" } } } };
  assert.ok(!isPremoveUseful(bot, true));
});

test("nothing is left to decide in advance without a cube if the dice roll by themselves", () => {
  const withoutCube = { ...PREMOVE_MODEL, view: { ...PREMOVE_MODEL.view, crawford: true } };
  assert.ok(hasPremove(PREMOVE_MODEL, false));
  assert.ok(hasPremove(withoutCube, true));
  assert.ok(!hasPremove(withoutCube, false));
  assert.ok(!hasPremove({ ...PREMOVE_MODEL, premove: null }, true));
});

test("the list of moves knows the cube at each offer to resign", () => {
  const kinds = ["resign", "refuse", "double", "take", "resign", "refuse", "double", "beaver", "take", "resign"];
  const turns = kinds.map((kind) => ({ kind }));
  assert.deepEqual([0, 4, 9].map((index) => cubeAt(turns, index, 8)), [1, 2, 8]);
  assert.equal(cubeAt([{ kind: "resign" }, { kind: "double" }, { kind: "beaver" }, { kind: "drop" }], 0, 2), 2);
});

test("the times of a finished match stop at its last action, however late the page reads them", () => {
  const running = reduce(emptyModel(), { ...STATE, seq: 1, actions: [{ kind: "start", game: 1, at_ms: 10 }] });
  assert.equal(clockOf(running, 700), 700);
  const last = { kind: "resign_match", side: "white", at_ms: 900 };
  const over = reduce(running, { ...STATE, seq: 2, now: 86_000, view: { ...VIEW, phase: "finished" }, actions: [last] });
  assert.equal(clockOf(over, 90_000), 900);
});
