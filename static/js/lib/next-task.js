/**
 * Resolve in a new task, so that the browser can answer the user between two long steps. On a hidden
 * page, where timers are slow and nobody waits, resolve at once.
 */
export function nextTask() {
  return new Promise((done) => { if (document.hidden) done(); else setTimeout(done); });
}
