import assert from "node:assert/strict";
import test from "node:test";

import { readStored, readStoredJson, writeStored } from "../../../static/js/lib/storage.js";

const forbidden = {
  getItem: () => { throw new Error("forbidden"); },
  setItem: () => { throw new Error("full"); },
};

test("a stored text is read back", () => {
  const map = new Map();
  const store = { getItem: (key) => map.get(key) ?? null, setItem: (key, text) => map.set(key, text) };
  writeStored(store, "a", "1");
  assert.equal(readStored(store, "a"), "1");
  assert.equal(readStoredJson(store, "a"), 1);
  assert.equal(readStored(store, "b"), null);
  assert.equal(readStoredJson(store, "b"), null);
});

test("forbidden or absent storage reads as null and ignores writes", () => {
  for (const store of [forbidden, null]) {
    writeStored(store, "a", "1");
    assert.equal(readStored(store, "a"), null);
    assert.equal(readStoredJson(store, "a"), null);
  }
});

test("invalid JSON reads as null", () => {
  assert.equal(readStoredJson({ getItem: () => "{" }, "a"), null);
});
