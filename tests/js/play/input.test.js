// Presses on the board: what is a tap, a long press, a drag, and what is none of them.

import assert from "node:assert/strict";
import test, { mock } from "node:test";

const { diceCenter, isOnDice, makeLayout, pointBox } = await import("../../../static/js/board/geometry.js");
const { Input } = await import("../../../static/js/play/input.js");

const layout = makeLayout({ isWide: false });

/** Create an Input on a board of one unit per px; `seen` has its calls, `fire` sends an event. */
function setUp({ isSkipping = false, canDrag = true } = {}) {
  const listeners = {};
  const seen = [];
  const board = {
    root: { addEventListener: (type, listen) => { listeners[type] = listen; }, setPointerCapture() {} },
    layout, places: new Map(), spotAt: (x, y) => ({ x, y }), placeOf: (target) => target.place ?? null,
    isOnDice: (at) => isOnDice(layout, at, true, 2),
    drag() {}, liftChecker() {}, releaseChecker() {}, settle() {},
  };
  const note = (name, result) => (...given) => { seen.push([name, ...given]); return result; };
  new Input(board, {
    wake: () => isSkipping, press: () => canDrag, hold: note("hold", true), lift: note("lift"),
    tap: note("tap"), drop: note("drop"), abandon: note("abandon"), cancel: note("cancel"), dice: note("dice"), letter: note("letter"),
  });
  let at = 0;
  const fire = (type, { x, y }, pointerType = "touch", more = {}) => listeners[type]({
    isPrimary: true, button: 0, pointerId: 1, clientX: x, clientY: y, pointerType, timeStamp: (at += 40),
    target: { closest: () => null }, ...more,
  });
  return { seen, fire };
}

const spot = (place, by = 0) => {
  const { x, y, width } = pointBox(layout, place);
  return { x: x + width / 2 + by, y: y + 20 };
};

function press({ fire }, from, to = from, { ms = 0, pointerType = "touch" } = {}) {
  mock.timers.enable({ apis: ["setTimeout"] });
  fire("pointerdown", from, pointerType);
  if (ms) mock.timers.tick(ms);
  fire("pointermove", to, pointerType);
  fire("pointerup", to, pointerType);
  mock.timers.reset();
}

test("a tap is reported with its place; a second one as double", () => {
  const table = setUp();
  press(table, spot(6));
  press(table, spot(6));
  assert.deepEqual(table.seen, [["tap", 6, false, true], ["tap", 6, true, true]]);
});

test("a double press beside the points cancels", () => {
  const table = setUp();
  const beside = { x: layout.field.x - 20, y: layout.field.y + 20 };
  press(table, beside);
  assert.deepEqual(table.seen, []);
  press(table, beside);
  assert.deepEqual(table.seen, [["cancel"]]);
});

test("a press that skips what is being shown does nothing else", () => {
  const table = setUp({ isSkipping: true });
  press(table, spot(6));
  assert.deepEqual(table.seen, []);
});

test("an unsteady finger taps: it drags only beyond twelve pixels", () => {
  const table = setUp();
  const by = (px) => ({ ...spot(6), y: spot(6).y + px });
  press(table, spot(6), by(11));
  assert.deepEqual(table.seen, [["tap", 6, false, true]]);
  const farther = setUp();
  press(farther, spot(6), by(13));
  assert.deepEqual(farther.seen, [["lift", 6], ["drop", 6, 6]]);
  const mouse = setUp();
  press(mouse, spot(6), by(10), { pointerType: "mouse" });
  assert.deepEqual(mouse.seen, [["lift", 6], ["drop", 6, 6]]);
});

test("a press on a point without a movable checker does nothing if it ends on another point", () => {
  const table = setUp({ canDrag: false });
  press(table, spot(6), spot(5));
  assert.deepEqual(table.seen, []);
});

test("a long press picks a checker up and is no tap when it ends", () => {
  const table = setUp();
  press(table, spot(6), spot(6), { ms: 500 });
  assert.deepEqual(table.seen, [["hold", 6]]);
});

test("a short press that ends on another point is a drag", () => {
  const table = setUp();
  press(table, spot(6), spot(3), { ms: 100 });
  assert.deepEqual(table.seen, [["lift", 6], ["drop", 6, 3]]);
});

test("a finger beside the dice presses the dice", () => {
  const table = setUp();
  const { x, y } = diceCenter(layout, true);
  press(table, { x: x + 11.5, y: y - 5 });
  assert.deepEqual(table.seen, [["dice"]]);
  const farther = setUp({ canDrag: false });
  press(farther, { x: x + 13, y: y - 5 });
  press(farther, { x, y: y - 14 });
  assert.deepEqual(farther.seen.map(([name]) => name), ["tap", "tap"]);
});

test("a long press that ends on another point is a drag", () => {
  const table = setUp();
  press(table, spot(6), spot(3), { ms: 500 });
  assert.deepEqual(table.seen, [["hold", 6], ["lift", 6], ["drop", 6, 3]]);
});

test("a second finger does nothing, and the first one goes on", () => {
  const table = setUp();
  const second = { isPrimary: false, pointerId: 2 };
  table.fire("pointerdown", spot(6));
  table.fire("pointerdown", spot(8), "touch", second);
  table.fire("pointermove", spot(3), "touch", second);
  table.fire("pointerup", spot(8), "touch", second);
  table.fire("pointercancel", spot(8), "touch", second);
  table.fire("pointerup", spot(6));
  assert.deepEqual(table.seen, [["tap", 6, false, true]]);
});

test("a press that the browser takes for scrolling plays nothing", () => {
  const table = setUp();
  mock.timers.enable({ apis: ["setTimeout"] });
  table.fire("pointerdown", spot(6));
  table.fire("pointercancel", spot(6));
  mock.timers.tick(1000);
  table.fire("pointerup", spot(6));
  mock.timers.reset();
  assert.deepEqual(table.seen, [["abandon", 6]]);
});

test("a drag that the browser takes for scrolling is abandoned", () => {
  const table = setUp();
  table.fire("pointerdown", spot(6));
  table.fire("pointermove", spot(3));
  table.fire("pointercancel", spot(3));
  table.fire("pointerup", spot(3));
  assert.deepEqual(table.seen, [["lift", 6], ["abandon", 6]]);
});

test("only the main button of a mouse presses", () => {
  const table = setUp();
  table.fire("pointerdown", spot(6), "mouse", { button: 2 });
  table.fire("pointerup", spot(6), "mouse", { button: 2 });
  assert.deepEqual(table.seen, []);
});

test("the click that a tap causes is no second tap", () => {
  const table = setUp();
  press(table, spot(6));
  table.fire("click", spot(6), "touch", { target: { place: 6 } });
  assert.deepEqual(table.seen, [["tap", 6, false, true]]);
});

test("a key that is held down acts once", () => {
  const table = setUp();
  const key = (more) => table.fire("keydown", { x: 0, y: 0 }, "", { target: { place: 6 }, preventDefault() {}, ...more });
  for (const repeat of [false, true, true]) {
    key({ key: "Enter", repeat });
    key({ key: "u", code: "KeyU", repeat });
  }
  assert.deepEqual(table.seen, [["tap", 6, false, false], ["letter", "undo"]]);
});

test("a screen reader's activation counts, also after a press that caused no click", (context) => {
  let now = 0;
  context.mock.method(performance, "now", () => now);
  for (const withoutClick of [{ button: 2 }, { isPrimary: false, pointerId: 2 }]) {
    const table = setUp();
    table.fire("pointerdown", spot(6), "mouse", withoutClick);
    table.fire("pointerup", spot(6), "mouse", withoutClick);
    now += 5000;
    table.fire("click", spot(8), "", { target: { place: 8 } });
    assert.deepEqual(table.seen, [["tap", 8, false, false]]);
  }
});
