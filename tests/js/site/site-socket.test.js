// The site socket with a fake WebSocket and fake time.

import assert from "node:assert/strict";
import test from "node:test";

import { delay } from "../../../static/js/lib/backoff.js";
import { SiteSocket } from "../../../static/js/site/site-socket.js";
import { FakeTime } from "../fake-time.js";

/** Create a socket with fake dependencies; `run(ms)` advances the fake time. */
function page({ random = () => 1 } = {}) {
  const time = new FakeTime();
  const world = { sockets: [], nudges: [], signedOut: [], greetings: 0, isOnline: true };
  const siteSocket = new SiteSocket({
    open: () => {
      const socket = { readyState: 1, sent: [], send(text) { this.sent.push(text); }, close() { this.readyState = 3; } };
      world.sockets.push(socket);
      return socket;
    },
    isOnline: () => world.isOnline,
    onGreeted: () => { world.greetings += 1; },
    onNudge: (what) => world.nudges.push(what),
    onSignedOut: (wasKnown) => world.signedOut.push(wasKnown),
    random,
    timers: time.timers,
  });
  const socket = () => world.sockets.at(-1);
  const give = (frame) => socket().onmessage({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  const hello = () => give({ t: "hello", v: 1 });
  const close = (code) => socket().onclose({ code });
  const run = (ms) => time.run(ms);
  siteSocket.start();
  return { siteSocket, world, time, socket, give, hello, close, run };
}

test("a page pings every twenty seconds while pongs arrive", () => {
  const { hello, give, run, socket, world } = page();
  hello();
  for (let count = 1; count <= 3; count += 1) {
    run(20_000);
    assert.deepEqual(socket().sent, Array(count).fill('{"t":"ping"}'));
    give({ t: "pong" });
  }
  assert.equal(world.sockets.length, 1);
});

test("a ping without a pong closes the connection", () => {
  const { hello, run, world } = page();
  hello();
  run(20_000 + 10_000);
  assert.equal(world.sockets[0].readyState, 3);
  run(200);
  assert.equal(world.sockets.length, 2);
});

test("a handshake may take long on a busy site, and one that never completes is retried", () => {
  const { run, world } = page();
  run(11_900);
  assert.equal(world.sockets.length, 1);
  run(300);
  assert.equal(world.sockets.length, 2);
});

test("a connection without a greeting is retried", () => {
  const { run, socket, world } = page();
  run(5000);
  socket().onopen();
  run(10_200);
  assert.equal(world.sockets.length, 2);
});

test("valid nudges are passed on, invalid ones are not", () => {
  const { hello, give, world } = page();
  hello();
  for (const frame of [{ t: "nudge", what: "balance" }, { t: "nudge", what: "bad name" }, { t: "other" }, "{", { t: "nudge" }]) give(frame);
  assert.deepEqual(world.nudges, ["balance"]);
});

test("a nudge that asks whether the member is here is answered and not passed on", () => {
  const { hello, give, socket, world } = page();
  hello();
  give({ t: "nudge", what: "notice", id: "abcdefghijkl" });
  assert.deepEqual(socket().sent, ['{"t":"here","id":"abcdefghijkl"}']);
  assert.deepEqual(world.nudges, []);
});

test("after a reconnect one nudge asks the page to refresh", () => {
  const { hello, close, run, world } = page();
  hello();
  assert.deepEqual(world.nudges, []);
  close(1006);
  run(200);
  hello();
  assert.deepEqual(world.nudges, ["any"]);
  assert.equal(world.greetings, 2);
});

test("the delay between attempts grows up to five seconds", () => {
  const { close, run, world, time } = page();
  const waits = [];
  for (let count = 1; count <= 8; count += 1) {
    close(1006);
    const before = time.now;
    while (world.sockets.length === count) run(50);
    waits.push(time.now - before);
  }
  assert.deepEqual(waits, [200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
});

test("the delays are randomized", () => {
  assert.equal(delay(3, () => 0), 800);
  assert.equal(delay(3, () => 1), 1600);
});

test("a greeting resets the delay", () => {
  const { hello, close, run, world } = page();
  for (let count = 0; count < 5; count += 1) {
    close(1006);
    run(5000);
  }
  hello();
  close(1006);
  const { length } = world.sockets;
  run(200);
  assert.equal(world.sockets.length, length + 1);
});

test("sign-out is reported once and ends the connection for good", () => {
  const { siteSocket, hello, close, run, world } = page();
  hello();
  close(4001);
  run(600_000);
  siteSocket.hurry();
  siteSocket.start();
  assert.deepEqual(world.signedOut, [true]);
  assert.equal(world.sockets.length, 1);
});

test("sign-out before a greeting is reported as unknown session", () => {
  const { close, world } = page();
  close(4001);
  assert.deepEqual(world.signedOut, [false]);
});

test("a page over the limit reconnects after a minute", () => {
  const { close, run, world, time } = page();
  close(4008);
  run(59_000);
  assert.equal(world.sockets.length, 1);
  run(1000);
  assert.equal(world.sockets.length, 2);
});

test("a page whose socket was closed for unread frames reconnects", () => {
  const { hello, close, run, world } = page();
  hello();
  close(4012);
  run(300);
  assert.equal(world.sockets.length, 2);
});

for (const [name, end] of [["a newer site", ({ give }) => give({ t: "hello", v: 2 })], ["a close code for unreadable frames", ({ close }) => close(4009)]]) {
  test(`${name} ends the connection for good`, () => {
    const here = page();
    end(here);
    here.run(600_000);
    here.siteSocket.hurry();
    assert.equal(here.world.sockets.length, 1);
    assert.deepEqual(here.world.signedOut, []);
  });
}

test("without a network no connection is tried", () => {
  const { siteSocket, close, run, world } = page();
  world.isOnline = false;
  close(1006);
  run(60_000);
  assert.equal(world.sockets.length, 1);
  world.isOnline = true;
  siteSocket.hurry();
  assert.equal(world.sockets.length, 2);
});

test("a page that comes to the front pings at once", () => {
  const { siteSocket, hello, socket, run, world } = page();
  hello();
  siteSocket.hurry();
  assert.equal(socket().sent.length, 1);
  run(10_200);
  assert.equal(world.sockets.length, 2);
});

test("a page in the back/forward cache closes its socket and reopens it later", () => {
  const { siteSocket, hello, close, run, world } = page();
  hello();
  siteSocket.stop();
  run(60_000);
  assert.equal(world.sockets[0].readyState, 3);
  siteSocket.start();
  assert.equal(world.sockets.length, 2);
  close(4001);
  assert.deepEqual(world.signedOut, [true]);
});

test("frames of an abandoned socket are ignored", () => {
  const { hello, close, run, world } = page();
  hello();
  const [first] = world.sockets;
  close(1006);
  run(200);
  first.onclose({ code: 4001 });
  first.onmessage({ data: '{"t":"nudge","what":"balance"}' });
  assert.deepEqual([world.signedOut, world.nudges], [[], []]);
});
