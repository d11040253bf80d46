// A graph of legal plays as the server sends it, for tests of a turn.

/** Hex of a long-nardy position (no bar): White's points, Black all off. */
export function hex(points) {
  const white = Array.from({ length: 24 }, (_, at) => (points[at + 1] ?? 0).toString(16)).join("");
  const off = 15 - Object.values(points).reduce((sum, count) => sum + count, 0);
  return `${white}${"0".repeat(24)}${off.toString(16)}f`;
}

/**
 * White's 3-1 with checkers on 13 and 6. It has three results: 13/9 (by 10 or by 12), 13/10 with 6/5,
 * and 6/5/2. The legal plays with 6/3 are left out, so that no 3 can be played directly from 6.
 */
export const GRAPH = {
  nodes: [
    hex({ 13: 1, 6: 1 }), hex({ 10: 1, 6: 1 }), hex({ 12: 1, 6: 1 }), hex({ 13: 1, 5: 1 }),
    hex({ 9: 1, 6: 1 }), hex({ 10: 1, 5: 1 }), hex({ 13: 1, 2: 1 }),
  ],
  edges: [
    [[13, 10, 3, 0, 1], [13, 12, 1, 0, 2], [6, 5, 1, 0, 3]],
    [[10, 9, 1, 0, 4], [6, 5, 1, 0, 5]],
    [[12, 9, 3, 0, 4]],
    [[13, 10, 3, 0, 5], [5, 2, 3, 0, 6]],
    [], [], [],
  ],
  finals: [4, 5, 6],
};
