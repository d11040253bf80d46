// Create a match socket with the browser's WebSocket, clock and timers.

import { MatchSocket } from "./match-socket.js";

/**
 * @param {string} path of the socket
 * @param {{onFrame:Function,onStatus:Function,mayHold:() => boolean}} table
 */
export function browserSocket(path, table) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new MatchSocket({
    ...table,
    open: () => new WebSocket(`${scheme}//${location.host}${path}`),
    now: () => performance.now(),
    uuid: () => crypto.randomUUID(),
    random: () => Math.random(),
    timers: { set: (act, ms) => setTimeout(act, ms), clear: (timer) => clearTimeout(timer) },
  });
}
