// The structure of static/js: rooms, direction and form of imports, modules of the first load.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import test from "node:test";

const FOLDER = new URL("../../static/js/", import.meta.url);
const FILES = readdirSync(FOLDER, { recursive: true }).filter((name) => name.endsWith(".js"));
const MAX_FILES = 18;
// A room imports itself and rooms of lower rank; rooms of equal rank never import each other.
const RANKS = { lib: 0, board: 1, text: 2, play: 3, dice: 3, table: 4, review: 4, profile: 4, lessons: 4, signin: 4, messages: 4, notices: 4, site: 4, tournaments: 4, shop: 5 };
// Dynamic imports, fetched when first needed.
const LATE = /\bimport\("([^"]+)"\)/g;
const IMPORT = /^(?:import|export)\s(?:[^;"]*?from\s+)?"([^"]+)";$/gm;

const text = (name) => readFileSync(new URL(name, FOLDER), "utf8");
const imports = (name) => [...text(name).matchAll(IMPORT)].map((found) => found[1]);
const lateImports = (name) => [...text(name).matchAll(LATE)].map((found) => found[1]);
const allImports = (name) => [...imports(name), ...lateImports(name)];

const roomOf = (name) => posix.dirname(name);

/** Resolve an import to a path relative to static/js. */
const target = (name, path) => posix.join(roomOf(name), path);

/** Return every module reachable from one; `of` selects the imports to follow. */
function reached(name, of = allImports, seen = new Set()) {
  for (const path of of(name)) {
    const next = target(name, path);
    if (!seen.has(next)) reached(next, of, seen.add(next));
  }
  return seen;
}

test("every module is in a known room", () => {
  for (const name of FILES) assert.ok(roomOf(name) in RANKS, name);
});

test("a room has at most 18 modules", () => {
  for (const room of Object.keys(RANKS)) {
    const count = FILES.filter((name) => roomOf(name) === room).length;
    assert.ok(count > 0 && count <= MAX_FILES, `${room} has ${count} modules`);
  }
});

test("every import is relative and names an existing file", () => {
  for (const name of FILES) {
    for (const path of allImports(name)) {
      assert.match(path, /^\.{1,2}\/([\w-]+\/)?[\w-]+\.js$/, name);
      assert.ok(FILES.includes(target(name, path)), `${name} imports ${path}`);
    }
  }
});

test("a module imports only its own room and rooms of lower rank", () => {
  for (const name of FILES) {
    for (const path of allImports(name)) {
      const [from, to] = [roomOf(name), roomOf(target(name, path))];
      assert.ok(from === to || RANKS[to] < RANKS[from], `${name} imports ${path}`);
    }
  }
});

test("every import statement has the form that the static storage rewrites", () => {
  for (const name of FILES) {
    const statements = text(name).match(/^import\b/gm) ?? [];
    assert.equal(statements.length, imports(name).length, name);
    const late = text(name).match(/\bimport\s*\(/g) ?? [];
    assert.equal(late.length, lateImports(name).length, `${name}: the storage rewrites imports in comments too`);
  }
});

test("no module imports itself through others: a circle cannot be bundled", () => {
  for (const name of FILES) assert.ok(!reached(name).has(name), name);
});

test("pure modules reach no module that uses the document or the window", () => {
  const pure = [
    "board/geometry.js", "board/positions.js", "board/plays.js", "dice/verify.js", "lib/backoff.js", "lib/named-timers.js",
    "play/clock.js", "play/model.js", "play/settings.js", "site/site-socket.js", "table/match-socket.js",
    "tournaments/follower.js",
  ];
  for (const name of pure) {
    for (const each of [name, ...reached(name)]) {
      assert.doesNotMatch(text(each).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ""), /\b(document|window)\./, `${name} reaches ${each}`);
    }
  }
});

test("the first load of a table has only what the first turn needs", () => {
  const first = reached("table/main.js", imports);
  for (const name of ["coach", "people", "chat", "rematch", "typed-box", "typed-commands", "offers"]) {
    assert.ok(FILES.includes(`table/${name}.js`) && !first.has(`table/${name}.js`), name);
  }
  for (const name of ["refusals", "result-sentences", "spectator-sentences", "coach-sentences", "chat-phrases"]) {
    assert.ok(FILES.includes(`text/${name}.js`) && !first.has(`text/${name}.js`), name);
  }
  for (const name of ["dice/verify.js", "play/premoves.js"]) assert.ok(FILES.includes(name) && !first.has(name), name);
});

test("only lib/dom.js opens the device's storage: where the browser refuses it, opening throws", () => {
  for (const name of FILES.filter((each) => each !== "lib/dom.js")) assert.doesNotMatch(text(name), /\b(local|session)Storage\b/, name);
});

test("no module writes markup or inline style into the page", () => {
  for (const name of FILES) assert.doesNotMatch(text(name), /innerHTML|outerHTML|insertAdjacentHTML|setAttribute\("style"/, name);
});
