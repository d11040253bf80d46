import assert from "node:assert/strict";
import test from "node:test";

import { Settings, withDefaults } from "../../../static/js/play/settings.js";

function store(content = {}) {
  const map = new Map(Object.entries(content));
  return { getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value) };
}

test("unknown names and values fall back to the defaults", () => {
  const values = withDefaults({ dice: "loaded", numbers: "yes", foo: 1, speed: "off", pips: false });
  assert.equal(values.dice, "automatic");
  assert.equal(values.numbers, true);
  assert.equal(values.speed, "off");
  assert.equal(values.pips, false);
  assert.ok(!("foo" in values));
});

test("a choice is stored on the device", () => {
  const device = store();
  new Settings(device).set("endOfTurn", "confirm");
  assert.equal(new Settings(device).get("endOfTurn"), "confirm");
});

test("broken or forbidden storage is ignored", () => {
  assert.equal(new Settings(store({ "table-settings": "{" })).get("tap"), "play");
  const forbidden = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } };
  const settings = new Settings(forbidden);
  settings.set("tap", "select");
  assert.equal(settings.get("tap"), "select");
  assert.equal(new Settings(null).get("tap"), "play");
});

test("the player has the chosen color, the opponent the other", () => {
  const settings = new Settings(store());
  assert.deepEqual(settings.colorsFor("black"), { white: "light", black: "dark" });
  settings.set("checkerColor", "light");
  assert.deepEqual(settings.colorsFor("black"), { white: "dark", black: "light" });
  assert.deepEqual(settings.colorsFor("white"), { white: "light", black: "dark" });
  assert.deepEqual(settings.colorsFor(null), { white: "light", black: "dark" }, "a spectator has no own color");
});

test("each variant has its own mirror setting", () => {
  const settings = new Settings(store());
  settings.set(settings.mirrorName("long"), true);
  assert.deepEqual([settings.isMirrored("long"), settings.isMirrored("short")], [true, false]);
});

test("reduced motion on the device overrides the speed", () => {
  const settings = new Settings(store());
  assert.equal(settings.speed(true).own, 0);
  assert.equal(settings.speed(false).own, 180);
});

test("listeners are called on a change", () => {
  const settings = new Settings(store());
  const changes = [];
  settings.onChange((name, value) => changes.push([name, value]));
  settings.set("speed", "fast");
  assert.deepEqual(changes, [["speed", "fast"]]);
});

// --- Members ---------------------------------------------------------------------------------------

const anna = (choices = {}) => ({ member: "anna", choices: withDefaults(choices) });
const deviceWith = (content) => store({ "table-settings": JSON.stringify(content) });

test("a member's account overrides the device", () => {
  const settings = new Settings(deviceWith({ of: "anna", tap: "select", unsent: {} }), anna({ board: "sand" }));
  assert.deepEqual([settings.get("tap"), settings.get("board")], ["play", "sand"]);
  assert.deepEqual(settings.unsent, {});
});

test("a member's change stays unsent until the account has it", () => {
  const device = store();
  const settings = new Settings(device, anna());
  settings.set("board", "night");
  settings.set("pips", false);
  const first = settings.unsent;
  assert.deepEqual(first, { board: "night", pips: false });
  settings.set("board", "sand");
  settings.sent(first);
  assert.deepEqual(settings.unsent, { board: "sand" });
  assert.deepEqual(new Settings(device, anna()).unsent, { board: "sand" }, "the next visit still has to send it");
});

test("an unknown value is neither stored nor sent", () => {
  const settings = new Settings(store(), anna());
  settings.set("board", "gold");
  assert.equal(settings.get("board"), "classic");
  assert.deepEqual(settings.unsent, {});
});

test("one member's unsent change is not sent for another", () => {
  const device = deviceWith({ of: "boris", board: "night", unsent: { board: "night" } });
  const settings = new Settings(device, anna());
  assert.equal(settings.get("board"), "classic");
  assert.deepEqual(settings.unsent, {});
});

test("a guest's choices are sent once to an account without choices", () => {
  const device = deviceWith({ tap: "select", speed: "fast", numbers: true });
  const settings = new Settings(device, anna());
  assert.deepEqual(settings.unsent, { tap: "select", speed: "fast" });
  assert.equal(settings.get("tap"), "select");
  settings.sent(settings.unsent);
  const reset = new Settings(device, anna());
  assert.equal(reset.get("tap"), "play", "the account owns the choices now and has reset them");
  assert.deepEqual(reset.unsent, {});
});

test("a guest's choices do not change an account with choices", () => {
  const settings = new Settings(deviceWith({ tap: "select" }), anna({ board: "sand" }));
  assert.deepEqual([settings.get("tap"), settings.get("board")], ["play", "sand"]);
  assert.deepEqual(settings.unsent, {});
});

test("a look that another member bought is not sent with a guest's choices", () => {
  const device = deviceWith({ of: "boris", board: "walnut", checkers: "sea", unsent: {} });
  new Settings(device).set("tap", "select"); // Boris has signed out, and a guest plays
  const settings = new Settings(device, anna());
  assert.deepEqual(settings.unsent, { checkers: "sea", tap: "select" });
  assert.equal(settings.get("board"), "classic");
});

test("the choices stay on the device after sign-out", () => {
  const device = store();
  new Settings(device, anna({ board: "sand" }));
  const guest = new Settings(device);
  assert.equal(guest.get("board"), "sand");
  assert.deepEqual(guest.unsent, {});
});

test("choices made elsewhere are applied, but unsent changes take precedence", () => {
  const settings = new Settings(store(), anna());
  const changes = [];
  settings.set("tap", "select");
  settings.onChange((name, value) => changes.push([name, value]));
  settings.take(withDefaults({ board: "night" }));
  assert.deepEqual(changes, [["board", "night"]]);
  assert.equal(settings.get("tap"), "select");
});
