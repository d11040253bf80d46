// Browser features that are injected into both sockets.

/** Open a WebSocket to a path of this site. */
export function openSocket(path) {
  return new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${path}`);
}

export const browserTimers = { set: (act, ms) => setTimeout(act, ms), clear: (timer) => clearTimeout(timer) };
