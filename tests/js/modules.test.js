// How the modules hang together: what the storage of hashed files and the first load need.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import test from "node:test";

const FOLDER = new URL("../../static/js/", import.meta.url);
const FILES = readdirSync(FOLDER, { recursive: true }).filter((name) => name.endsWith(".js"));
// What is fetched only when it is needed.
const LATE = /\bimport\("([^"]+)"\)/g;
const IMPORT = /^(?:import|export)\s[^;]*?from\s+"([^"]+)";$/gm;

const text = (name) => readFileSync(new URL(name, FOLDER), "utf8");
const imports = (name) => [...text(name).matchAll(IMPORT)].map((found) => found[1]);
const lateImports = (name) => [...text(name).matchAll(LATE)].map((found) => found[1]);
const allImports = (name) => [...imports(name), ...lateImports(name)];

/** The module that an import in another names, as a path from static/js. */
const target = (name, path) => posix.join(posix.dirname(name), path);

/** Every module behind one; `of` says which imports count. */
function reached(name, of = allImports, seen = new Set()) {
  for (const path of of(name)) {
    const next = target(name, path);
    if (!seen.has(next)) reached(next, of, seen.add(next));
  }
  return seen;
}

test("every import is relative and names a file that is there", () => {
  for (const name of FILES) {
    for (const path of allImports(name)) {
      assert.match(path, /^\.{1,2}\/([\w-]+\/)?[\w-]+\.js$/, name);
      assert.ok(FILES.includes(target(name, path)), `${name} imports ${path}`);
    }
  }
});

test("every import statement is one that the storage finds", () => {
  for (const name of FILES) {
    const statements = text(name).match(/^import\b/gm) ?? [];
    assert.equal(statements.length, imports(name).length, name);
    const late = text(name).match(/\bimport\s*\(/g) ?? [];
    assert.equal(late.length, lateImports(name).length, `${name}: not even in a comment, the storage would rewrite it`);
  }
});

test("no module reaches itself: cycles break the hashing of names", () => {
  for (const name of FILES) assert.ok(!reached(name).has(name), name);
});

test("pure modules reach no module that touches the page", () => {
  const pure = ["board/geometry.js", "board/positions.js", "board/plays.js", "play/model.js", "play/clock.js", "table/match-socket.js", "dice/verify.js", "play/settings.js", "site/site-socket.js", "lib/backoff.js"];
  for (const name of pure) {
    for (const each of [name, ...reached(name)]) {
      assert.doesNotMatch(text(each).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ""), /\b(document|window)\./, `${name} reaches ${each}`);
    }
  }
});

test("the table's page tells the browser of every module beforehand", () => {
  const page = readFileSync(new URL("../../templates/games/_modules.html", import.meta.url), "utf8");
  const told = [...page.matchAll(/'js\/([\w/-]+\.js)'/g)].map((found) => found[1]);
  const first = reached("table/main.js", imports);
  const later = new Set(["table/people.js", "table/coach.js"].flatMap((name) => [name, ...reached(name, imports)]));
  assert.deepEqual(told.sort(), [...new Set([...first, ...later])].sort());
});

test("the first load of a table has no coach, no chat, no check of the dice and nothing for typed moves", () => {
  const first = reached("table/main.js", imports);
  for (const name of ["table/coach.js", "table/people.js", "table/chat.js", "table/rematch.js", "table/typed-box.js", "table/typed-commands.js", "dice/verify.js"]) {
    assert.ok(!first.has(name), name);
  }
});

test("no module writes markup or inline style into the page", () => {
  for (const name of FILES) assert.doesNotMatch(text(name), /innerHTML|outerHTML|insertAdjacentHTML|setAttribute\("style"/, name);
});
