import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (_context, text) => text;
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);

const { happened } = await import("../../../static/js/text/sentences.js");
const { SpectatorText } = await import("../../../static/js/text/spectator-sentences.js");

const offer = (factor) => ({ kind: "resign", side: "white", factor });
const view = (value) => ({ cube: { value } });

test("an offer to resign names the points that the game would cost", () => {
  assert.equal(happened(offer(1), false, view(1)), "Your opponent offers to resign for 1 point.");
  assert.equal(happened(offer(2), true, view(4)), "You offered to resign for 8 points.");
  const text = new SpectatorText({ white: "Anna", black: "Boris" });
  assert.equal(text.happened(offer(3), view(2)), "Anna offers to resign for 6 points.");
});
