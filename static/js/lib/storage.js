// The device's storage. Nothing here throws: storage may be null, full or forbidden, and the page
// must work without it.

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

/** Store a text if the browser allows it; else it lasts for this page only. */
export function writeStored(store, key, text) {
  try {
    store?.setItem(key, text);
  } catch {
    // Full or forbidden.
  }
}
