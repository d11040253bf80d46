// The page for a lost connection, in a browser that refuses access to the device's storage.

import assert from "node:assert/strict";
import test from "node:test";

const listeners = new Map();
const link = { hidden: true };
let reloads = 0;

globalThis.window = {};
for (const scope of [globalThis, window]) {
  Object.defineProperty(scope, "localStorage", { get() { throw new Error("refused"); } });
}
globalThis.addEventListener = (type, act) => listeners.set(type, act);
globalThis.document = { querySelector: () => link };
globalThis.location = { pathname: "/en/", reload: () => { reloads += 1; } };
globalThis.fetch = async () => ({ ok: true, text: async () => "User-agent: *" });

test("without storage the page still opens the site when it answers again", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  await import("../../../static/js/site/offline.js");
  assert.ok(link.hidden);
  await listeners.get("online")();
  assert.equal(reloads, 1);
  t.mock.timers.tick(5000);
  await new Promise(setImmediate);
  assert.equal(reloads, 2);
});
