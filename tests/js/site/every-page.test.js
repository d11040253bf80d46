// The script of every page, which imports lib/first-use.js when the reader first uses pointer or keys.

import assert from "node:assert/strict";
import test from "node:test";

const listeners = new Map();
const line = { textContent: "", classList: { toggle() {} } };
const page = { spoken: [] };
const nothing = () => {};

globalThis.addEventListener = (type, act) => listeners.set(type, act);
globalThis.removeEventListener = (type) => listeners.delete(type);
globalThis.document = {
  addEventListener: nothing, body: { addEventListener: nothing }, documentElement: { dataset: { keepsZone: "" } },
  querySelector: (selector) => (selector.includes("page-status") ? line : null),
  querySelectorAll: (selector) => (selector === "[data-spoken]" ? page.spoken : []),
};

const says = (text) => ({ dataset: { spoken: "" }, textContent: text, checkVisibility: () => true });

test("news that comes while the module loads is said", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await import("../../../static/js/site/every-page.js");
  page.spoken = [says("Anna wants to be your friend.")];
  listeners.get("pointerdown")();
  page.spoken = [says("Anna wants to be your friend."), says("Boris challenges you.")];
  await import("../../../static/js/lib/first-use.js");
  await new Promise(setImmediate);
  assert.equal(line.textContent, "Boris challenges you.");
});
