// The device's storage. Nothing here throws: storage may be null, full or forbidden, and the page
// must work without it.

/** Key of the path of the table whose match is in play; the stored path is "" after the match. */
export const RUNNING_MATCH = "running-match";
/** Key under which `true` is stored while the player has muted all sounds on this device. */
export const MUTED = "table-muted";

/** @param {Storage|null} store @returns {string|null} */
export function readStored(store, key) {
  try {
    return store?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Return the stored JSON; null if absent or unreadable. */
export function readStoredJson(store, key) {
  try {
    return JSON.parse(readStored(store, key));
  } catch {
    return null;
  }
}

/** Store a text; do nothing if the browser does not allow it. */
export function writeStored(store, key, text) {
  try {
    store?.setItem(key, text);
  } catch {
    // Full or forbidden.
  }
}
