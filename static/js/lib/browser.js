// Browser features that are injected into the sockets of table and site; a request for JSON.

/** Open a WebSocket to a path of this site. */
export function openSocket(path) {
  return new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${path}`);
}

export const browserTimers = { set: (act, ms) => setTimeout(act, ms), clear: (timer) => clearTimeout(timer) };

/** Return the JSON at an address, or null when the request fails. */
export async function fetchJson(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
