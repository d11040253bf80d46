// A turn as a walk through the server's graph of legal plays.

import assert from "node:assert/strict";
import test from "node:test";

import {
  deadDice, diceUsed, forcedBearOff, forcedRest, hasChoice, isComplete, movable, moveByDie, moveByOrder, nextDie,
  moveChecker, playAll, playWritten, positionOf, parseGraph, startTurn, swapDice, targets, textOf, undo,
} from "../../../static/js/board/plays.js";
import { GRAPH, hex } from "../graph.js";

const fresh = (dice = [1, 3]) => startTurn(parseGraph(GRAPH), dice);

test("the larger die comes first and a doublet has four", () => {
  assert.deepEqual(fresh().dice, [3, 1]);
  assert.deepEqual(fresh([2, 2]).dice, [2, 2, 2, 2]);
});

test("dice that no legal play uses are dead, also the rest of a doublet", () => {
  const only = { nodes: [hex({ 13: 1 }), hex({ 12: 1 })], edges: [[[13, 12, 1, 0, 1]], []], finals: [1] };
  const walk = (dice) => startTurn(parseGraph(only), dice);
  assert.deepEqual(deadDice(fresh()), []);
  assert.deepEqual(deadDice(walk([6, 1])), [6]);
  assert.deepEqual(deadDice(moveChecker(walk([6, 1]), 13, 12)), [6]);
  assert.deepEqual(deadDice(walk([1, 1])), [1, 1, 1]);
  assert.deepEqual(deadDice(moveChecker(fresh(), 6, 5)), []);
});

test("movable points are those with an edge", () => {
  assert.deepEqual([...movable(fresh())].sort((a, b) => a - b), [6, 13]);
});

test("targets include one checker's move with both dice, first die first", () => {
  const found = targets(fresh(), 13);
  assert.deepEqual([...found.keys()].sort((a, b) => a - b), [9, 10, 12]);
  assert.deepEqual(found.get(9).map((move) => move.die), [3, 1]);
  assert.deepEqual(targets(swapDice(fresh()), 13).get(9).map((move) => move.die), [1, 3]);
});

test("a target of one die is never reached with two", () => {
  assert.equal(targets(fresh(), 13).get(10).length, 1);
});

test("a checker's move with two dice is undone as one", () => {
  const moved = moveChecker(fresh(), 13, 9);
  assert.equal(textOf(moved), "13/10 10/9");
  assert.ok(isComplete(moved));
  assert.equal(textOf(undo(moved)), "-");
});

test("separate checkers are undone one by one", () => {
  const moved = moveChecker(moveChecker(fresh(), 6, 5), 13, 10);
  assert.equal(textOf(moved), "6/5 13/10");
  assert.equal(textOf(undo(moved)), "6/5");
  assert.equal(textOf(undo(undo(undo(moved)))), "-");
});

test("a move without an edge is not made", () => {
  assert.equal(moveChecker(fresh(), 13, 8), null);
  assert.equal(moveByDie(fresh(), 6, 3), null);
});

test("a tap plays the first die that can be played", () => {
  assert.equal(textOf(moveByOrder(fresh(), 13)), "13/10");
  assert.equal(textOf(moveByOrder(swapDice(fresh()), 13)), "13/12");
  assert.equal(textOf(moveByOrder(fresh(), 6)), "6/5");
});

test("used dice are marked", () => {
  assert.deepEqual(diceUsed(moveChecker(fresh(), 6, 5)), [false, true]);
  const doublet = { ...fresh([2, 2]), steps: [{ moves: [{ die: 2 }, { die: 2 }], node: 0 }] };
  assert.deepEqual(diceUsed(doublet), [true, true, false, false]);
});

test("the dice cannot be swapped after a move", () => {
  const moved = moveChecker(fresh(), 6, 5);
  assert.deepEqual(swapDice(moved).dice, moved.dice);
});

test("a turn with a choice is not forced, but its rest may be", () => {
  assert.equal(forcedRest(fresh()), null);
  const rest = forcedRest(moveChecker(fresh(), 13, 12));
  assert.deepEqual(rest.map((move) => move.target), [9]);
});

test("paths to one final position are no choice", () => {
  const graph = parseGraph({
    nodes: [hex({ 2: 1, 1: 1 }), hex({ 1: 1 }), hex({ 2: 1 }), hex({})],
    edges: [[[2, 0, 6, 0, 1], [1, 0, 5, 0, 2]], [[1, 0, 5, 0, 3]], [[2, 0, 6, 0, 3]], []],
    finals: [3],
  });
  const turn = startTurn(graph, [6, 5]);
  assert.equal(forcedBearOff(turn, "white").length, 2);
  assert.ok(isComplete(playAll(turn, forcedRest(turn))));
});

test("no bear-off is forced while a checker is not home", () => {
  const graph = parseGraph({
    nodes: [hex({ 7: 1, 1: 1 }), hex({ 4: 1, 1: 1 })],
    edges: [[[7, 4, 3, 0, 1]], []],
    finals: [1],
  });
  assert.equal(forcedBearOff(startTurn(graph, [3, 1]), "white"), null);
  assert.equal(forcedRest(startTurn(graph, [3, 1])).length, 1);
});

test("typed moves are played in order and the first impossible one is returned", () => {
  const done = playWritten(fresh(), [{ source: 13, target: 9 }]);
  assert.equal(done.refused, null);
  assert.ok(isComplete(done.turn));
  const stopped = playWritten(fresh(), [{ source: 6, target: 5 }, { source: 6, target: 3 }]);
  assert.deepEqual(stopped.refused, { source: 6, target: 3 });
  assert.equal(textOf(stopped.turn), "6/5");
});

test("the next die is the first unused one that can be played", () => {
  assert.equal(nextDie(fresh()), 0);
  assert.equal(nextDie(swapDice(fresh())), 0);
  assert.equal(nextDie(moveByDie(fresh(), 13, 3)), 1);
  assert.equal(nextDie(moveByDie(fresh(), 13, 1)), 0);
  assert.equal(nextDie(moveChecker(fresh(), 13, 9)), -1);
});

test("the position is that of the reached node", () => {
  assert.equal(positionOf(moveChecker(fresh(), 13, 9)).white[9], 1);
});

test("a turn has a choice if it can end in more than one position", () => {
  assert.ok(hasChoice(parseGraph(GRAPH)));
  assert.ok(!hasChoice({ ...parseGraph(GRAPH), finals: new Set([4]) }));
});
