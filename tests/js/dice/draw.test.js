// The check of a draw in the browser, on draws of the site; tests/tournaments compares draws.json
// with the code of the site.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { checkDraw, numbersOf } from "../../../static/js/dice/draw.js";

const FILES = JSON.parse(readFileSync(new URL("draws.json", import.meta.url), "utf8"));
const copy = (value) => structuredClone(value);

test("the first numbers equal those in the README of tournaments", async () => {
  const numbers = await numbersOf(Uint8Array.from({ length: 32 }, (_, byte) => byte), "AbCdEf123456", 1);
  const firsts = [await numbers.next(), await numbers.next(), await numbers.next()];
  assert.deepEqual(firsts, [0x6900f5aa, 0x97f98688, 0x1e755911]);
});

for (const file of FILES) {
  const name = `${file.kind} of ${file.entrants.length}`;

  test(`${name}: the draw is confirmed`, async () => {
    assert.deepEqual(await checkDraw(file), { ok: true, rounds: file.rounds.length, fault: null });
  });

  test(`${name}: a changed round is detected`, async () => {
    for (let round = 0; round < file.rounds.length; round += 1) {
      const changed = copy(file);
      const pairing = changed.rounds[round].find(({ second }) => second !== null);
      if (!pairing) continue;
      [pairing.first, pairing.second] = [pairing.second, pairing.first];
      assert.deepEqual(await checkDraw(changed), { ok: false, rounds: file.rounds.length, fault: "round", round: round + 1 });
    }
  });
}

test("a secret that differs from the committed one is detected", async () => {
  const check = await checkDraw({ ...FILES[0], secret: "00".repeat(32) });
  assert.equal(check.fault, "commitment");
});

test("a file that differs from the page is detected", async () => {
  const [file] = FILES;
  const { id, commitment, entrants } = file;
  assert.equal((await checkDraw(file, { id, commitment, entrants })).ok, true);
  assert.equal((await checkDraw(file, { id: "another" })).fault, "record");
  assert.equal((await checkDraw(file, { commitment: "00" })).fault, "record");
  assert.equal((await checkDraw(file, { entrants: [...entrants, "one more"] })).fault, "record");
});

test("a file that is not one of a draw is refused, and the button can be pressed again", async (t) => {
  const [button, words] = [{ hidden: true, disabled: false }, { dataset: {}, textContent: "" }];
  const place = { dataset: {}, querySelector: (selector) => (selector === "button" ? button : words) };
  let press = null;
  globalThis.gettext = (text) => text;
  globalThis.fetch = async () => ({ ok: true, json: async () => ({}) });
  globalThis.document = {
    body: { addEventListener() {} }, querySelector: () => place,
    addEventListener: (type, act) => { press = act; },
  };
  t.after(() => delete globalThis.document);
  await import("../../../static/js/dice/draw-button.js");
  assert.equal(button.hidden, false);
  press({ target: { closest: () => ({ closest: () => place }) } });
  assert.equal(button.disabled, true);
  await new Promise(setImmediate);
  assert.equal(words.textContent, "The file does not match what this page shows.");
  assert.equal(button.disabled, false);
});
