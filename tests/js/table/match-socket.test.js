// The match socket with a fake WebSocket and fake time.

import assert from "node:assert/strict";
import test from "node:test";

import { MatchSocket } from "../../../static/js/table/match-socket.js";
import { FakeTime } from "../fake-time.js";

/** Create a socket with fake dependencies; `run(ms)` advances the fake time. */
function table({ mayHold = () => true, random = () => 1 } = {}) {
  const time = new FakeTime();
  const world = { sockets: [], frames: [], statuses: [], ids: 0 };
  const matchSocket = new MatchSocket({
    open: () => {
      const socket = { readyState: 0, sent: [], send(text) { this.sent.push(JSON.parse(text)); }, close() { this.readyState = 3; } };
      world.sockets.push(socket);
      return socket;
    },
    onFrame: (frame, info) => world.frames.push({ ...frame, ...info }),
    onStatus: (status, code) => world.statuses.push(code === null ? status : `${status} ${code}`),
    mayHold, random,
    now: () => time.now,
    uuid: () => `id-${(world.ids += 1)}`,
    timers: time.timers,
  });
  const socket = () => world.sockets.at(-1);
  const give = (frame) => socket().onmessage({ data: JSON.stringify(frame) });
  const open = () => { socket().readyState = 1; socket().onopen({}); };
  const join = (seq = 5) => { open(); give({ t: "state", seq, now: 0 }); };
  const run = (ms) => time.run(ms);
  const sent = (t) => socket().sent.filter((frame) => frame.t === t);
  matchSocket.start();
  return { matchSocket, world, time, socket, give, open, join, run, sent };
}

const event = (seq) => ({ t: "event", seq, now: seq, action: { kind: "roll" } });
const seqs = (world) => world.frames.filter((frame) => frame.t === "event").map((frame) => frame.seq);

test("a join sends the last seq and whether it wants the seat", () => {
  const { open, sent } = table({ mayHold: () => false });
  open();
  assert.deepEqual(sent("join"), [{ t: "join", v: 1, since: -1, hold: false }]);
});

test("events are delivered in order and once, in whatever order they arrive", () => {
  const { join, give, world } = table();
  join(5);
  for (const seq of [7, 6, 6, 8, 7]) give(event(seq));
  assert.deepEqual(seqs(world), [6, 7, 8]);
});

test("a gap is requested once, and again only without an answer", () => {
  const { join, give, sent, run } = table();
  join(5);
  give(event(8));
  give(event(9));
  assert.deepEqual(sent("sync"), [{ t: "sync", since: 5 }]);
  run(2600);
  assert.equal(sent("sync").length, 2);
});

test("the answer to a sync closes the gap and later events follow", () => {
  const { join, give, world, matchSocket } = table();
  join(5);
  give(event(9));
  give({ t: "state", seq: 8, now: 8, actions: [] });
  assert.deepEqual(seqs(world), [9]);
  assert.equal(matchSocket.seq, 9);
});

test("a sync that finds nothing missing is over, and a later gap is requested again", () => {
  const { join, give, sent, run } = table();
  join(5);
  give({ t: "error", id: null, code: "stale" });
  give({ t: "current", seq: 5, now: 5 });
  run(4000);
  assert.equal(sent("sync").length, 1);
  give(event(9));
  assert.deepEqual(sent("sync")[1], { t: "sync", since: 5 });
});

test("a sync refused as too fast is repeated later and shown to nobody", () => {
  const { join, give, sent, run, world } = table();
  join(5);
  give(event(9));
  give({ t: "error", id: null, code: "too_fast" });
  assert.equal(sent("sync").length, 1);
  run(2600);
  assert.equal(sent("sync").length, 2);
  assert.ok(!world.frames.some((frame) => frame.t === "error"));
});

test("a sync refused after a state that the server sent by itself is shown to nobody", () => {
  const { join, give, sent, run, world } = table();
  join(5);
  give(event(9));
  give({ t: "state", seq: 9, now: 0 });
  give({ t: "error", id: null, code: "too_fast" });
  run(4000);
  assert.equal(sent("sync").length, 1);
  assert.ok(!world.frames.some((frame) => frame.t === "error"));
});

test("too_fast without an open sync is passed to the page", () => {
  const { join, give, world } = table();
  join(5);
  give({ t: "error", id: null, code: "too_fast" });
  assert.equal(world.frames.at(-1).code, "too_fast");
});

test("an older state is ignored", () => {
  const { join, give, world } = table();
  join(5);
  give(event(6));
  give({ t: "state", seq: 5, now: 5 });
  assert.equal(world.frames.filter((frame) => frame.t === "state").length, 1);
});

test("a command has an id and the last seq, and is repeated until answered", () => {
  const { join, matchSocket, sent, run, give } = table();
  join(5);
  const id = matchSocket.command("play", { d: "13/7" });
  assert.deepEqual(sent("play"), [{ t: "play", d: "13/7", id, seq: 5 }]);
  run(2600);
  assert.deepEqual(sent("play").map((frame) => frame.id), [id, id]);
  give({ t: "ack", id, seq: 5 });
  give({ t: "pong", seq: 5, now: 1 });
  run(4900);
  assert.equal(sent("play").length, 2);
});

test("after a reconnect a command is repeated under the same id", () => {
  const { join, matchSocket, socket, run, sent } = table();
  join(5);
  const id = matchSocket.command("roll");
  socket().onclose({ code: 1006 });
  run(300);
  join(5);
  assert.deepEqual(sent("roll").map((frame) => frame.id), [id]);
});

test("a chat message delays no move and is repeated until it is heard", () => {
  const { join, matchSocket, sent, run, give } = table();
  join(5);
  const id = matchSocket.say({ text: "hello" });
  assert.equal(matchSocket.pending.size, 0);
  assert.deepEqual(sent("say"), [{ t: "say", id, text: "hello" }]);
  run(2600);
  assert.equal(sent("say").length, 2);
  give({ t: "heard", id });
  run(2600);
  assert.equal(sent("say").length, 2);
});

test("a chat message written without a connection is sent after the reconnect", () => {
  const { join, matchSocket, socket, run, sent } = table();
  join(5);
  socket().onclose({ code: 1006 });
  const id = matchSocket.say({ phrase: "hello" });
  run(300);
  join(5);
  assert.deepEqual(sent("say"), [{ t: "say", id, phrase: "hello" }]);
});

test("a refused chat message is not repeated", () => {
  const { join, matchSocket, sent, run, give } = table();
  join(5);
  const id = matchSocket.say({ phrase: "hello" });
  give({ t: "error", id, code: "too_fast" });
  run(4000);
  assert.equal(sent("say").length, 1);
});

test("an ack may arrive before its event: only a missing event is requested", () => {
  const { join, matchSocket, give, sent, run } = table();
  join(5);
  give({ t: "ack", id: matchSocket.command("roll"), seq: 6 });
  give(event(6));
  run(1000);
  assert.equal(sent("sync").length, 0);
  give({ t: "ack", id: matchSocket.command("roll"), seq: 7 });
  run(800);
  assert.deepEqual(sent("sync"), [{ t: "sync", since: 6 }]);
});

test("a pong may overtake an event: only a missing event is requested", () => {
  const { join, give, sent, run } = table();
  join(5);
  give({ t: "pong", seq: 6, now: 1 });
  give(event(6));
  run(1000);
  assert.equal(sent("sync").length, 0);
  give({ t: "pong", seq: 7, now: 1 });
  run(800);
  assert.deepEqual(sent("sync"), [{ t: "sync", since: 6 }]);
});

test("an older answer does not replace what a newer one announced", () => {
  const { join, matchSocket, give, sent, run } = table();
  join(5);
  give({ t: "ack", id: matchSocket.command("roll"), seq: 7 });
  give({ t: "pong", seq: 6, now: 1 });
  give(event(6));
  run(800);
  assert.deepEqual(sent("sync"), [{ t: "sync", since: 6 }]);
});

test("a refused command is reported and not repeated", () => {
  const { join, matchSocket, give, world, run, sent } = table();
  join(5);
  const id = matchSocket.command("double");
  give({ t: "error", id, code: "illegal", reason: "cube_dead" });
  assert.equal(world.frames.at(-1).command, "double");
  give({ t: "pong", seq: 5, now: 1 });
  run(4900);
  assert.equal(sent("double").length, 1);
});

test("a stale command makes the page sync", () => {
  const { join, matchSocket, give, sent } = table();
  join(5);
  give({ t: "error", id: matchSocket.command("roll"), code: "stale" });
  assert.equal(sent("sync").length, 1);
});

test("a command refused as too fast is repeated later", () => {
  const { join, matchSocket, give, sent, run } = table();
  join(5);
  give({ t: "error", id: matchSocket.command("roll"), code: "too_fast" });
  run(1100);
  assert.equal(sent("roll").length, 2);
});

test("the heartbeat sends the seq and measures the round trip", () => {
  const { join, give, world, run, sent } = table();
  join(5);
  assert.deepEqual(sent("ping"), [{ t: "ping", seq: 5 }]);
  run(80);
  give({ t: "pong", seq: 5, now: 100 });
  assert.equal(world.frames.at(-1).roundTrip, 80);
  run(5000);
  assert.equal(sent("ping").length, 2);
});

test("without a pong the view is stale after two seconds, and live again with one", () => {
  const { join, give, world, time, run } = table();
  join(5);
  run(1900);
  assert.deepEqual(world.statuses, ["live"]);
  run(200);
  assert.deepEqual(world.statuses, ["live", "stale"]);
  give({ t: "pong", seq: 5, now: 100 });
  assert.deepEqual(world.statuses, ["live", "stale", "live"]);
});

test("silence between heartbeats does not make the view stale", () => {
  const { join, give, world, time, run } = table();
  join(5);
  run(30);
  for (let beat = 0; beat < 3; beat += 1) {
    give({ t: "pong", seq: 5, now: time.now });
    run(5000);
  }
  assert.deepEqual(world.statuses, ["live"]);
});

test("a dead connection is retried with a delay that grows up to five seconds", () => {
  const { world, time, run, socket } = table();
  const gaps = [];
  for (let n = 0; n < 8; n += 1) {
    const before = time.now;
    const count = world.sockets.length;
    socket().onclose({ code: 1006 });
    while (world.sockets.length === count) run(10);
    gaps.push(time.now - before);
  }
  assert.deepEqual(gaps, [200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
});

test("the delay before a reconnect is randomized", () => {
  const { world, run, socket } = table({ random: () => 0 });
  socket().onclose({ code: 1006 });
  run(110);
  assert.equal(world.sockets.length, 2);
});

test("a handshake may take long on a busy site, and one that never completes is abandoned", () => {
  const { world, run } = table();
  run(11_000);
  assert.deepEqual(world.statuses, []);
  run(1000);
  assert.deepEqual(world.statuses, ["lost"]);
  run(300);
  assert.equal(world.sockets.length, 2);
});

test("a connection that opens but brings nothing is abandoned", () => {
  const { world, run, open } = table();
  run(11_000);
  open();
  run(5900);
  assert.deepEqual(world.statuses, []);
  run(100);
  assert.deepEqual(world.statuses, ["lost"]);
});

test("a join that the server answers without a state is tried again", () => {
  const { world, run, open, give } = table();
  open();
  run(3000);
  give({ t: "held" });
  give({ t: "error", id: null, code: "internal" });
  run(2900);
  assert.deepEqual(world.statuses, []);
  run(100);
  assert.deepEqual(world.statuses, ["lost"]);
  run(300);
  assert.equal(world.sockets.length, 2);
});

test("a question is not said to be sent before a state, or once the connection has ended for good", () => {
  const { matchSocket, join, socket, sent } = table();
  assert.equal(matchSocket.ask({ t: "report", id: 7 }), false);
  join();
  assert.equal(matchSocket.ask({ t: "report", id: 7 }), true);
  socket().onclose({ code: 4001 });
  assert.equal(matchSocket.ask({ t: "report", id: 7 }), false);
  assert.equal(sent("report").length, 1);
});

test("a final close code ends the connection for good", () => {
  const { world, time, run, socket } = table();
  socket().onclose({ code: 4001 });
  run(60_000);
  assert.equal(world.sockets.length, 1);
  assert.deepEqual(world.statuses, ["closed 4001"]);
});

test("a page whose socket was closed for unread frames joins again from its last seq", () => {
  const { join, world, open, run, sent, socket } = table();
  join(5);
  socket().onclose({ code: 4012 });
  run(300);
  assert.equal(world.sockets.length, 2);
  open();
  assert.equal(sent("join")[0].since, 5);
});

test("a page whose server process is replaced learns why and reconnects at once", () => {
  const { join, world, run, socket } = table();
  join(5);
  socket().onclose({ code: 4013 });
  assert.equal(world.statuses.at(-1), "lost 4013");
  run(300);
  assert.equal(world.sockets.length, 2);
});

test("a new protocol version closes the connection and is passed to the page", () => {
  const { join, give, world, time, run } = table();
  join(5);
  give({ t: "error", id: null, code: "reload" });
  run(60_000);
  assert.equal(world.sockets.length, 1);
  assert.ok(world.statuses.includes("closed"));
  assert.equal(world.frames.at(-1).code, "reload");
});

test("frames of an old socket are ignored", () => {
  const { join, world, run, socket } = table();
  join(5);
  const old = socket();
  old.onclose({ code: 1006 });
  run(300);
  old.onmessage({ data: JSON.stringify(event(6)) });
  assert.deepEqual(seqs(world), []);
});

test("a frame that is not JSON is ignored", () => {
  const { join, socket, world } = table();
  join(5);
  const before = world.frames.length;
  socket().onmessage({ data: "<html>" });
  assert.equal(world.frames.length, before);
});

test("a page that comes to the front reconnects at once", () => {
  const { matchSocket, socket, world } = table();
  socket().onclose({ code: 1006 });
  matchSocket.hurry();
  assert.equal(world.sockets.length, 2);
});

test("a device that comes online begins the handshake again, since the old one is lost", () => {
  const { join, matchSocket, socket, world, run } = table();
  socket().onclose({ code: 1006 });
  run(5000);
  matchSocket.hurry(true);
  assert.equal(world.sockets.length, 3);
  assert.notEqual(world.sockets[1].readyState, 0);
  join(5);
  assert.deepEqual(world.statuses, ["lost 1006", "live"]);
});

test("a page that comes to the front again lets the running handshake finish", () => {
  const { join, matchSocket, socket, world, run } = table();
  socket().onclose({ code: 1006 });
  for (const wait of [0, 5000, 6000]) {
    run(wait);
    matchSocket.hurry();
  }
  assert.deepEqual([world.sockets.length, socket().readyState], [2, 0]);
  join(5);
  assert.deepEqual(world.statuses, ["lost 1006", "live"]);
});

test("the page knows that it is live when it gets the first state of a connection", () => {
  const { matchSocket, world, socket, join, run } = table();
  const seen = [];
  matchSocket.options.onFrame = (frame, { isFirst }) => seen.push([frame.t, isFirst, world.statuses.at(-1)]);
  join(5);
  socket().onclose({ code: 1006 });
  run(5000);
  join(5);
  assert.deepEqual(seen, [["state", true, "live"], ["state", true, "live"]]);
});

test("a later state of a connection is not its first", () => {
  const { world, give, join } = table();
  join(5);
  give({ t: "state", seq: 6, now: 0 });
  assert.deepEqual(world.frames.map((frame) => frame.isFirst), [true, false]);
});
