// Decide what a press on an offer of notices does: the browser asks its question once, and only
// after a press. Pure.

/**
 * Return the effect of a press.
 * - "subscribe": the browser shows notices of the site, or may be asked for the permission now
 * - "page": open the page of notices, which explains what is left to do
 *
 * @param {"granted"|"denied"|"default"|undefined} permission undefined: no notices in this browser
 * @param {boolean} wasAsked the browser's question was answered, or closed, before
 * @param {boolean} isOnPage the press was on the page of notices itself, whose button asks again
 */
export function afterPress(permission, wasAsked, isOnPage) {
  if (permission === "granted") return "subscribe";
  if (permission === "default" && (!wasAsked || isOnPage)) return "subscribe";
  return "page";
}

/**
 * Return the name of the text (`data-says`) to show after the browser's question: it was refused,
 * or closed without an answer.
 *
 * @param {"denied"|"default"} permission
 */
export function afterRefusal(permission) {
  return permission === "denied" ? "blocked" : "closed";
}

/** Return the name of the text on the page of notices: "offer", "blocked" or "unsupported". */
export function stateOf(permission, hasPush) {
  if (!hasPush || !permission) return "unsupported";
  return permission === "denied" ? "blocked" : "offer";
}
