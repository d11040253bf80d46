import assert from "node:assert/strict";
import test from "node:test";

import { clockText, elapsedText } from "../../../static/js/lib/time-text.js";

test("times are whole seconds, rounded up for a countdown", () => {
  assert.equal(clockText(61_001), "1:02");
  assert.equal(clockText(1), "0:01");
  assert.equal(clockText(-5), "0:00");
  assert.equal(elapsedText(59_999), "0:59");
  assert.equal(elapsedText(3_723_000), "1:02:03");
});

test("elapsed time shows hours only when there are any", () => {
  assert.equal(elapsedText(45_000), "0:45");
  assert.equal(elapsedText(3_750_000), "1:02:30");
});
