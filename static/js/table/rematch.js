// The offer of a rematch on the same terms, in the half minute after the end.

import { otherSide } from "../board/positions.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { isFinished } from "../play/model.js";
import { fill } from "../text/fill.js";
import { rematchPrice } from "../text/result-sentences.js";

/** States in which a player can still agree to the rematch. */
const UNDECIDED = ["open", "offered", "asked"];
const NEWS_WITHIN = 10_000; // ms after the time for a rematch, in which news of it is still fresh

const tooLate = () => gettext("The time for a rematch is over.");

/** One sentence for each code by which the server refuses a rematch. */
const REFUSALS = {
  too_late: tooLate,
  back_off: () => gettext("Your offers were refused several times in a row. Wait a little before you offer again."),
  many_rematches: () => gettext("You have played many rematches today. Try again tomorrow."),
  busy: () => gettext("You are in another match for credits: finish it first."),
  no_credits: () => gettext("You do not have enough credits for this stake."),
  credits_frozen: () => gettext("Credits are frozen while our team checks the books. What you have won is paid afterwards."),
  committed: () => gettext("Your tournament begins soon. You can play for credits after it has started."),
  paused: () => gettext("You left too many games recently and have to wait. The page of open games shows until when."),
  stake_limit: () => gettext("This stake is above your limit as a newcomer: your credits page shows how to raise it."),
  excluded: () => gettext("You are taking a break from everything that costs credits: “Responsible play” in your menu shows until when."),
  country_closed: () => gettext("Stakes are not available in the country set in your profile. You can still play friendly matches and train."),
  age_unconfirmed: () => gettext("Please confirm your age first, on “Responsible play” in your menu."),
  own_stake: () => gettext("This stake is above the limit that you have set for yourself."),
  own_loss: () => gettext("This stake would exceed the loss limit that you have set for yourself."),
  own_session: () => gettext("You have reached your own playing time limit. You can play for credits again after a break."),
  newcomers: () => gettext("You two can play for credits again once each of you has played more matches that count."),
  ended_early: ({ wait_s }) => endedEarly(Math.ceil(wait_s / 3600)),
  unavailable: () => gettext("Your opponent cannot play a rematch right now."),
};

/** @param {number} hours */
function endedEarly(hours) {
  return fill(
    ngettext(
      "This match ended too early: you two can play for credits again in %(hours)s hour. Until then, choose another opponent.",
      "This match ended too early: you two can play for credits again in %(hours)s hours. Until then, choose another opponent.",
      hours,
    ),
    { hours },
  );
}

/**
 * Return why a rematch was refused; undefined for other refusals.
 * @param {{code:string,wait_s?:number}} error a frame of the server
 */
export const rematchRefusal = (error) => REFUSALS[error.code]?.(error);

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

/**
 * Return whether to take the player to the rematch: once, when it is agreed while the page is open.
 * A page that is opened later, or to which the player comes back, shows the result with a link.
 * @param {string|undefined} before state that the page has shown last
 */
export const followsRematch = (before, state) => state === "made" && before !== undefined && before !== "made";

/**
 * Return whether this page may open the rematch by itself. The newest page at a table takes its
 * seat, so only the window with the seat may, and only while the news is fresh: a phone that was
 * asleep would take the seat from the device on which the player is in the middle of a turn.
 * @param {Model} model @param {number} now server's match clock, ms
 */
export const mayFollow = ({ you, rematch }, now) => you.holder && now < rematch.until + NEWS_WITHIN;

export function drawRematch(model, now, address) {
  const box = part("rematch");
  drawLinks(model, address);
  drawAfter(isFinished(model) && rematchState(model.rematch, model.you.side, now));
  const state = isFinished(model) ? rematchState(model.rematch, model.you.side, now) : "none";
  setHidden(box, state === "none");
  if (state === "none") return;
  const before = box.dataset.state;
  const isNews = before !== state;
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
  if (followsRematch(before, state) && mayFollow(model, now)) location.assign(address(model.rematch.match));
}

/** If there will be no rematch, make the link to the open games the main button. */
function drawAfter(state) {
  part("after-match")?.classList.toggle("button-primary", !UNDECIDED.includes(state) && state !== "made");
}

/** Link to the next match, for its players and for spectators. */
function drawLinks(model, address) {
  const next = model.rematch?.match;
  for (const [name, isMine] of [["rematch-open", true], ["rematch-watch", false]]) {
    const link = part(name);
    const isShown = Boolean(next) && isMine === (model.you.side !== null);
    setHidden(link, !isShown);
    if (isShown) link.href = address(next);
  }
}

function secondsLeft(count) {
  return fill(ngettext("%(count)s second left for a rematch.", "%(count)s seconds left for a rematch.", count), { count });
}

function text(state) {
  switch (state) {
    case "open": return gettext("Another match on the same terms, colors swapped?");
    case "offered": return gettext("You offered a rematch.");
    case "asked": return gettext("Your opponent offers a rematch on the same terms.");
    case "refused": return gettext("No rematch this time.");
    case "made": return gettext("You two have agreed to a rematch.");
    default: return tooLate();
  }
}

function seriesText(series, side) {
  const own = series[side];
  const other = series[otherSide(side)];
  return fill(gettext("Rematch series: %(own)s : %(other)s"), { own, other });
}
