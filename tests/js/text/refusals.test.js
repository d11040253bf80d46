// Each refusal that a person can cause has a sentence.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

globalThis.gettext = (text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (text) => text;
const { errorText } = await import("../../../static/js/text/refusals.js");
const { rematchRefusal } = await import("../../../static/js/table/rematch.js");

// Codes without a sentence: no person causes them, or their `reason` has the sentence (illegal).
const WITHOUT_SENTENCE = new Set(["unreadable", "too_large", "unknown_type", "illegal", "internal", "no_chat"]);

test("each code that a person can cause has a sentence", () => {
  const schema = JSON.parse(readFileSync(new URL("../../../games/protocol.schema.json", import.meta.url)));
  const codes = schema.$defs.error.properties.code.enum.filter((code) => !WITHOUT_SENTENCE.has(code));
  assert.ok(codes.length > 15);
  const fallback = errorText({ code: "no such code" });
  const sentences = codes.map((code) => rematchRefusal({ code, wait_s: 1 }) ?? errorText({ code }));
  sentences.forEach((sentence, at) => assert.notEqual(sentence, fallback, codes[at]));
});

test("the table says why a rematch was refused", async (t) => {
  globalThis.document = { querySelector: () => null };
  t.after(() => delete globalThis.document);
  const { Frames } = await import("../../../static/js/table/frames.js");
  const said = [];
  const table = {
    people: { refused: () => false, refusalText: rematchRefusal },
    leaving: { refused: () => false },
    entropy: { refused() {} },
    announcer: { say: (text) => said.push(text) },
    typed: { refuse() {} },
    model: {},
    prepareNext() {},
  };
  const frames = new Frames(table);
  await frames.receive({ t: "error", id: "1", code: "own_stake" }, { roundTrip: null });
  table.people = null; // not loaded yet
  await frames.receive({ t: "error", id: "2", code: "stale" }, { roundTrip: null });
  assert.match(said[0], /above the limit that you have set/);
  assert.equal(said[1], errorText({ code: "stale" }));
});
