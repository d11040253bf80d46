// The sentences for a void match: its reason, and the player who gave up.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.gettext = (text) => text;
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
const { calledOff, happened } = await import("../../../static/js/text/sentences.js");
const { matchTitle } = await import("../../../static/js/text/result-sentences.js");
const { SpectatorText } = await import("../../../static/js/text/spectator-sentences.js");

const left = { kind: "void", cause: "left", side: "black" };
const view = { cube: { value: 1 } };

test("each player reads who gave up before the first roll", () => {
  assert.match(happened(left, true, view), /^You gave up/);
  assert.match(happened(left, false, view), /^Your opponent gave up/);
});

test("a spectator reads the name of the player who gave up", () => {
  const text = new SpectatorText({ white: "anna", black: "boris" });
  assert.match(text.happened(left, view), /^boris gave up/);
  assert.equal(text.happened({ kind: "void", cause: "staff" }, view), null);
});

test("each other cause has its own sentence", () => {
  const texts = ["no_start", "outage", "staff", "no_dice", ""].map((cause) => calledOff({ cause }, false));
  assert.equal(new Set(texts).size, 5);
});

test("in a tournament the sentence says what happens next", () => {
  assert.match(calledOff({ cause: "left" }, true, true), /^You gave up .* by forfeit/);
  assert.match(happened(left, false, view, true), /you win by forfeit/);
  const again = ["outage", "no_dice"].map((cause) => calledOff({ cause }, false, true));
  for (const text of again) assert.match(text, /played again/);
  assert.match(calledOff({ cause: "no_start" }, false, true), /loses by forfeit/);
  assert.match(calledOff({ cause: "staff" }, false, true), /tournament/);
  const text = new SpectatorText({ white: "anna", black: "boris" }, true);
  assert.match(text.happened(left, view), /^boris gave up .* by forfeit/);
});

test("the title of a forfeited match says that it was not played, not that it was called off", () => {
  const outcome = { cause: "void", winner: null };
  assert.equal(matchTitle(outcome, "white"), "The match was called off");
  assert.equal(matchTitle(outcome, "white", true), "The match was not played");
});

test("the title of a match given up names its winner", () => {
  const outcome = { cause: "resign_match", winner: "black" };
  assert.equal(matchTitle(outcome, "white"), "Your opponent won the match");
  assert.equal(matchTitle(outcome, "black"), "You won the match");
});
