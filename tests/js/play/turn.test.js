// A turn by taps: one tap plays the underlined die. Includes the mis-taps that must do nothing.

import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { GRAPH, hex } from "../graph.js";

globalThis.gettext = (text) => text;
globalThis.interpolate = (text) => text;

const { parseGraph } = await import("../../../static/js/board/plays.js");
const { TurnInProgress } = await import("../../../static/js/play/turn.js");
const { AutoPlay } = await import("../../../static/js/play/auto-play.js");
const { Settings } = await import("../../../static/js/play/settings.js");

// White's 3-1 with checkers on 2 and 1: the 3 bears off the checker on 2, then the 1 the checker on 1.
const OFF_GRAPH = { nodes: [hex({ 2: 1, 1: 1 }), hex({ 1: 1 }), hex({})], edges: [[[2, 0, 3, 0, 1]], [[1, 0, 1, 0, 2]], []], finals: [2] };

// White's 3-1 hits a blot on 10, which is Black's 15: 13/10*.
const HIT_GRAPH = {
  nodes: [withBlot({ 13: 1 }, 15, 0), withBlot({ 10: 1 }, 0, 1)], edges: [[[13, 10, 3, 1, 1]], []], finals: [1],
};

/**
 * Hex of a position of short backgammon: White's points, and one black checker on its point or on
 * the bar.
 */
function withBlot(points, blackPoint, blackBar) {
  const digits = (counts) => Array.from({ length: 24 }, (_, at) => (counts[at + 1] ?? 0).toString(16)).join("");
  return `${digits(points)}${digits({ [blackPoint]: 1 })}0${blackBar}ee`;
}

function begin({ choices = {}, graph = GRAPH } = {}) {
  const settings = new Settings(null);
  for (const [name, value] of Object.entries(choices)) settings.set(name, value);
  const refused = [];
  const turn = new TurnInProgress({
    board: { setPosition() {} }, settings, ms: () => 0, onChange() {}, onMoved() {},
    onRefused: (...places) => refused.push(places),
  });
  turn.begin(parseGraph(graph), [1, 3], "white");
  return { turn, refused, settings };
}

/** Press and release on one place, as Input does. */
function tap(turn, place, isTwice = false, isByPointer = true) {
  turn.press(place);
  turn.tap(place, isTwice, isByPointer);
}

function hold(turn, place) {
  turn.press(place);
  return turn.hold(place);
}

test("each tap plays the underlined die: two taps are a turn", () => {
  const { turn } = begin();
  assert.deepEqual(turn.dice.map((die) => die.isNext), [true, false]);
  tap(turn, 13);
  assert.equal(turn.text, "13/10");
  assert.deepEqual(turn.dice.map((die) => die.isNext), [false, true]);
  tap(turn, 6);
  assert.equal(turn.text, "13/10 6/5");
  assert.ok(turn.isComplete);
});

test("swapped dice are played in the new order; after a move they cannot be swapped", () => {
  const { turn } = begin();
  turn.swap();
  tap(turn, 13);
  assert.equal(turn.text, "13/12");
  turn.swap();
  assert.deepEqual(turn.dice.map((die) => die.value), [1, 3]);
});

test("a checker that cannot play the underlined die plays the other", () => {
  const { turn } = begin();
  tap(turn, 6);
  assert.equal(turn.text, "6/5");
});

test("one undo takes back one tap, until nothing is played", () => {
  const { turn } = begin();
  tap(turn, 13);
  tap(turn, 6);
  turn.undo();
  assert.equal(turn.text, "13/10");
  turn.undo();
  assert.ok(!turn.canUndo);
});

test("undo brings back a checker that was hit, and one that was borne off", () => {
  const hitting = begin({ graph: HIT_GRAPH }).turn;
  tap(hitting, 13);
  assert.deepEqual([hitting.position.black[25], hitting.position.black[15]], [1, 0]);
  hitting.undo();
  assert.deepEqual([hitting.position.black[25], hitting.position.black[15]], [0, 1]);
  const bearingOff = begin({ graph: OFF_GRAPH }).turn;
  tap(bearingOff, 2);
  assert.deepEqual([bearingOff.position.white[0], bearingOff.position.white[2]], [14, 0]);
  bearingOff.undo();
  assert.deepEqual([bearingOff.position.white[0], bearingOff.position.white[2]], [13, 1]);
});

test("a tap on an opponent's checker does nothing unless a checker is picked up", () => {
  const { turn, refused } = begin({ graph: HIT_GRAPH });
  tap(turn, 10);
  assert.deepEqual([turn.text, turn.selected, refused], ["-", null, []]);
  hold(turn, 13);
  tap(turn, 10);
  assert.equal(turn.text, "13/10*");
});

test("without a turn nothing can be dragged or picked up", () => {
  const { turn } = begin();
  turn.end();
  assert.ok(!turn.isActive);
  assert.deepEqual([turn.press(13), turn.hold(13), turn.selected], [false, false, null]);
});

test("a long press picks a checker up; the next tap says where it goes", () => {
  const { turn } = begin();
  assert.ok(hold(turn, 13));
  assert.equal(turn.selected, 13);
  assert.deepEqual([...turn.targets.keys()].sort((a, b) => a - b), [9, 10, 12]);
  tap(turn, 12);
  assert.equal(turn.text, "13/12");
});

test("while a checker is picked up, a tap on another picks that one up instead", () => {
  const { turn } = begin();
  hold(turn, 13);
  tap(turn, 6);
  assert.deepEqual([turn.text, turn.selected], ["-", 6]);
  tap(turn, 6);
  assert.deepEqual([turn.text, turn.selected], ["-", null], "a second tap puts it back");
});

test("a press that becomes scrolling does not change which checker is picked up", () => {
  const drag = (turn, place) => {
    turn.press(place);
    turn.select(place);
  };
  const { turn } = begin();
  drag(turn, 13);
  turn.abandon(13);
  tap(turn, 12);
  assert.deepEqual([turn.text, turn.selected], ["-", null]);
  hold(turn, 13);
  drag(turn, 6);
  turn.abandon(6);
  assert.equal(turn.selected, 13);
  drag(turn, 6);
  turn.end(); // by the opponent's resignation
  turn.abandon(6);
  assert.equal(turn.selected, null);
  const picking = begin({ choices: { tap: "select" } }).turn;
  picking.press(13);
  picking.abandon(13);
  assert.equal(picking.selected, null);
});

test("a tap on an empty point does nothing unless a checker is picked up", () => {
  const { turn, refused } = begin();
  tap(turn, 20);
  assert.deepEqual(refused, []);
  hold(turn, 13);
  tap(turn, 20);
  assert.deepEqual(refused, [[13, 20]]);
});

test("a tap on a checker that cannot move is explained", () => {
  const { turn, refused } = begin();
  tap(turn, 13);
  tap(turn, 10);
  tap(turn, 9);
  assert.deepEqual([turn.text, refused], ["13/10 10/9", [[9, null]]]);
});

test("a checker dragged and dropped where it was, or beside the board, is not played", () => {
  const { turn, refused } = begin();
  for (const place of [13, null]) {
    turn.press(13);
    turn.select(13);
    turn.drop(13, place);
    assert.deepEqual([turn.text, turn.selected, refused.length], ["-", null, 0]);
  }
  turn.drop(13, 20);
  assert.deepEqual([turn.text, turn.selected, refused], ["-", null, [[13, 20]]]);
});

test("where only dragging bears off, a tap that would bear off picks the checker up", () => {
  const { turn } = begin({ graph: OFF_GRAPH, choices: { bearOff: "drag" } });
  tap(turn, 2);
  assert.deepEqual([turn.text, turn.selected], ["-", 2]);
  tap(turn, 0);
  assert.equal(turn.text, "2/off");
  const usual = begin({ graph: OFF_GRAPH }).turn;
  tap(usual, 2);
  assert.equal(usual.text, "2/off");
});

test("double clicks act only where a tap picks a checker up", () => {
  const quick = begin({ choices: { doubleClick: "smaller" } }).turn;
  tap(quick, 13, true);
  assert.equal(quick.text, "13/10");
  const choosing = begin({ choices: { doubleClick: "smaller", tap: "select" } }).turn;
  tap(choosing, 13);
  tap(choosing, 13, true);
  assert.equal(choosing.text, "13/12");
});

test("if a tap only selects, the first tap picks a checker up and the second one moves it", () => {
  const { turn } = begin({ choices: { tap: "select" } });
  tap(turn, 13);
  assert.deepEqual([turn.text, turn.selected], ["-", 13]);
  assert.ok(!hold(turn, 13), "a long press is a tap");
  tap(turn, 9);
  assert.equal(turn.text, "13/10 10/9");
});

// --- The end of the turn ---------------------------------------------------------------------------

/** Play a whole turn by taps, then wait; return the number of times it was ended. */
function played({ choices = {}, isByPointer = true, isStaked = false, isHeldUp = () => false, meanwhile = () => {} } = {}, ms = 2000) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { turn, settings } = begin({ choices });
  let ended = 0;
  const auto = new AutoPlay({
    turn, settings, announcer: { say() {} }, seq: () => 7, may: () => ({ play: true }),
    roll: () => assert.fail("rolled"), done: () => { ended += 1; }, isStaked: () => isStaked, isHeldUp, changed() {},
  });
  auto.update();
  for (const place of [13, 6]) {
    tap(turn, place, false, isByPointer);
    auto.update();
  }
  meanwhile({ turn, auto });
  mock.timers.tick(ms);
  mock.timers.reset();
  return ended;
}

test("a turn played by taps ends after two seconds, and not before", () => {
  assert.equal(played(), 1);
  assert.equal(played({}, 1999), 0);
});

test("a turn ends automatically only as the setting allows: by default after taps, without a stake or an undo", () => {
  assert.equal(played({ isStaked: true }), 0);
  assert.equal(played({ isByPointer: false }), 0);
  assert.equal(played({ choices: { endOfTurn: "forced" } }), 0);
  assert.equal(played({ choices: { endOfTurn: "confirm" } }), 0);
  assert.equal(played({ choices: { endOfTurn: "timed" }, isStaked: true }), 1, "chosen for every match");
  const undone = ({ turn, auto }) => {
    turn.undo();
    auto.update();
    tap(turn, 6);
    auto.update();
  };
  assert.equal(played({ meanwhile: undone }), 0);
});

test("the page is drawn again when an undo cancels the automatic end of the turn", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { turn, settings } = begin();
  const drawn = [];
  const auto = new AutoPlay({
    turn, settings, announcer: { say() {} }, seq: () => 7, may: () => ({ play: true }), roll() {},
    done: () => assert.fail("ended"), isStaked: () => false, isHeldUp: () => false, changed: () => drawn.push(auto.pending),
  });
  auto.update();
  for (const place of [13, 6]) {
    tap(turn, place, false, true);
    auto.update();
  }
  turn.undo();
  auto.update();
  assert.deepEqual(drawn, ["end", null]);
  mock.timers.reset();
});

test("a turn does not end while its player is in a dialog", () => {
  let isOpen = true;
  assert.equal(played({ isHeldUp: () => isOpen }, 5000), 0);
  assert.equal(played({ isHeldUp: () => isOpen, meanwhile: () => { isOpen = false; } }), 1);
});

/** Begin a turn with one legal play; collect what is announced (`heard`) and count the ends. */
function beginForced() {
  const only = { nodes: [hex({ 13: 1 }), hex({ 12: 1 })], edges: [[[13, 12, 1, 0, 1]], []], finals: [1] };
  const { turn, settings } = begin({ graph: only });
  const did = { turn, graph: only, heard: [], ended: 0 };
  did.auto = new AutoPlay({
    turn, settings, announcer: { say: (text) => did.heard.push(text) }, seq: () => 7, may: () => ({ play: true }),
    roll() {}, done: () => { did.ended += 1; }, isStaked: () => true, isHeldUp: () => false, changed() {},
  });
  did.auto.update();
  return did;
}

test("a forced turn is announced and shown for a second before it ends", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const did = beginForced();
  assert.match(did.heard[0], /^You rolled .+\. The only legal play/);
  assert.equal(did.auto.pending, "forced");
  mock.timers.tick(1000);
  assert.equal(did.ended, 0);
  mock.timers.tick(200);
  assert.equal(did.ended, 1);
  mock.timers.reset();
});

test("a forced turn still ends by itself when a new state arrives before", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const did = beginForced();
  mock.timers.tick(1000);
  did.auto.update();
  assert.equal(did.auto.pending, "forced");
  mock.timers.tick(1200);
  assert.equal(did.ended, 1);
  did.auto.update();
  assert.equal(did.auto.pending, null, "after a refusal the player ends it");
  mock.timers.reset();
});

test("a forced turn that begins again on the same dice is played again", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const did = beginForced();
  did.turn.end();
  did.turn.begin(parseGraph(did.graph), [1, 3], "white");
  did.auto.update();
  assert.equal(did.auto.pending, "forced");
  did.turn.undo();
  did.auto.update();
  assert.equal(did.auto.pending, null);
  mock.timers.reset();
});

// --- Automatic rolls -------------------------------------------------------------------------------

test("an automatic roll is under way until the next step is prepared", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let may = { roll: true, double: false };
  const auto = new AutoPlay({
    turn: { isActive: false }, settings: new Settings(null), announcer: { say() {} }, seq: () => 7, may: () => may,
    roll: () => auto.stop(), done() {}, isStaked: () => false, isHeldUp: () => false, changed() {},
  });
  auto.update();
  assert.equal(auto.isRolling, false);
  mock.timers.tick(1000);
  assert.deepEqual([auto.pending, auto.isRolling], [null, true]);
  may = {};
  auto.update();
  assert.equal(auto.isRolling, false);
  mock.timers.reset();
});

/** Return the number of automatic rolls, and the automatic action that was pending before. */
function autoRolls(may, choices = {}) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const settings = new Settings(null);
  for (const [name, value] of Object.entries(choices)) settings.set(name, value);
  let count = 0;
  const auto = new AutoPlay({
    turn: { isActive: false }, settings, announcer: { say() {} }, seq: () => 7, may: () => may,
    roll: () => { count += 1; }, done: () => {}, isStaked: () => false, isHeldUp: () => false, changed() {},
  });
  auto.update();
  const { pending } = auto;
  mock.timers.tick(1000);
  mock.timers.reset();
  return [count, pending];
}

test("dice roll automatically where the cube cannot be offered, and nowhere else", () => {
  assert.deepEqual(autoRolls({ roll: true, double: false }), [1, "roll"]);
  assert.deepEqual(autoRolls({ roll: true, double: true }), [0, null]);
  assert.deepEqual(autoRolls({ roll: true, double: false }, { dice: "manual" }), [0, null]);
  assert.deepEqual(autoRolls({ roll: true, double: false, resume: true }), [0, null]);
});

test("a checker dropped after the turn has ended plays nothing", () => {
  const { turn, refused } = begin();
  turn.press(13);
  turn.select(13);
  turn.end();
  turn.drop(13, 10);
  assert.ok(!turn.isActive);
  assert.deepEqual(refused, []);
});
