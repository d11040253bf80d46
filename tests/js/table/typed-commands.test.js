// Typed commands at a table that allows some of them.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (context, text) => text;

const { runTypedCommand } = await import("../../../static/js/table/typed-commands.js");

/** Type a command where the table allows `may`; return the answer and the sent verbs. */
function typed(name, may) {
  const sent = [];
  const table = { wake() {}, mayNow: () => may, command: (verb) => sent.push(verb) };
  return { answer: runTypedCommand(table, { name }), sent };
}

test("accept and take both answer the cube and a resignation", () => {
  for (const name of ["accept", "take"]) {
    assert.deepEqual(typed(name, { take: true, drop: true }), { answer: "Sent.", sent: ["take"] });
    assert.deepEqual(typed(name, { accept: true, refuse: true }), { answer: "Sent.", sent: ["accept"] });
  }
});

test("drop and refuse run no other command", () => {
  for (const name of ["drop", "refuse"]) {
    const may = { take: true, accept: true, resume: true };
    assert.deepEqual(typed(name, may), { answer: "That is not possible right now.", sent: [] });
  }
});
