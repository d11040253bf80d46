import assert from "node:assert/strict";
import test from "node:test";

import { deviceZone, momentText, readersZone } from "../../../static/js/lib/local-time.js";

const AT = "2026-11-22T22:05:30Z";

test("a moment is written in the zone and language of the reader", () => {
  assert.equal(momentText(AT, "time", "en", "Europe/Istanbul"), "01:05");
  assert.equal(momentText(AT, "day", "en", "Europe/Istanbul"), "23 Nov 2026");
  assert.equal(momentText(AT, "moment", "en", "America/Lima"), "22 Nov 2026, 17:05");
  assert.equal(momentText(AT, "month", "en", "UTC"), "November 2026");
  assert.equal(momentText(AT, "month", "tr", "UTC"), "Kasım 2026");
  assert.equal(momentText(AT, "day", "tr", "Europe/Istanbul"), "23 Kas 2026");
  assert.match(momentText(AT, "moment", "ru", "Europe/Moscow"), /^23 нояб\. 2026, 01:05$/);
  assert.equal(momentText(AT, "month", "ru", "Europe/Moscow"), "ноября 2026");
});

test("midnight is 00:00", () => {
  assert.equal(momentText("2026-11-22T21:00:00Z", "time", "en", "Europe/Istanbul"), "00:00");
});

test("a zone that the member chose takes precedence over the device's", () => {
  assert.equal(readersZone({ dataset: { zone: "Asia/Tokyo", keepsZone: "" } }), "Asia/Tokyo");
  assert.equal(readersZone({ dataset: { zone: "Asia/Tokyo" } }), deviceZone());
});

test("the device's zone is Temporal's where it exists, else that of the formatters", () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "Temporal");
  const formatters = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zoneWith = (Temporal) => {
    Object.defineProperty(globalThis, "Temporal", { value: Temporal, configurable: true });
    return deviceZone();
  };
  try {
    assert.equal(zoneWith({ Now: { timeZoneId: () => "Asia/Kolkata" } }), "Asia/Kolkata");
    assert.equal(zoneWith({}), formatters);
    assert.equal(zoneWith(undefined), formatters);
  } finally {
    delete globalThis.Temporal;
    if (before) Object.defineProperty(globalThis, "Temporal", before);
  }
});
