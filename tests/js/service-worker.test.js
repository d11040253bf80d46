// The installation of the service worker, where its page cannot be kept.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const TEXT = readFileSync(new URL("../../templates/service_worker.js", import.meta.url), "utf8")
  .replace("{{ worker }}", JSON.stringify({ cache: "offline-1", page: "/offline/", files: [], icon: "" }));

/** Install the worker with a cache that refuses; return whether it went on to be activated. */
async function installed(error) {
  const listeners = new Map();
  let isActivated = false;
  const scope = {
    addEventListener: (type, act) => listeners.set(type, act),
    skipWaiting: async () => { isActivated = true; },
  };
  const caches = { open: async () => ({ addAll: () => Promise.reject(error) }) };
  new Function("self", "caches", "Request", TEXT)(scope, caches, class {});
  await new Promise((done) => listeners.get("install")({ waitUntil: (kept) => kept.then(done, done) }));
  return isActivated;
}

test("a worker whose page cannot be stored is activated: it shows notices", async () => {
  assert.ok(await installed(new DOMException("full", "QuotaExceededError")));
});

test("a worker whose page cannot be fetched is installed again later", async () => {
  assert.ok(!await installed(new TypeError("Failed to fetch")));
});
