// The table's reactions to frames of the server, with the real sender of the dice's entropy.

import assert from "node:assert/strict";
import test from "node:test";

import { EntropySender } from "../../../static/js/dice/entropy.js";
import { Frames } from "../../../static/js/table/frames.js";
import { Leaving } from "../../../static/js/table/leaving.js";

/** Create a table in the seating phase at action `seq`; `receive` gives it a frame. */
function table(t, seq) {
  const form = { hidden: true, addEventListener() {} };
  globalThis.document = { querySelector: () => form };
  t.after(() => delete globalThis.document);
  const sent = [];
  const command = (verb) => `id-${sent.push(verb)}`;
  const fake = {
    model: {
      seq, view: { phase: "seating" }, log: [], you: { side: "white", holder: true },
      seating: { white: { hash: true, entropy: false }, black: { hash: true, entropy: false } },
    },
    time: { learn() {} },
    boot: { urls: { after: "/" } },
    socket: { command, pending: new Set() },
    render() {},
  };
  fake.leaving = new Leaving(fake);
  fake.entropy = new EntropySender({ id: "match", store: null, isAsking: false, model: () => fake.model, now: () => 0, command });
  const frames = new Frames(fake);
  return { fake, sent, receive: (frame) => frames.receive(frame, { roundTrip: null }) };
}

test("entropy refused as stale is sent again when the page already has the other player's action", async (t) => {
  const { fake, sent, receive } = table(t, 3);
  fake.entropy.start();
  while (!sent.length) await new Promise(setImmediate); // the hash is computed in the background
  assert.deepEqual(sent, ["entropy"]);
  fake.model.seq = 4; // the other player's action came before the refusal
  receive({ t: "error", id: "id-1", code: "stale", command: "entropy" });
  receive({ t: "current", seq: 4, now: 0 });
  assert.deepEqual(sent, ["entropy", "entropy"]);
  receive({ t: "current", seq: 4, now: 0 });
  assert.equal(sent.length, 2);
});

test("leaving refused as stale is sent again when the page already has the opponent's action", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { fake, sent, receive } = table(t, 7);
  fake.leaving.start();
  receive({ t: "error", id: "id-1", code: "stale", command: "leave" });
  receive({ t: "current", seq: 7, now: 0 });
  assert.deepEqual(sent, ["leave", "leave"]);
});

test("a join that the server could not answer shows no position", async (t) => {
  const { fake, receive } = table(t, -1);
  fake.model.view = null;
  fake.prepareNext = () => assert.fail("there is no state yet");
  await receive({ t: "error", id: null, code: "internal" });
});

test("the clocks are drawn at each pong, which no browser slows down in a background tab", (t) => {
  const { fake, receive } = table(t, 3);
  let times = 0;
  fake.tick = () => { times += 1; };
  receive({ t: "pong", seq: 3, now: 0 });
  assert.equal(times, 1);
});

test("the next game is asked for again if the opponent asked for it at the same moment", (t) => {
  const { fake, sent, receive } = table(t, 7);
  const say = () => assert.fail("nothing is wrong");
  Object.assign(fake, { command: (verb) => sent.push(verb), stage: { isIdle: false }, announcer: { say } });
  fake.model.may = { next: true };
  receive({ t: "error", id: "id-1", code: "stale", command: "next" });
  assert.deepEqual(sent, []);
  receive({ t: "current", seq: 7, now: 0 });
  receive({ t: "current", seq: 7, now: 0 });
  assert.deepEqual(sent, ["next"]);
});

test("a next game that began by itself, while the player asked for it, can be played at once", (t) => {
  const { fake, sent, receive } = table(t, 7);
  let times = 0;
  Object.assign(fake, { command: (verb) => sent.push(verb), stage: { isIdle: true }, prepareNext: () => { times += 1; } });
  fake.model.may = { roll: true };
  receive({ t: "error", id: "id-1", code: "stale", command: "next" });
  receive({ t: "current", seq: 7, now: 0 });
  assert.equal(times, 1);
  assert.deepEqual(sent, []);
});

/** Create a table in play whose commands are refused and repeated; `said` has what it says. */
function refusing(t, isAgreed) {
  const { fake, sent, receive } = table(t, 7);
  const said = [];
  Object.assign(fake, {
    command: (verb) => sent.push(verb), stage: { isIdle: false }, prepareNext() {},
    announcer: { say: (text) => said.push(text) }, typed: { refuse() {} }, moreDialog: { isStillAgreed: () => isAgreed },
    people: { refused: () => false, refusalText: ({ code }) => code },
  });
  fake.model.may = { pause: true };
  const refuse = (command) => receive({ t: "error", id: "id-1", code: "stale", command });
  return { fake, sent, said, receive, refuse };
}

for (const command of ["resign_match", "pause"]) {
  test(`${command} that came beside another action is sent again, once`, async (t) => {
    const { sent, said, receive, refuse } = refusing(t, true);
    await refuse(command);
    receive({ t: "current", seq: 7, now: 0 });
    assert.deepEqual([sent, said], [[command], []]);
    await refuse(command);
    receive({ t: "current", seq: 7, now: 0 });
    assert.deepEqual(sent, [command]);
    assert.deepEqual(said, ["stale"]);
  });
}

test("giving up is sent again although this page's own entropy was accepted meanwhile", async (t) => {
  const { fake, sent, receive } = refusing(t, true);
  fake.entropy.start();
  while (!sent.length) await new Promise(setImmediate);
  receive({ t: "error", id: "id-2", code: "stale", command: "resign_match" });
  receive({ t: "ack", id: "id-1", seq: 8 });
  receive({ t: "current", seq: 7, now: 0 });
  assert.deepEqual(sent, ["entropy", "resign_match"]);
});

test("a match is not given up at another price, or long after the refusal", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  for (const [isAgreed, passed] of [[false, 0], [true, 60_000]]) {
    const { sent, said, receive, refuse } = refusing(t, isAgreed);
    refuse("resign_match");
    now += passed;
    receive({ t: "current", seq: 7, now: 0 });
    assert.deepEqual([sent, said], [[], ["stale"]]);
  }
});

test("what is automatic begins with the ack if the event and its scene came before", (t) => {
  const { fake, receive } = table(t, 7);
  let times = 0;
  Object.assign(fake, { ackSeq: 6, stage: { isIdle: true }, isBusy: true, autoPlay: { update: () => { times += 1; } } });
  receive({ t: "ack", id: "id-1", seq: 7 });
  assert.equal(times, 0); // another answer is awaited
  fake.isBusy = false;
  receive({ t: "ack", id: "id-1", seq: 7 });
  assert.equal(times, 1);
  fake.stage.isIdle = false;
  receive({ t: "ack", id: "id-1", seq: 7 });
  assert.equal(times, 1);
});

test("the history that could not be fetched is fetched again, once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { fake, receive } = table(t, 3);
  const fetched = t.mock.method(globalThis, "fetch", async () => ({ ok: false }));
  Object.assign(fake, { turn: { end() {} }, connection: { draw() {} }, forPeople: null, stage: { isIdle: false, clear() {} } });
  receive({ t: "state", seq: 3, now: 0, you: fake.model.you, match: {}, view: fake.model.view, plays: null });
  const settled = () => new Promise(setImmediate);
  await settled();
  for (const times of [2, 2]) {
    t.mock.timers.tick(5000);
    await settled();
    assert.equal(fetched.mock.callCount(), times);
  }
});

/** Create a table in play that gets states; `done` has what they made it do. */
function inPlay(t, { isIdle = true, isActive = false } = {}) {
  const { fake, receive } = table(t, 7);
  const done = [];
  Object.assign(fake, {
    shown: {}, turn: { isActive, end: () => done.push("end of turn") }, connection: { draw() {} }, forPeople: null,
    stage: { isIdle, clear: () => done.push("clear") }, prepareNext: () => done.push("next"),
    people: { join() {}, receive: (frame) => done.push(frame.t) },
  });
  fake.model.view = { phase: "to_roll" };
  fake.model.log = Array(7).fill({ kind: "roll" });
  const give = (seq, holder = true) => receive({ t: "state", seq, now: 0, you: { side: "white", holder }, match: {}, view: fake.model.view, plays: null });
  return { fake, done, give };
}

test("a state that the page has already, by events that its ping crossed, interrupts no scene", (t) => {
  const { fake, done, give } = inPlay(t, { isIdle: false });
  give(7);
  assert.deepEqual([done, fake.mustShowState], [[], undefined]);
});

test("a state that the page has already leaves the shown position and its news as they are", (t) => {
  const { fake, done, give } = inPlay(t);
  give(7);
  assert.deepEqual([done, fake.mustShowState], [["next"], undefined]);
});

for (const [what, seq, holder] of [["a newer state", 8, true], ["a state that takes the seat away", 7, false]]) {
  test(`${what} replaces running scenes`, (t) => {
    const { fake, done, give } = inPlay(t, { isIdle: false });
    give(seq, holder);
    assert.deepEqual([done, fake.mustShowState], [["clear", "end of turn"], true]);
  });
}

test("a turn in progress whose plays have changed is begun anew", (t) => {
  const { fake, done, give } = inPlay(t, { isActive: true });
  fake.model.plays = { nodes: [] };
  give(7);
  assert.deepEqual(done, ["clear", "end of turn", "next"]);
});

test("the people panel is told of the first state of a connection", (t) => {
  const { fake } = inPlay(t);
  const told = [];
  fake.people = { begin: () => told.push("begin"), join: () => told.push("join") };
  const frame = { t: "state", seq: 7, now: 0, you: fake.model.you, match: {}, view: fake.model.view, plays: null };
  const frames = new Frames(fake);
  frames.receive(frame, { roundTrip: null, isFirst: true });
  frames.receive(frame, { roundTrip: null, isFirst: false });
  assert.deepEqual(told, ["begin", "join"]);
});
