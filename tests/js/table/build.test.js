// Imports that the first turn needs besides the board: another try makes up for a failed one.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (_, text) => text;
globalThis.ngettext = (text) => text;
const { openFirst } = await import("../../../static/js/table/build.js");

test("a spectator's sentences that could not be imported at first are imported by another try", async (t) => {
  t.after(() => delete globalThis.document);
  const table = { boot: { coach: null, side: null }, coach: null };
  globalThis.document = { querySelector: () => { throw new Error("no connection"); } };
  await assert.rejects(openFirst(table), /no connection/);
  globalThis.document = { querySelector: () => null };
  await openFirst(table);
  assert.equal(typeof table.spectatorTextOf, "function");
});

test("another try replaces neither the coach nor a spectator's sentences", async (t) => {
  t.after(() => delete globalThis.document);
  globalThis.document = { querySelector: () => assert.fail("nothing is missing") };
  const [coach, spectatorTextOf] = [{}, () => null];
  const table = { boot: { coach: { reasons: {} }, side: null }, coach, spectatorTextOf };
  await openFirst(table);
  assert.equal(table.coach, coach);
  assert.equal(table.spectatorTextOf, spectatorTextOf);
});
