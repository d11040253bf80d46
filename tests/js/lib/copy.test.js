// Buttons that copy: the page says "Copied." only if the text was copied.

import assert from "node:assert/strict";
import test from "node:test";

import { listenForCopies } from "../../../static/js/lib/copy.js";

/**
 * Return the page's note after a press on a button that copies.
 * @param {{writeText:(text:string) => Promise<void>}} [clipboard] undefined over plain http
 * @param {boolean} canExecute whether `execCommand` copies
 */
async function noteAfterPress(clipboard, canExecute) {
  const note = { dataset: { text: "Copied." }, textContent: "Copied." }; // by an earlier press
  let press = null;
  Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
  globalThis.document = {
    addEventListener: (type, act) => { press = act; },
    getElementById: () => ({ value: "https://example.org/", select() {} }),
    querySelector: () => note,
    execCommand: () => canExecute,
  };
  listenForCopies();
  await press({ target: { closest: () => ({ dataset: { copy: "link" } }) } });
  return note.textContent;
}

const refusing = { writeText: async () => { throw new Error("not allowed"); } };

test("a text is copied by the clipboard, or by the old command where that fails or is missing", async () => {
  const copied = [];
  assert.equal(await noteAfterPress({ writeText: async (text) => copied.push(text) }, false), "Copied.");
  assert.deepEqual(copied, ["https://example.org/"]);
  assert.equal(await noteAfterPress(refusing, true), "Copied.");
  assert.equal(await noteAfterPress(undefined, true), "Copied.");
});

test("a text that could not be copied is not said to be copied", async () => {
  assert.equal(await noteAfterPress(refusing, false), "");
  assert.equal(await noteAfterPress(undefined, false), "");
});
