// The names in a spectator's sentences are those of the strips.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (_, text) => text;
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
const { spectatorTextOf } = await import("../../../static/js/text/spectator-sentences.js");

const textOf = (white, black) => spectatorTextOf({ match: { kind: "training", seats: { white, black } }, you: { side: null } });

test("computers, guests and closed accounts have names in the sentences", () => {
  const bots = textOf({ kind: "bot", level: "club", name: "" }, { kind: "bot", level: "strong", name: "" });
  assert.equal(bots.rolled({ side: "white", d1: 3, d2: 1 }), "Mira · Club rolled 3-1.");
  assert.equal(bots.gameTitle({ winner: "black" }), "Timur · Strong won the game");
  assert.equal(bots.matchTitle({ winner: "white" }), "Mira · Club won the match");
  const people = textOf({ kind: "guest", name: "" }, { kind: "user", name: null });
  assert.equal(people.played("white", "bar/5"), "Guest played bar/5.");
  assert.equal(people.played("black", "bar/5"), "Closed account played bar/5.");
  assert.equal(textOf({ kind: "user", name: "anna" }, {}).played("white", "6/5"), "anna played 6/5.");
});
