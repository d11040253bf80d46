// Every sentence of the table, through Django's catalog of the page's language. Whole sentences
// with named placeholders, so that translators can reorder them.

import { BAR, ENEMY_TRAY, OFF } from "../board/geometry.js";

const fill = (text, values) => interpolate(text, values, true);

/** @param {"white"|"black"} side */
export function sideName(side) {
  return side === "white" ? pgettext("side", "White") : pgettext("side", "Black");
}

// Must equal the names in games/levels.py.
const BOTS = {
  beginner: () => [pgettext("bot's name", "Lola"), pgettext("level", "Beginner")],
  casual: () => [pgettext("bot's name", "Niko"), pgettext("level", "Casual")],
  club: () => [pgettext("bot's name", "Mira"), pgettext("level", "Club")],
  strong: () => [pgettext("bot's name", "Timur"), pgettext("level", "Strong")],
  expert: () => [pgettext("bot's name", "Leyla"), pgettext("level", "Expert")],
  master: () => [pgettext("bot's name", "Arslan"), pgettext("level", "Master")],
};

export function seatName(seat, isMe) {
  if (isMe) return gettext("You");
  if (seat?.kind === "bot") return botName(seat.level);
  if (seat?.name) return seat.name;
  return seat?.kind === "user" ? gettext("Closed account") : gettext("Guest");
}

function botName(ofLevel) {
  if (!BOTS[ofLevel]) return gettext("Computer");
  const [name, level] = BOTS[ofLevel]();
  return fill(pgettext("a bot's name and level", "%(name)s · %(level)s"), { name, level });
}

export function seatLabel(seat) {
  return seat?.kind === "bot" ? pgettext("kind of player", "bot") : "";
}

/**
 * Return the credits won or lost in a match, with the house's share.
 * @param {{stake:number,rake:number,payout:number}|null} stake
 * @param {string|null} side the viewer's; null for a spectator
 */
export function creditsText(stake, outcome, side) {
  if (!stake || side === null) return "";
  if (!outcome.winner) return gettext("Both stakes are back, without any deduction.");
  if (outcome.winner !== side) {
    const text = ngettext("−%(stake)s credit", "−%(stake)s credits", stake.stake);
    return fill(text, stake);
  }
  const values = { ...stake, profit: stake.payout - stake.stake };
  return fill(gettext("+%(profit)s credits: the pot of %(pot)s less %(rake)s for the house"), { ...values, pot: 2 * stake.stake });
}

// --- The board read aloud ----------------------------------------------------------------------

/** Light and dark are correct for every set of checkers. */
function checkers(color, count) {
  const text = color === "light"
    ? ngettext("%(count)s light checker", "%(count)s light checkers", count)
    : ngettext("%(count)s dark checker", "%(count)s dark checkers", count);
  return fill(text, { count });
}

/**
 * Return the spoken name of a place.
 * @param {number} place viewer's number
 * @param {{own:number,enemy:number}} counts
 * @param {{color:"light"|"dark",isMovable?:boolean,isTarget?:boolean,isSelected?:boolean}} state
 *   color = that of the viewer's own checkers
 */
export function placeName(place, counts, { color, isMovable, isTarget, isSelected }) {
  const parts = [placeLabel(place), ...contents(counts, color)];
  if (isSelected) parts.push(gettext("selected"));
  else if (isTarget) parts.push(gettext("can go here"));
  else if (isMovable) parts.push(gettext("can move"));
  return parts.join(", ");
}

function placeLabel(place) {
  if (place === BAR) return gettext("Bar");
  if (place === OFF) return gettext("Your tray");
  if (place === ENEMY_TRAY) return gettext("Opponent's tray");
  return fill(gettext("Point %(point)s"), { point: place });
}

function contents({ own, enemy }, color) {
  const parts = [];
  if (own) parts.push(checkers(color, own));
  if (enemy) parts.push(checkers(color === "light" ? "dark" : "light", enemy));
  return parts.length ? parts : [gettext("empty")];
}

/** Describe the whole board in two sentences, for the command box. */
export function boardText(list) {
  return fill(gettext("You: %(own)s. Opponent, in your numbers: %(enemy)s."), list);
}

export function stackText(place, count) {
  if (place === BAR) return fill(gettext("bar (%(count)s)"), { count });
  if (place === OFF || place === ENEMY_TRAY) return fill(gettext("off (%(count)s)"), { count });
  return `${place} (${count})`;
}

export function pipsText(own, enemy) {
  return fill(gettext("Pip count: you %(own)s, opponent %(enemy)s."), { own, enemy });
}

// --- What happens ------------------------------------------------------------------------------

export function rolled(isMine, [a, b]) {
  return fill(isMine ? gettext("You rolled %(a)s-%(b)s.") : gettext("Your opponent rolled %(a)s-%(b)s."), { a, b });
}

export function played(isMine, play) {
  return fill(isMine ? gettext("You played %(play)s.") : gettext("Your opponent played %(play)s."), { play });
}

export function passed(isMine, dice) {
  const [a, b] = dice ?? ["?", "?"];
  const text = isMine
    ? gettext("You have no legal move with %(a)s-%(b)s: the turn passes.")
    : gettext("Your opponent has no legal move with %(a)s-%(b)s: the turn passes to you.");
  return fill(text, { a, b });
}

export function forced(play) {
  return fill(gettext("The only legal play: %(play)s."), { play });
}

export function opening(mine, theirs, goesOn) {
  const values = { mine, theirs };
  if (mine === theirs) return fill(gettext("Opening roll: both threw %(mine)s. Once more."), values);
  if (mine < theirs) return fill(gettext("Opening roll: you %(mine)s, opponent %(theirs)s. Your opponent starts."), values);
  return goesOn
    ? fill(gettext("Opening roll: you %(mine)s, opponent %(theirs)s. You start with these dice."), values)
    : fill(gettext("Opening roll: you %(mine)s, opponent %(theirs)s. You start and roll afresh."), values);
}

export function gameStarts(game, own, enemy) {
  return fill(gettext("Game %(game)s. The score is %(own)s–%(enemy)s."), { game, own, enemy });
}

/** Return the sentence for an offer, its answer or an end; "" when there is none. */
export function happened(action, isMine, view) {
  const values = { value: view.cube.value, next: view.cube.value * 2, factor: action.factor ?? 0 };
  const says = (mine, theirs) => fill(isMine ? mine : theirs, values);
  switch (action.kind) {
    case "double": return says(gettext("You offered the cube at %(next)s."), gettext("Your opponent offers the cube at %(next)s."));
    case "take": return says(gettext("You took the cube: it is yours, at %(value)s."), gettext("Your opponent took the cube, now at %(value)s."));
    case "drop": return says(gettext("You dropped the cube and lost the game."), gettext("Your opponent dropped the cube: the game is yours."));
    case "beaver": return says(gettext("You beavered: the cube turns again and stays yours."), gettext("Your opponent beavers: the cube turns again and stays there."));
    case "resign": return says(gettext("You offered to resign at %(factor)s times the cube."), gettext("Your opponent offers to resign at %(factor)s times the cube."));
    case "accept": return says(gettext("You accepted the resignation."), gettext("Your opponent accepted your resignation."));
    case "refuse": return says(gettext("You refused the resignation. Play on."), gettext("Your opponent refused your resignation. Play on."));
    case "resign_match": return says(gettext("You gave up the match."), gettext("Your opponent gave up the match."));
    case "flag": return says(gettext("Your time is over."), gettext("Your opponent's time is over."));
    case "pause": return gettext("The clock is paused.");
    case "resume": return gettext("The clock goes on.");
    case "credit": return gettext("The site was out of reach for a while: the clock was given that time back.");
    case "void": return gettext("The match was called off. It counts for nothing.");
    default: return "";
  }
}

export function lowTime(seconds) {
  return fill(ngettext("%(seconds)s second left.", "%(seconds)s seconds left.", seconds), { seconds });
}

// --- What to do now ----------------------------------------------------------------------------

/** Return the prompt for the current state. */
export function prompt(view, { isMine, isPlayer, may }) {
  if (!isPlayer && !["between_games", "finished"].includes(view.phase)) return gettext("You are watching.");
  if (view.offer) return isMine ? gettext("Your opponent offers to resign.") : gettext("Waiting for an answer to your resignation.");
  switch (view.phase) {
    case "seating": return gettext("Setting up the board…");
    case "opening": return "";
    case "to_roll":
      if (!isMine) return gettext("Your opponent is about to roll.");
      return may.double ? gettext("Your turn: roll, or offer the cube.") : gettext("Your turn: roll the dice.");
    case "to_play": return isMine ? gettext("Your turn: move your checkers.") : gettext("Your opponent is thinking.");
    case "cube_offered":
    case "beavered": return isMine ? gettext("The cube is offered to you.") : gettext("Waiting for an answer to the cube.");
    case "between_games": return gettext("The game is over.");
    default: return gettext("The match is over.");
  }
}

export function points(count) {
  return fill(ngettext("%(count)s point", "%(count)s points", count), { count });
}

// --- The end of a game and of a match ------------------------------------------------------------

const KINDS = {
  single: () => gettext("Single game"),
  gammon: () => gettext("Mars"),
  backgammon: () => gettext("Koks"),
};

export function kindName(kind) {
  return KINDS[kind]?.() ?? "";
}

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
    claim: [gettext("Your opponent stayed away too long."), gettext("You were away too long.")],
  };
  if (result.winner === null) return gettext("Both sides finished in equal turns.");
  return causes[result.cause]?.[iWon ? 0 : 1] ?? "";
}

export function resultPoints(result) {
  const values = { kind: kindName(result.kind), points: points(result.points), cube: result.cube };
  if (result.winner === null) return fill(gettext("%(points)s each"), values);
  if (result.cause === "drop") return fill(gettext("%(points)s, the cube's value before the offer"), values);
  if (result.cube > 1) return fill(gettext("%(kind)s with the cube at %(cube)s: %(points)s"), values);
  return fill(gettext("%(kind)s: %(points)s"), values);
}

export function matchTitle(outcome, side) {
  if (outcome.cause === "void") return gettext("The match was called off");
  if (outcome.winner === null) return gettext("The match is drawn");
  return outcome.winner === side ? gettext("You won the match") : gettext("Your opponent won the match");
}

// --- Offers ------------------------------------------------------------------------------------

export function takeText(cost) {
  return fill(gettext("Take: play on, and the cube is yours. A single game is then worth %(points)s."), { points: points(cost) });
}

export function dropText(cost) {
  return fill(gettext("Drop: the game ends and you lose %(points)s."), { points: points(cost) });
}

export function beaverTakeText(cost) {
  return fill(gettext("Take: play on, and the cube stays your opponent's. A single game is then worth %(points)s."), { points: points(cost) });
}

export function doubleTakenText(cost) {
  return fill(gettext("If your opponent takes it, the cube is theirs and a single game is worth %(points)s."), { points: points(cost) });
}

export function doubleDroppedText(cost) {
  return fill(gettext("If your opponent drops it, the game ends and you win %(points)s."), { points: points(cost) });
}

export function resignCost(kind, count) {
  return fill(gettext("%(kind)s: you lose %(points)s"), { kind: kindName(kind), points: points(count) });
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
      "%(rolls)s roll recomputed in this browser: it is the one the secret gives.",
      "%(rolls)s rolls recomputed in this browser: every one is the one the secret gives.",
      check.rolls), check);
  }
  switch (check.fault) {
    case "no_secret": return gettext("The secret is not revealed yet: come back when the match is over.");
    case "commitment": return gettext("The secret does not fit the seal shown at the start.");
    case "entropy": return gettext("The players' additions do not fit what was promised before.");
    case "record": return gettext("The file does not match what this page knows of the match: it was changed, or it belongs to another match.");
    default: return fill(gettext("Roll %(number)s of game %(game)s is not the one the secret gives."), check);
  }
}
