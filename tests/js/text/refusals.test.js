// Every refusal of the server has its own sentence.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

globalThis.gettext = (text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (text) => text;
const { errorText } = await import("../../../static/js/text/refusals.js");

// Codes without a sentence: no person causes them, or their `reason` has the sentence (illegal).
const WITHOUT_SENTENCE = new Set(["unreadable", "too_large", "unknown_type", "illegal", "internal", "no_chat"]);

test("each code that a person can cause has its own sentence", () => {
  const schema = JSON.parse(readFileSync(new URL("../../../games/protocol.schema.json", import.meta.url)));
  const codes = schema.$defs.error.properties.code.enum.filter((code) => !WITHOUT_SENTENCE.has(code));
  assert.ok(codes.length > 15);
  const fallback = errorText({ code: "no such code" });
  for (const code of codes) assert.notEqual(errorText({ code }), fallback, code);
});
