// The parts around the board, on a page of fake elements.

import assert from "node:assert/strict";
import test from "node:test";

import { drawMoves } from "../../../static/js/table/panels.js";

function node() {
  return {
    dataset: {}, children: [], text: "",
    get firstChild() { return this.children[0]; },
    get lastChild() { return this.children.at(-1); },
    get textContent() { return this.text + this.children.map((child) => child.textContent).join(""); },
    set textContent(text) { this.text = text; },
    append(...added) {
      for (const each of added) {
        if (typeof each === "string") this.text += each;
        else this.children.push(each);
      }
    },
  };
}

test("a line of the move list names the right player when the history brings earlier turns", (t) => {
  globalThis.gettext = (text) => text;
  globalThis.document = { createElement: node };
  globalThis.requestAnimationFrame = () => {};
  t.after(() => {
    delete globalThis.document;
    delete globalThis.requestAnimationFrame;
  });
  const settings = { colorsFor: () => ({ white: "light", black: "dark" }), get: () => false };
  const list = node();
  const draw = (...log) => drawMoves({
    log, view: { cube: { value: 1 } }, you: { side: "white", holder: true }, match: { variant: "short", seats: {} },
  }, list, settings);
  const theirs = { kind: "play", side: "black", text: "24/20" };
  draw(theirs);
  draw({ kind: "play", side: "white", text: "13/7" }, theirs);
  assert.deepEqual(list.children.map((line) => line.firstChild.textContent), ["You", "Opponent"]);
});
