// The notice over the board about the connection.

import assert from "node:assert/strict";
import test from "node:test";

import { Connection } from "../../../static/js/table/connection.js";

globalThis.gettext = (text) => text;

/** Return a function that draws a status of the socket and returns the notice. */
function notices(t) {
  const element = () => ({ dataset: {}, append() {}, replaceChildren() {} });
  const line = element();
  globalThis.document = { querySelector: () => line, createElement: element, addEventListener() {} };
  globalThis.addEventListener = () => {};
  t.after(() => {
    delete globalThis.document;
    delete globalThis.addEventListener;
  });
  const table = {
    store: null, boot: { id: "match", ws: "/ws/" }, model: { you: { side: null }, view: null },
    root: element(), people: null, shown: null,
  };
  const connection = new Connection(table, () => {});
  return (status, code) => {
    connection.draw(status, code);
    return line.dataset.message;
  };
}

test("a notice says why the connection is closed for good, and what to do", (t) => {
  const notice = notices(t);
  assert.match(notice("closed", 4001), /^You are signed out/);
  assert.equal(notice("closed", 4004), "This match does not exist.");
  for (const code of [4009, null]) { // frames that the server cannot read; another protocol version
    assert.equal(notice("closed", code), "The site has a new version. Please reload the page.");
  }
});
