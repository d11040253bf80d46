import assert from "node:assert/strict";
import test from "node:test";

import { LowTime, ServerTime, remaining } from "../../../static/js/play/clock.js";

const CLOCK = {
  delay_ms: 20_000, reserve_ms: { white: 120_000, black: 60_000 }, running: "white",
  delay_left_ms: 5_000, paused: false,
};

test("the delay runs first, then the reserve drains", () => {
  assert.deepEqual(remaining(CLOCK, "white", 1000, 4000), {
    delay: 2000, reserve: 120_000, isRunning: true, isPaused: false,
  });
  assert.deepEqual(remaining(CLOCK, "white", 1000, 16_000), {
    delay: 0, reserve: 110_000, isRunning: true, isPaused: false,
  });
  assert.equal(remaining(CLOCK, "white", 0, 999_999).reserve, 0);
});

test("the waiting side keeps its time", () => {
  assert.deepEqual(remaining(CLOCK, "black", 0, 50_000), {
    delay: 20_000, reserve: 60_000, isRunning: false, isPaused: false,
  });
});

test("a paused clock does not run", () => {
  const left = remaining({ ...CLOCK, paused: true }, "white", 0, 50_000);
  assert.deepEqual([left.delay, left.reserve, left.isRunning], [5000, 120_000, false]);
});

test("without a clock there is no time left to show", () => {
  assert.equal(remaining(null, "white", 0, 0), null);
});

test("the frame with the smallest lag sets the server's time", () => {
  const time = new ServerTime();
  time.learn(1000, 100); // arrived with an unknown lag
  time.learn(1080, 150); // arrived with less lag
  time.learn(1090, 190);
  assert.equal(time.at(200), 1130);
});

test("half of a pong's round trip is added", () => {
  const time = new ServerTime();
  time.learn(1000, 100, 40);
  assert.equal(time.at(100), 1020);
});

test("a ping that reaches the server late does not let the clock run ahead", () => {
  const time = new ServerTime();
  time.learn(1000, 100, 40); // the server is 920 ms ahead
  time.learn(5000, 4090, 4000); // four seconds on the way there, ten ms back
  assert.ok(time.at(5000) <= 5920 + 250);
});

test("a large jump replaces the old offset", () => {
  const time = new ServerTime();
  time.learn(10_000, 0);
  time.learn(11_000, 50_000);
  assert.equal(time.at(50_000), 11_000);
});

test("low time is announced once at 30 and once at 10 seconds", () => {
  const low = new LowTime();
  const at = (total) => low.check({ delay: 0, reserve: total, isRunning: true });
  assert.deepEqual([40_000, 30_000, 29_000, 10_000, 9000].map(at), [null, 30, null, 10, null]);
  assert.equal(low.check({ delay: 0, reserve: 9000, isRunning: false }), null);
  assert.equal(at(9000), 10, "a new turn warns again");
});
