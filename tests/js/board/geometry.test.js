import assert from "node:assert/strict";
import test from "node:test";

import {
  BAR, ENEMY_TRAY, OFF, checkerSpot, cubeSpot, diceCenter, fromEnemy, makeLayout, neighbor, placeAt, pointBox,
  rows, stackSpot,
} from "../../../static/js/board/geometry.js";

const POINTS = Array.from({ length: 24 }, (_, at) => at + 1);
const LAYOUTS = ["short", "long"].flatMap((variant) =>
  [true, false].flatMap((isWide) =>
    [true, false].map((isMirrored) => makeLayout({ variant, isWide, isMirrored }))));

test("own home is at the bottom right and checkers move counterclockwise to it", () => {
  const layout = makeLayout({ isWide: true });
  const box = (point) => pointBox(layout, point);
  assert.ok(box(1).x > box(6).x && box(6).x > box(7).x && box(7).x > box(12).x);
  assert.ok(box(13).x < box(18).x && box(18).x < box(24).x);
  assert.equal(box(24).x, box(1).x);
  assert.ok(box(24).y < box(1).y);
});

test("the mirror swaps left and right", () => {
  const layout = makeLayout({ isWide: true, isMirrored: true });
  assert.ok(pointBox(layout, 1).x < pointBox(layout, 12).x);
  assert.ok(layout.trays.own.x < layout.field.x);
});

test("the center of every place maps back to the place", () => {
  for (const layout of LAYOUTS) {
    for (const point of POINTS) {
      const { x, y, width, height } = pointBox(layout, point);
      assert.equal(placeAt(layout, x + width / 2, y + height / 2), point);
    }
    const { own, enemy } = layout.trays;
    assert.equal(placeAt(layout, own.x + own.width / 2, own.y + own.height / 2), OFF);
    assert.equal(placeAt(layout, enemy.x + enemy.width / 2, enemy.y + enemy.height / 2), ENEMY_TRAY);
    assert.equal(placeAt(layout, layout.bar.x + 2, layout.field.y + 20), BAR);
    assert.equal(placeAt(layout, -5, 10), null);
  }
});

test("the top checker of a stack of up to fifteen lies inside its point", () => {
  for (const layout of LAYOUTS) {
    for (const point of POINTS) {
      for (const count of [1, 5, 6, 15]) {
        const { x, y } = checkerSpot(layout, point, count - 1, count, true);
        assert.equal(placeAt(layout, x, y), point, `${count} on ${point}`);
      }
    }
  }
});

test("a stack lies in layers of five, four, three, two and one, each on the gaps of the one below", () => {
  const layers = Array.from({ length: 15 }, (_, index) => stackSpot(index));
  assert.deepEqual(layers.map(({ layer }) => layer), [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4]);
  assert.deepEqual(layers.map(({ along }) => along), [0, 10, 20, 30, 40, 5, 15, 25, 35, 10, 20, 30, 15, 25, 20]);
});

test("fifteen borne-off checkers fit into the tray", () => {
  for (const layout of LAYOUTS) {
    for (const isOwn of [true, false]) {
      const box = isOwn ? layout.trays.own : layout.trays.enemy;
      const { x, y } = checkerSpot(layout, isOwn ? OFF : ENEMY_TRAY, 14, 15, isOwn);
      assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
    }
  }
});

test("checkers on the bar stay clear of the cube and of the other side", () => {
  const [radius, halfCube] = [5, 4.6];
  for (const layout of LAYOUTS) {
    const middle = layout.field.y + layout.half;
    const cubes = ["own", "center", "enemy"].map((where) => cubeSpot(layout, where).y);
    for (const index of [0, 14]) {
      const [own, enemy] = [true, false].map((isOwn) => checkerSpot(layout, BAR, index, 15, isOwn).y);
      assert.ok(own + radius < middle && enemy - radius > middle);
      for (const cube of cubes) {
        for (const checker of [own, enemy]) assert.ok(Math.abs(checker - cube) > radius + halfCube);
      }
    }
  }
});

test("conversion of the enemy's places is its own inverse", () => {
  for (const variant of ["short", "long"]) {
    for (const point of POINTS) assert.equal(fromEnemy(variant, fromEnemy(variant, point)), point);
  }
  assert.equal(fromEnemy("short", 24), 1);
  assert.equal(fromEnemy("long", 24), 12);
  assert.equal(fromEnemy("long", 1), 13);
  assert.equal(fromEnemy("short", BAR), BAR);
});

test("a point is at least 24 px wide on a phone of 320 px", () => {
  const layout = makeLayout({ isWide: false });
  assert.ok((pointBox(layout, 1).width * 320) / layout.width >= 24);
});

test("dice of the viewer are on the side of their home", () => {
  for (const layout of LAYOUTS) {
    const isRight = diceCenter(layout, true).x > layout.bar.x;
    assert.equal(isRight, !layout.isMirrored);
  }
});

test("arrow keys reach every place and stop at the edges", () => {
  for (const layout of LAYOUTS) {
    const seen = new Set();
    for (const [at, row] of rows(layout).entries()) {
      let place = row[0];
      for (let step = 0; step < 20; step += 1) {
        seen.add(place);
        place = neighbor(layout, place, "ArrowRight", at === 0);
      }
      assert.equal(place, row.at(-1));
      for (let step = 0; step < 20; step += 1) place = neighbor(layout, place, "ArrowLeft", at === 0);
      assert.equal(place, row[0]);
    }
    assert.equal(seen.size, 27); // 24 points, the bar and two trays
  }
});

test("up and down cross the board, also between the trays; the bar is in both rows", () => {
  const layout = makeLayout({ isWide: true });
  assert.equal(neighbor(layout, 6, "ArrowUp"), 19);
  assert.equal(neighbor(layout, 19, "ArrowDown"), 6);
  assert.equal(neighbor(layout, 6, "ArrowDown"), 6);
  assert.equal(neighbor(layout, OFF, "ArrowUp"), ENEMY_TRAY);
  assert.equal(neighbor(layout, BAR, "ArrowRight", false), 6);
  assert.equal(neighbor(layout, BAR, "ArrowRight", true), 19);
});

test("rows stretch towards the available space, within limits", () => {
  const low = makeLayout({ isWide: false, aspect: 0.5 });
  const high = makeLayout({ isWide: false, aspect: 3 });
  assert.ok(low.half < high.half && low.half >= 54 && high.half <= 96);
});
