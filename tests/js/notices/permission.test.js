// The browser asks for permission once, after a press; then the page of notices says what is left
// to do.

import assert from "node:assert/strict";
import test from "node:test";

import { afterPress, afterRefusal, stateOf } from "../../../static/js/notices/permission.js";

test("the first press asks the browser", () => {
  assert.equal(afterPress("default", false, false), "subscribe");
});

test("a question that was closed is not put again by another offer", () => {
  assert.equal(afterPress("default", true, false), "page");
});

test("the button of the page of notices asks again", () => {
  assert.equal(afterPress("default", true, true), "subscribe");
});

test("with the permission a press subscribes without a question", () => {
  assert.equal(afterPress("granted", true, false), "subscribe");
});

test("a browser that forbids notices, or has none, is not asked", () => {
  for (const isOnPage of [false, true]) {
    assert.equal(afterPress("denied", true, isOnPage), "page");
    assert.equal(afterPress(undefined, false, isOnPage), "page");
  }
});

test("a denied question needs the browser's settings, a closed one can be asked again", () => {
  assert.equal(afterRefusal("denied"), "blocked");
  assert.equal(afterRefusal("default"), "closed");
});

test("the page says what is left to do", () => {
  assert.equal(stateOf("default", true), "offer");
  assert.equal(stateOf("granted", true), "offer");
  assert.equal(stateOf("denied", true), "blocked");
  assert.equal(stateOf("default", false), "unsupported");
  assert.equal(stateOf(undefined, true), "unsupported");
});
