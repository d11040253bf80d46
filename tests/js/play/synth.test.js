// The computed sounds: short, not clipped, of similar loudness, without a click at the ends.

import assert from "node:assert/strict";
import test from "node:test";

import { SOUNDS, loudest, render } from "../../../static/js/play/synth.js";

const RATE = 44_100;
const each = (check) => { for (const name of SOUNDS) check(name, render(name, RATE)); };
const decibels = (samples) => 20 * Math.log10(loudest(samples, RATE));

test("no sound is longer than 400 ms, or 900 ms for a won game", () => {
  each((name, samples) => assert.ok(samples.length / RATE <= (name === "win" ? 0.9 : 0.4), `${name}: ${samples.length / RATE} s`));
});

test("no sound is clipped", () => {
  each((name, samples) => {
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.1 && peak < 0.9, `${name}: ${peak}`);
  });
});

test("the sounds are about equally loud", () => {
  const levels = SOUNDS.map((name) => decibels(render(name, RATE)));
  assert.ok(Math.max(...levels) - Math.min(...levels) < 4, SOUNDS.map((name, at) => `${name} ${levels[at].toFixed(1)}`).join(", "));
});

test("a sound starts and ends in silence", () => {
  each((name, samples) => {
    assert.ok(Math.abs(samples[0]) < 0.01, name);
    assert.ok(Math.abs(samples.at(-1)) < 0.01, name);
  });
});

test("a hit is lower than a move, a checker borne off higher", () => {
  const pitch = (name) => {
    const samples = render(name, RATE).slice(0, RATE * 0.03);
    const strengthAt = (hertz) => {
      const sums = samples.reduce(([a, b], value, at) => {
        const angle = (2 * Math.PI * hertz * at) / RATE;
        return [a + value * Math.cos(angle), b + value * Math.sin(angle)];
      }, [0, 0]);
      return Math.hypot(...sums);
    };
    const steps = Array.from({ length: 45 }, (_, at) => 120 + at * 20);
    return steps.reduce((best, hertz) => (strengthAt(hertz) > strengthAt(best) ? hertz : best));
  };
  const [bar, hit, move, off] = ["bar", "hit", "checker", "off"].map(pitch);
  assert.ok(bar < hit && hit < move && move < off, String([bar, hit, move, off]));
});

test("a sound is the same each time", () => {
  assert.deepEqual(render("dice", 8000), render("dice", 8000));
});
