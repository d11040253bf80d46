// Sentences about offers, about the end of a game and a match, and about the dice check.

import { otherSide } from "../board/positions.js";
import { fill } from "./fill.js";
import { kindName, points } from "./points.js";

// --- The end of a game and of a match ------------------------------------------------------------

export function gameTitle(result, isMine) {
  if (result.winner === null) return gettext("The game is drawn");
  return isMine ? gettext("You won the game") : gettext("Your opponent won the game");
}

/** Return the cause of the game's end, from the viewer's side. */
export function gameCause(result, iWon) {
  const causes = {
    bear_off: [gettext("You bore off all your checkers first."), gettext("Your opponent bore off all checkers first.")],
    drop: [gettext("Your opponent dropped the cube."), gettext("You dropped the cube.")],
    resign: [gettext("Your opponent resigned."), gettext("You resigned.")],
    resign_match: [gettext("Your opponent gave up the match."), gettext("You gave up the match.")],
    flag: [gettext("Your opponent ran out of time."), gettext("You ran out of time.")],
    leave: [gettext("Your opponent left."), gettext("You left.")],
    claim: [gettext("Your opponent was away too long."), gettext("You were away too long.")],
  };
  if (result.winner === null) return gettext("Both sides finished in the same number of turns.");
  return causes[result.cause]?.[iWon ? 0 : 1] ?? "";
}

export function resultPoints(result) {
  const values = { kind: kindName(result.kind), points: points(result.points), cube: result.cube };
  if (result.winner === null) return fill(gettext("%(points)s each"), values);
  if (result.cause === "drop") return fill(gettext("%(points)s, the cube’s value before the offer"), values);
  if (result.cube > 1) return fill(gettext("%(kind)s with the cube at %(cube)s: %(points)s"), values);
  return fill(gettext("%(kind)s: %(points)s"), values);
}

/** @param {boolean} isTechnical whether the match is void because a player did not come or gave up
 *   before the first roll */
export function matchTitle(outcome, side, isTechnical = false) {
  if (isTechnical) return gettext("The match was not played");
  if (outcome.cause === "void") return gettext("The match was called off");
  if (outcome.winner === null) return gettext("The match is drawn");
  return outcome.winner === side ? gettext("You won the match") : gettext("Your opponent won the match");
}

export function matchIsTo(length) {
  return fill(gettext("The match is to %(length)s."), { length });
}

/** Return whether a match was won before the match length was reached, such as by resigning. */
export function isCutShort({ winner }, { length, score }) {
  return winner !== null && length !== null && score[winner] < length;
}

/** Return the score of a match that was cut short; "" at 0 : 0. */
export function scoreAtEnd({ length, score }, side) {
  const own = score[side];
  const enemy = score[otherSide(side)];
  if (own + enemy === 0) return "";
  return fill(gettext("The score was %(own)s : %(enemy)s in a match to %(length)s."), { own, enemy, length });
}

/**
 * Return the credits won or lost in a match, with the house's share.
 * @param {{stake:number,rake:number,payout:number}|null} stake
 * @param {string|null} side the viewer's; null for a spectator
 */
export function creditsText(stake, outcome, side) {
  if (!stake || side === null) return "";
  if (!outcome.winner) return gettext("Both stakes are returned in full.");
  if (outcome.winner !== side) {
    const text = ngettext("−%(stake)s credit", "−%(stake)s credits", stake.stake);
    return fill(text, stake);
  }
  const values = { ...stake, profit: stake.payout - stake.stake };
  return fill(gettext("+%(profit)s credits: the pot of %(pot)s, less your stake and the site fee of %(rake)s"), { ...values, pot: 2 * stake.stake });
}

/** Return the price of a rematch on the same terms; "" for a match without stakes. */
export function rematchPrice(stake) {
  return stake ? fill(gettext("Stake: %(stake)s · site fee: %(rake)s, from the winner"), stake) : "";
}

// --- Offers ------------------------------------------------------------------------------------

export function takeText(cost) {
  return fill(gettext("Take: play on, and the cube is yours. A single game is then worth %(points)s."), { points: points(cost) });
}

export function dropText(cost) {
  return fill(gettext("Drop: the game ends and you lose %(points)s."), { points: points(cost) });
}

export function beaverTakeText(cost) {
  return fill(gettext("Take: play on, and the cube stays your opponent’s. A single game is then worth %(points)s."), { points: points(cost) });
}

export function doubleTakenText(cost) {
  return fill(gettext("If your opponent takes it, the cube is theirs and a single game is worth %(points)s."), { points: points(cost) });
}

export function doubleDroppedText(cost) {
  return fill(gettext("If your opponent drops it, the game ends and you win %(points)s."), { points: points(cost) });
}

export function resignOffer(count) {
  return fill(gettext("Your opponent would lose %(points)s. Accept, or play on for more."), { points: points(count) });
}

/** Return the label with the seconds until the next game starts automatically. */
export function nextIn(seconds) {
  return fill(gettext("Next game (%(seconds)s)"), { seconds });
}

// --- Dice check --------------------------------------------------------------------------------

export function verdict(check) {
  if (check.ok) {
    return fill(ngettext(
      "%(rolls)s roll recomputed in this browser: it matches the secret.",
      "%(rolls)s rolls recomputed in this browser: all of them match the secret.",
      check.rolls), check);
  }
  switch (check.fault) {
    case "lost": return gettext("The site could not reveal the secret of this match, so its dice cannot be checked.");
    case "no_secret": return gettext("The secret is not revealed yet: come back when the match is over.");
    case "commitment": return gettext("The secret does not match the seal shown at the start.");
    case "entropy": return gettext("What the players added does not match the seals they sent first.");
    case "record": return gettext("The file does not match what this page knows about the match: it was changed, or it belongs to another match.");
    default: return fill(gettext("Roll %(number)s of game %(game)s does not match the secret."), check);
  }
}
