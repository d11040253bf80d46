// Forms that are sent twice by a double press.

import assert from "node:assert/strict";
import test from "node:test";

import { ignoreRepeatedSubmits } from "../../../static/js/lib/repeated-submits.js";

let submit;
globalThis.document = { addEventListener: (type, act) => { if (type === "submit") submit = act; } };
ignoreRepeatedSubmits();

/** Return whether the browser would send a form that is submitted at a time in ms. */
function isSent(form, timeStamp, defaultPrevented = false) {
  const event = { target: form, timeStamp, defaultPrevented, preventDefault() { this.defaultPrevented = true; } };
  submit(event);
  return !event.defaultPrevented;
}

test("a double press sends a form once", () => {
  const form = {};
  assert.deepEqual([0, 300, 1400].map((ms) => isSent(form, ms)), [true, false, false]);
});

test("a form is sent again later, and another form at once", () => {
  const form = {};
  assert.deepEqual([isSent(form, 0), isSent({}, 100), isSent(form, 2000)], [true, true, true]);
});

test("a form that a script sent does not count", () => {
  const form = {};
  isSent(form, 0, true);
  assert.equal(isSent(form, 100), true);
});
