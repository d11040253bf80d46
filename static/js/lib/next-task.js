/** Resolve in a new task, so that the browser can answer the user between two long steps. */
export function nextTask() {
  return new Promise((done) => { setTimeout(done); });
}
