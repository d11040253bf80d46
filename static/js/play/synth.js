// The sounds of the table, computed: wood, bone and bells from sine waves and a fixed noise. Pure: a
// name gives the same samples each time, and tests can measure them.

const PEAK = 0.85;

/** Loudness of each sound: the root mean square over its loudest 50 ms. */
const LOUDNESS = {
  checker: 0.13, hit: 0.15, off: 0.13, bar: 0.14, dice: 0.13, cube: 0.14, turn: 0.13, time: 0.14, win: 0.13,
};

/** The parts of each sound: [start in ms, voice, options]. */
const SCORES = {
  // A checker on the felt: a short, dry click. A heavier blow and a second checker for a hit.
  checker: [[0, blow, { pitch: 540, decay: 16, weight: 0.5, seed: 7 }]],
  hit: [
    [0, blow, { pitch: 390, decay: 26, weight: 0.9, seed: 11 }],
    [14, blow, { pitch: 760, decay: 11, weight: 0.4, seed: 12, gain: 0.6 }],
  ],
  // Borne off: a click on the checkers in the tray, lighter and higher.
  off: [
    [0, blow, { pitch: 690, decay: 14, weight: 0.35, seed: 17 }],
    [38, blow, { pitch: 820, decay: 9, weight: 0.2, seed: 18, gain: 0.45 }],
  ],
  // A knock on the hollow bar.
  bar: [[0, blow, { pitch: 205, decay: 46, weight: 1, seed: 23 }], [2, blow, { pitch: 330, decay: 20, weight: 0.5, seed: 24, gain: 0.5 }]],
  // Two dice with two bounces each, then the rattle in which they come to rest.
  dice: [
    [0, 610, 1], [19, 540, 0.9], [148, 700, 0.62], [171, 630, 0.55], [246, 790, 0.34], [259, 720, 0.3], [286, 850, 0.18], [305, 770, 0.14],
  ].map(([start, pitch, gain]) => [start, blow, { pitch, decay: 10, weight: 0.6, seed: start + 3, gain }]),
  // The doubling cube: a heavy block, set down with a small second touch.
  cube: [[0, blow, { pitch: 270, decay: 34, weight: 0.9, seed: 31 }], [62, blow, { pitch: 310, decay: 20, weight: 0.6, seed: 32, gain: 0.4 }]],
  turn: [[0, bell, { pitch: 784, length: 300 }], [90, bell, { pitch: 1175, length: 300 }]],
  time: [[0, bell, { pitch: 392, length: 220 }], [170, bell, { pitch: 392, length: 220 }]],
  win: [523.25, 659.26, 783.99, 1046.5].map((pitch, at) => [at * 115, bell, { pitch, length: 540, gain: 1 - at * 0.08 }]),
};

export const SOUNDS = Object.freeze(Object.keys(SCORES));

/**
 * @param {string} name one of SOUNDS
 * @param {number} rate samples per second
 * @returns {Float32Array}
 */
export function render(name, rate) {
  const voices = SCORES[name].map(([start, voice, options]) => [Math.round((start * rate) / 1000), voice(rate, options)]);
  const whole = new Float32Array(Math.max(...voices.map(([start, samples]) => start + samples.length)));
  for (const [start, samples] of voices) samples.forEach((value, at) => { whole[start + at] += value; });
  return level(whole, LOUDNESS[name], rate);
}

/**
 * Return a blow on wood: the tones of a struck block, of which the higher decay faster, and the
 * noise of the contact. `pitch` is in hertz, `decay` in ms, `weight` is how loud the low tone is.
 */
function blow(rate, { pitch, decay, weight, seed, gain = 1 }) {
  const samples = silence(rate, Math.min(150, decay * 6));
  addPartials(samples, rate, pitch, [[1, weight, decay], [2.76, 0.42, decay * 0.55], [5.4, 0.2, decay * 0.3], [0.5, weight * 0.35, decay * 1.2]]);
  const next = noise(seed);
  const fall = Math.exp(-1000 / rate / 3.2);
  let [smooth, loud] = [0, 0.9];
  for (let at = 0; at < samples.length; at += 1, loud *= fall) {
    smooth += (next() - smooth) * 0.42 * Math.min(1, 44_100 / rate); // a low-pass filter removes the hiss
    samples[at] += smooth * loud;
  }
  return shaped(samples, rate, { rise: 0.6, gain });
}

/** Return a small bell: few partials, of which the high ones decay first. `length` is in ms. */
function bell(rate, { pitch, length, gain = 1 }) {
  const samples = silence(rate, length);
  addPartials(samples, rate, pitch, [[1, 1, length * 0.42], [2, 0.32, length * 0.25], [3.01, 0.16, length * 0.15], [4.2, 0.07, length * 0.08]]);
  return shaped(samples, rate, { rise: 6, gain });
}

function silence(rate, length) {
  return new Float32Array(Math.round((length * rate) / 1000));
}

/**
 * Add decaying sine waves, each [ratio to the pitch, loudness, decay in ms]. Each wave is a complex
 * number that is rotated and shrunk for each sample, which costs far less than computing sines.
 */
function addPartials(samples, rate, pitch, partials) {
  for (const [ratio, loud, decay] of partials) {
    const shrink = Math.exp(-1000 / rate / decay);
    const angle = (2 * Math.PI * pitch * ratio) / rate;
    const [turnX, turnY] = [shrink * Math.cos(angle), shrink * Math.sin(angle)];
    let [x, y] = [loud, 0];
    for (let at = 0; at < samples.length; at += 1) {
      samples[at] += y;
      [x, y] = [x * turnX - y * turnY, x * turnY + y * turnX];
    }
  }
}

/** Fade a sound in over `rise` ms, and out at its end. */
function shaped(samples, rate, { rise, gain }) {
  const [into, out] = [(rise * rate) / 1000, rate * 0.012];
  const last = samples.length - 1;
  return samples.map((value, at) => value * gain * Math.min(1, at / into, (last - at) / out));
}

/** Scale samples to a loudness, but keep every peak at most PEAK. */
function level(samples, loudness, rate) {
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const gain = Math.min(loudness / loudest(samples, rate), PEAK / peak);
  return samples.map((value) => value * gain);
}

/** Return the root mean square over the loudest 50 ms. */
export function loudest(samples, rate) {
  const span = Math.round(rate * 0.05);
  let [sum, most] = [0, 0];
  samples.forEach((value, at) => {
    sum += value * value - (at >= span ? samples[at - span] ** 2 : 0);
    most = Math.max(most, sum);
  });
  return Math.sqrt(most / span);
}

/** Return a fixed stream of values from -1 to 1 (a linear congruential generator). */
function noise(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 2 ** 30 - 1;
  };
}
