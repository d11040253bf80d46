import assert from "node:assert/strict";
import test from "node:test";

import { Settings, sane } from "../../static/js/settings.js";

function store(content = {}) {
  const map = new Map(Object.entries(content));
  return { getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value) };
}

test("unknown names and values fall back to the defaults", () => {
  const values = sane({ dice: "loaded", numbers: "yes", foo: 1, speed: "off", pips: false });
  assert.equal(values.dice, "automatic");
  assert.equal(values.numbers, true);
  assert.equal(values.speed, "off");
  assert.equal(values.pips, false);
  assert.ok(!("foo" in values));
});

test("a choice is remembered on the device", () => {
  const kept = store();
  new Settings(kept).set("endOfTurn", "confirm");
  assert.equal(new Settings(kept).get("endOfTurn"), "confirm");
});

test("a broken or forbidden store does no harm", () => {
  assert.equal(new Settings(store({ "table-settings": "{" })).get("tap"), "select");
  const forbidden = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } };
  const settings = new Settings(forbidden);
  settings.set("tap", "play");
  assert.equal(settings.get("tap"), "play");
  assert.equal(new Settings(null).get("tap"), "select");
});

test("the mirror is remembered for each variant apart", () => {
  const settings = new Settings(store());
  settings.set(settings.mirrorName("long"), true);
  assert.deepEqual([settings.isMirrored("long"), settings.isMirrored("short")], [true, false]);
});

test("the device's wish for less motion wins over the speed", () => {
  const settings = new Settings(store());
  assert.equal(settings.speed(true).own, 0);
  assert.equal(settings.speed(false).own, 180);
});

test("listeners hear of a change", () => {
  const settings = new Settings(store());
  const heard = [];
  settings.onChange((name, value) => heard.push([name, value]));
  settings.set("speed", "fast");
  assert.deepEqual(heard, [["speed", "fast"]]);
});
