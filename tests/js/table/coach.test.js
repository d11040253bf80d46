// The coach's panels, on a device that has lost its connection.

import assert from "node:assert/strict";
import { register } from "node:module";
import test from "node:test";

globalThis.gettext = (text) => text;
// Simulate a lost connection: the sentences of refusals cannot be imported.
register(`data:text/javascript,${encodeURIComponent(`
  export async function resolve(path, context, next) {
    if (path.endsWith("/refusals.js")) throw new Error("offline");
    return next(path, context);
  }
`)}`);

const { Coach } = await import("../../../static/js/table/coach.js");

function panel() {
  const parts = {};
  return {
    hidden: true, textContent: "", dataset: {}, focus() {}, replaceChildren() {}, querySelectorAll: () => [],
    querySelector: (selector) => (parts[selector] ??= panel()),
  };
}

test("a refused hint can be asked for again if the sentence for the refusal cannot be loaded", async (t) => {
  const page = panel();
  const find = (selector) => (selector.startsWith("[data-part") ? page.querySelector(selector) : null);
  globalThis.document = { ...page, querySelector: find, activeElement: null };
  t.after(() => delete globalThis.document);
  const asked = [];
  let news = "";
  const coach = new Coach({
    boot: { lang: "en" }, model: { seq: 3 }, turn: { text: "" }, isLive: true, offers: null,
    mayNow: () => ({ play: true }), socket: { ask: (frame) => asked.push(frame) },
    announcer: { say: (text) => { news = text; }, clear: () => { news = ""; } }, board: { showArrows() {} },
  });
  coach.ask();
  assert.equal(news, "The coach is thinking…");
  assert.ok(coach.refused({ id: asked[0].id, code: "not_ready" }));
  await assert.rejects(import("../../../static/js/text/refusals.js"));
  await new Promise(setImmediate);
  assert.equal(news, "");
  coach.ask();
  assert.equal(asked.length, 2);
});
