// Subscribing to notices in a browser that cannot install the service worker.

import assert from "node:assert/strict";
import test from "node:test";

import { subscribe } from "../../../static/js/notices/browser.js";

test("without an active service worker the subscription fails after some seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = { documentElement: { lang: "en" } };
  const serviceWorker = { register: async () => {}, ready: new Promise(() => {}) };
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
  const subscription = assert.rejects(subscribe({ key: "", url: "", token: "", kind: "" }), /not active/);
  await new Promise(setImmediate);
  t.mock.timers.tick(10_000);
  await subscription;
});
