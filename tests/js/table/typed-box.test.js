import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

globalThis.gettext = (text) => text;
globalThis.pgettext = (context, text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));

const { aliases, describeBoard, describePips, parseCommand } = await import("../../../static/js/table/typed-box.js");

/** Return the words of a context by their English names, from the translators' catalog. */
function wordsIn(language, context) {
  const catalog = readFileSync(new URL(`../../../locale/${language}/LC_MESSAGES/djangojs.po`, import.meta.url), "utf8");
  const entries = catalog.matchAll(new RegExp(`msgctxt "${context}"\nmsgid "(.+)"\nmsgstr "(.*)"`, "g"));
  return Object.fromEntries([...entries].map(([, name, word]) => [name, word || name]));
}

function aliasesIn(language, t) {
  t.mock.method(globalThis, "pgettext", (context, text) => wordsIn(language, context)[text]);
  return aliases();
}

test("moves are read as a play", () => {
  assert.deepEqual(parseCommand("13/7 8/7"), {
    name: "play", written: [{ source: 13, target: 7 }, { source: 8, target: 7 }],
  });
});

test("commands are read in any case, also translated", () => {
  assert.deepEqual(parseCommand(" ROLL "), { name: "roll" });
  assert.deepEqual(parseCommand("Бросить", { бросить: "roll" }), { name: "roll" });
});

for (const language of ["en", "ru", "tr"]) {
  test(`every command is read in ${language}, in lower case, in upper case and with i for ı`, (t) => {
    const words = wordsIn(language, "typed command");
    const others = aliasesIn(language, t);
    assert.equal(Object.keys(words).length, 21); // none was missed in the catalog
    for (const [name, word] of Object.entries(words)) {
      const first = word.at(0).toLocaleUpperCase(language) + word.slice(1);
      const dotless = word.replaceAll("ı", "i");
      for (const text of [word, first, word.toLocaleUpperCase(language), word.toUpperCase(), dotless]) {
        assert.equal(parseCommand(text, others)?.name, name, `${text} in ${language}`);
      }
    }
  });
}

for (const [language, text] of [["en", "Bar/20* 6/OFF"], ["ru", "Бар/20* 6/снять"], ["tr", "BAR/20* 6/topla"]]) {
  test(`bar and off are read in ${language} and in English`, (t) => {
    const others = aliasesIn(language, t);
    const expected = { name: "play", written: [{ source: 25, target: 20 }, { source: 6, target: 0 }] };
    for (const typed of [text, text.toLowerCase(), "bar/20* 6/off"]) {
      assert.deepEqual(parseCommand(typed, others), expected, `${typed} in ${language}`);
    }
    assert.equal(parseCommand(text.split("/")[0], others), null);
  });
}

test("a resignation takes a factor of one to three, one by default", () => {
  assert.deepEqual(parseCommand("resign"), { name: "resign", factor: 1 });
  assert.deepEqual(parseCommand("resign 3"), { name: "resign", factor: 3 });
  for (const text of ["resign 4", "resign 0", "resign x", "resign 1 2"]) assert.equal(parseCommand(text), null, text);
});

test("unreadable input gives null", () => {
  for (const text of ["", "  ", "rolll", "roll now", "13", "constructor", "13/14"]) assert.equal(parseCommand(text), null, text);
});

test("the board is described from the viewer's side", () => {
  const counts = (given) => Array.from({ length: 26 }, (_, at) => given[at] ?? 0);
  const position = { white: counts({ 24: 2, 6: 5, 25: 1, 0: 7 }), black: counts({ 24: 2, 6: 13 }) };
  assert.equal(describeBoard(position, "white", "short"),
    "You: bar (1), 24 (2), 6 (5), off (7). Opponent, in your numbers: 19 (13), 1 (2).");
});

test("pips are described from the viewer's side", () => {
  assert.equal(describePips({ white: 10, black: 20 }, "black"), "Pip count: you 20, opponent 10.");
});
