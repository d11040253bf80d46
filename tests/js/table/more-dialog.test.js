// The questions before leaving a table and giving up its match; the factors of a resignation.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;

const { factorsToOffer, factorsToShow, giveUpQuestion, leaveQuestion } = await import("../../../static/js/table/more-dialog.js");

const table = ({ losesMatch = false, losesStake = false, isBeforeRoll = false, isOver = false } = {}) => ({
  losesMatch: () => losesMatch, losesStake: () => losesStake, isBeforeRoll: () => isBeforeRoll, isOver: () => isOver,
});
const STAKED = { losesMatch: true, losesStake: true };

test("a match against the computer waits under Training", () => {
  assert.match(leaveQuestion(table()), /The match waits for you: you can find it under Training/);
});

test("a match between people goes on in the window that plays it", () => {
  assert.match(leaveQuestion(table(STAKED)), /The match goes on in your other window\.$/);
});

test("after the match leaving asks nothing", () => {
  assert.equal(leaveQuestion(table({ ...STAKED, isOver: true })), "");
  assert.equal(leaveQuestion(table({ isOver: true })), "");
});

test("giving up says that the opponent wins, and what becomes of the stake", () => {
  assert.match(giveUpQuestion(table({ losesMatch: true })), /Your opponent wins it\.$/);
  assert.match(giveUpQuestion(table(STAKED)), /Your opponent wins it, and you lose your stake\.$/);
  assert.match(giveUpQuestion(table({ ...STAKED, isBeforeRoll: true })), /called off, both stakes are returned/);
  assert.match(giveUpQuestion(table({ losesMatch: true, isBeforeRoll: true })), /so it is called off\.$/);
});

const viewOf = (length, blackScore = 0, cubeValue = 1) => ({
  length, score: { white: 0, black: blackScore }, cube: { value: cubeValue },
});

test("a resignation is offered up to the first factor that loses the match", () => {
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(1), "white"), [1]);
  assert.deepEqual(factorsToOffer([2, 3], viewOf(1), "white"), [2]);
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(7, 5), "white"), [1, 2]);
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(5, 1, 2), "white"), [1, 2]);
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(5, 4), "black"), [1, 2, 3]);
});

test("every factor is offered without a match length", () => {
  assert.deepEqual(factorsToOffer([1, 2, 3], viewOf(null), "white"), [1, 2, 3]);
});

const LONG = { mars: true, koks: false, jacoby: false };
const viewWith = (cube, blackScore) => ({ ...viewOf(7, blackScore), cube });

test("resignations that are not possible now keep their places", () => {
  const view = viewWith({ value: 1, owner: null });
  assert.deepEqual(factorsToShow([], LONG, view, "white"), [1, 2]);
  assert.deepEqual(factorsToShow([2], LONG, view, "white"), [1, 2]);
  assert.deepEqual(factorsToShow([1, 2, 3], { ...LONG, koks: true }, view, "white"), [1, 2, 3]);
  assert.deepEqual(factorsToShow([], { ...LONG, mars: false }, view, "white"), [1]);
});

test("the places of resignations follow the cube and the score", () => {
  const rules = { mars: true, koks: true, jacoby: true };
  assert.deepEqual(factorsToShow([], rules, viewWith({ value: 1, owner: null }), "white"), [1]);
  assert.deepEqual(factorsToShow([], rules, viewWith({ value: 2, owner: "black" }), "white"), [1, 2, 3]);
  assert.deepEqual(factorsToShow([], rules, viewWith({ value: 2, owner: "black" }, 4), "white"), [1, 2]);
});

test("a legal resignation is shown even if a lower, illegal one would lose the match", () => {
  const view = viewWith({ value: 1, owner: null }, 6);
  assert.deepEqual(factorsToShow([2], LONG, view, "white"), [1, 2]);
});
