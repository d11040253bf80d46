import assert from "node:assert/strict";
import test from "node:test";

import { countsAt, pips, playText, parseHex, parsePlay, playFor, replay } from "../../../static/js/board/positions.js";

const START_HEX = "0".repeat(5) + "5" + "0" + "3" + "0000" + "5" + "0".repeat(10) + "2";

test("the hex form of the server is read with bar and off", () => {
  const { white, black } = parseHex(`${START_HEX}${START_HEX}0000`);
  assert.deepEqual([white[6], white[8], white[13], white[24]], [5, 3, 5, 2]);
  assert.equal(pips(black), 167);
  const ended = parseHex(`${"0".repeat(48)}10ef`);
  assert.deepEqual([ended.white[25], ended.white[0], ended.black[0]], [1, 14, 15]);
});

test("the hex form of long nardy has no bar", () => {
  const { white, black } = parseHex(`${"0".repeat(23)}f${"0".repeat(24)}0f`);
  assert.equal(white[24], 15);
  assert.equal(black[0], 15);
});

test("plays are read in every common notation", () => {
  const steps = (text) => parsePlay(text)?.map(({ source, target }) => `${source}>${target}`);
  assert.deepEqual(steps("13/7 8/7*"), ["13>7", "8>7"]);
  assert.deepEqual(steps("24/18*/13"), ["24>18", "18>13"]);
  assert.deepEqual(steps("8/7(2)"), ["8>7", "8>7"]);
  assert.deepEqual(steps("BAR/20  6/Off"), ["25>20", "6>0"]);
  assert.deepEqual(steps("-"), []);
});

test("an invalid play is refused", () => {
  for (const text of ["", "13", "13-7", "7/13", "13/13", "26/20", "off/6", "13/7 x", "6/bar"]) {
    assert.equal(parsePlay(text), null, text);
  }
});

test("a play is written in the server's notation", () => {
  assert.equal(playText([{ source: 25, target: 20 }, { source: 6, target: 0, isHit: false }]), "bar/20 6/off");
  assert.equal(playText([{ source: 8, target: 7, isHit: true }]), "8/7*");
  assert.equal(playText([]), "-");
});

test("a replayed hit sends the blot to its bar", () => {
  const white = Array(26).fill(0);
  const black = Array(26).fill(0);
  white[8] = 2;
  black[18] = 1; // White's 7
  const [first, second] = replay({ white, black }, "white", [{ source: 8, target: 7 }, { source: 8, target: 7 }], "short");
  assert.ok(first.isHit);
  assert.equal(first.position.black[25], 1);
  assert.equal(second.isHit, false);
  assert.equal(second.position.white[7], 2);
  assert.equal(white[8], 2, "the position given is not changed");
});

test("enemy checkers are counted in the viewer's numbering", () => {
  const white = Array(26).fill(0);
  const black = Array(26).fill(0);
  black[24] = 2;
  black[25] = 1;
  assert.deepEqual(countsAt({ white, black }, "white", "short", 1), { own: 0, enemy: 2 });
  assert.deepEqual(countsAt({ white, black }, "white", "long", 12), { own: 0, enemy: 2 });
  assert.deepEqual(countsAt({ white, black }, "white", "short", 25), { own: 0, enemy: 1 });
});

test("a viewer reads the enemy's play in the viewer's numbers", () => {
  const how = (variant, keepsNumbers = false) => ({ viewer: "white", variant, keepsNumbers });
  assert.equal(playFor("bar/20* 6/off 13/7(2)", "black", how("short")), "bar/5* 19/off 12/18(2)");
  assert.equal(playFor("24/18 12/6", "black", how("long")), "12/6 24/18");
  assert.equal(playFor("24/18", "white", how("short")), "24/18");
  assert.equal(playFor("24/18", "black", how("short", true)), "24/18");
  assert.equal(playFor("-", "black", how("short")), "-");
});
