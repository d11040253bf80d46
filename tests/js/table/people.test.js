// Absence, rematch and chat as the table shows them.

import assert from "node:assert/strict";
import test from "node:test";

import { ReadMark, isWanted } from "../../../static/js/table/chat.js";
import { awayLeft } from "../../../static/js/table/people.js";
import { rematchState } from "../../../static/js/table/rematch.js";

const away = { white: { is_absent: false, left_ms: 90_000 }, black: { is_absent: true, left_ms: 5_000 } };

test("a present side is not away, an absent side counts down to zero", () => {
  assert.equal(awayLeft(away, "white", 0), null);
  assert.equal(awayLeft(away, "black", 2_000), 3_000);
  assert.equal(awayLeft(away, "black", 9_000), 0);
  assert.equal(awayLeft(null, "black", 0), null);
});

test("a rematch is open, offered, asked, refused, over or made", () => {
  const open = { offered_by: null, refused: false, until: 100, match: null };
  assert.equal(rematchState(open, "white", 50), "open");
  assert.equal(rematchState({ ...open, offered_by: "white" }, "white", 50), "offered");
  assert.equal(rematchState({ ...open, offered_by: "black" }, "white", 50), "asked");
  assert.equal(rematchState({ ...open, refused: true }, "white", 50), "refused");
  assert.equal(rematchState(open, "white", 100), "over");
  assert.equal(rematchState({ ...open, match: "x" }, "white", 500), "made");
  assert.equal(rematchState(open, null, 50), "none");
  assert.equal(rematchState(null, "white", 50), "none");
});

test("a message is shown once, and never from a muted player", () => {
  const message = { id: 3, by: "black" };
  assert.ok(isWanted(message, new Set(), new Set()));
  assert.ok(!isWanted(message, new Set([3]), new Set()));
  assert.ok(!isWanted(message, new Set(), new Set(["black"])));
  const textMuted = new Set(["black"]);
  assert.ok(isWanted({ ...message, phrase: "hello" }, new Set(), new Set(), textMuted));
  assert.ok(!isWanted({ ...message, text: "hello" }, new Set(), new Set(), textMuted));
});

test("read messages stay read at their own table only", () => {
  const kept = new Map();
  const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const mark = new ReadMark(store, "one");
  assert.equal(mark.id, 0);
  mark.set(7);
  mark.set(5);
  assert.equal(new ReadMark(store, "one").id, 7);
  assert.equal(new ReadMark(store, "two").id, 0);
  assert.equal(new ReadMark(null, "one").id, 0);
  assert.equal(new ReadMark({ getItem: () => "not JSON" }, "one").id, 0);
});

test("a message lost on the way is unread even if a newer one was read on this page", () => {
  const kept = new Map();
  const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const mark = new ReadMark(store, "one");
  mark.set(7);
  assert.ok(!mark.covers(6));
  const reopened = new ReadMark(store, "one");
  assert.ok(reopened.covers(6));
  assert.ok(reopened.covers(7));
  assert.ok(!reopened.covers(8));
});
