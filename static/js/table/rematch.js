// The offer of a rematch on the same terms, in the half minute after the end.

import { part, setHidden, setText } from "../lib/dom.js";
import { isFinished } from "../play/model.js";
import { rematchPrice } from "../text/result-sentences.js";

/** States in which a player can still agree to the rematch. */
const UNDECIDED = ["open", "offered", "asked"];

/**
 * Return the state of the rematch card.
 * @param {object|null} rematch {offered_by, refused, until, match, series} of a frame
 * @param {number} now server's match clock, ms
 * @returns {"none"|"open"|"offered"|"asked"|"refused"|"over"|"made"}
 */
export function rematchState(rematch, side, now) {
  if (!rematch || side === null) return "none"; // drawRematch gives spectators a link to the next match
  if (rematch.match) return "made";
  if (rematch.refused) return "refused";
  if (now >= rematch.until) return "over";
  if (rematch.offered_by === null) return "open";
  return rematch.offered_by === side ? "offered" : "asked";
}

export function drawRematch(model, now, address) {
  const box = part("rematch");
  drawWatch(model, address);
  drawAfter(isFinished(model) && rematchState(model.rematch, model.you.side, now));
  const state = isFinished(model) ? rematchState(model.rematch, model.you.side, now) : "none";
  setHidden(box, state === "none");
  if (state === "none") return;
  const isNews = box.dataset.state !== state;
  box.dataset.state = state;
  const left = Math.max(0, Math.ceil((model.rematch.until - now) / 1000));
  setText(part("rematch-text", box), text(state));
  setText(part("rematch-left", box), UNDECIDED.includes(state) ? secondsLeft(left) : "");
  setText(part("rematch-price", box), UNDECIDED.includes(state) ? rematchPrice(model.match.stake) : "");
  const show = (action, isShown) => setHidden(box.querySelector(`[data-action=${action}]`), !isShown);
  show("rematch_offer", state === "open");
  show("rematch_accept", state === "asked");
  show("rematch_refuse", state === "asked");
  const { series } = model.rematch;
  const isSeries = series && series.white + series.black > 1;
  setText(part("series", box), isSeries ? seriesText(series, model.you.side) : "");
  if (isNews && state === "asked") box.scrollIntoView({ block: "nearest" }); // the offer lasts only half a minute
  if (state === "made") location.assign(address(model.rematch.match));
}

/** Once there will be no rematch, the way to the open games is the main button. */
function drawAfter(state) {
  part("after-match")?.classList.toggle("button-primary", !UNDECIDED.includes(state) && state !== "made");
}

/** Offer spectators a link to the next match; players are taken there automatically. */
function drawWatch(model, address) {
  const link = part("rematch-watch");
  const next = model.you.side === null ? model.rematch?.match : null;
  setHidden(link, !next);
  if (next) link.href = address(next);
}

function secondsLeft(count) {
  return interpolate(ngettext("%(count)s second left.", "%(count)s seconds left.", count), { count }, true);
}

function text(state) {
  switch (state) {
    case "open": return gettext("Another match on the same terms, colors swapped?");
    case "offered": return gettext("You offered a rematch.");
    case "asked": return gettext("Your opponent offers a rematch on the same terms.");
    case "refused": return gettext("No rematch this time.");
    case "made": return gettext("The next table is opening…");
    default: return gettext("The time for a rematch is over.");
  }
}

function seriesText(series, side) {
  const own = series[side];
  const other = side === "white" ? series.black : series.white;
  return interpolate(gettext("Rematch series: %(own)s : %(other)s"), { own, other }, true);
}
