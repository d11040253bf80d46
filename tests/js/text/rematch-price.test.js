// The price of a rematch, shown before a player offers it or agrees to it.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.gettext = (text) => text;
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
const { rematchPrice } = await import("../../../static/js/text/result-sentences.js");

test("a rematch for credits names the stake and the site fee", () => {
  assert.equal(rematchPrice({ stake: 100, rake: 10, payout: 190 }), "Stake: 100 · site fee: 10, from the winner");
});

test("a rematch without stakes has no price", () => {
  assert.equal(rematchPrice(null), "");
});
