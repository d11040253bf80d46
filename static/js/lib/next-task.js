/**
 * Resolve in a new task, so that the browser can answer the user between two long steps; on a hidden
 * page, where timers are slow and nobody waits, at once.
 */
export function nextTask() {
  return new Promise((done) => { if (document.hidden) done(); else setTimeout(done); });
}
