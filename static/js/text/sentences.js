// Sentences of the table, from Django's catalog of the page's language. They are whole sentences
// with named placeholders, so that translators can reorder the words.

import { BAR, ENEMY_TRAY, OFF } from "../board/geometry.js";
import { fill } from "./fill.js";
import { points } from "./points.js";

/** @param {"white"|"black"} side */
export function sideName(side) {
  return side === "white" ? pgettext("side", "White") : pgettext("side", "Black");
}

// Must equal the names in games/bots/opponents.py.
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
  if (seat?.name) {
    return seat.kind === "guest" ? fill(gettext("%(name)s (guest)"), { name: seat.name }) : seat.name;
  }
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

// --- The board read aloud ----------------------------------------------------------------------

/** Name checkers light or dark, which is right for every set of colors. */
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
 * @param {{color:"light"|"dark",isMovable?:boolean,isTarget?:boolean,isSelected?:boolean,names?:{own:string,enemy:string}|null}} state
 *   color = that of the viewer's own checkers; names = the players' for a spectator, who has no tray
 */
export function placeName(place, counts, { color, isMovable, isTarget, isSelected, names = null }) {
  const parts = [placeLabel(place, names), ...contents(counts, color)];
  if (isSelected) parts.push(gettext("selected"));
  else if (isTarget) parts.push(gettext("can go here"));
  else if (isMovable) parts.push(gettext("can move"));
  return parts.join(", ");
}

function placeLabel(place, names) {
  if (place === BAR) return gettext("Bar");
  if (names && place === OFF) return trayOf(names.own);
  if (names && place === ENEMY_TRAY) return trayOf(names.enemy);
  if (place === OFF) return gettext("Your tray");
  if (place === ENEMY_TRAY) return gettext("Opponent’s tray");
  return fill(gettext("Point %(point)s"), { point: place });
}

function trayOf(name) {
  return fill(gettext("Tray of %(name)s"), { name });
}

function contents({ own, enemy }, color) {
  const parts = [];
  if (own) parts.push(checkers(color, own));
  if (enemy) parts.push(checkers(color === "light" ? "dark" : "light", enemy));
  return parts.length ? parts : [gettext("empty")];
}

export function pipsText(own, enemy) {
  return fill(gettext("Pip count: you %(own)s, opponent %(enemy)s."), { own, enemy });
}

/** @param {number} behind own pips less the opponent's */
export function pipDifference(behind) {
  if (!behind) return gettext("level");
  const text = behind < 0
    ? ngettext("%(count)s pip ahead", "%(count)s pips ahead", -behind)
    : ngettext("%(count)s pip behind", "%(count)s pips behind", behind);
  return fill(text, { count: Math.abs(behind) });
}

export function away(points) {
  return fill(ngettext("%(count)s away", "%(count)s away", points), { count: points });
}

// --- What happens ------------------------------------------------------------------------------

export function rolled(isMine, [a, b]) {
  return fill(isMine ? gettext("You rolled %(a)s-%(b)s.") : gettext("Your opponent rolled %(a)s-%(b)s."), { a, b });
}

export function played(isMine, play) {
  return fill(isMine ? gettext("You played %(play)s.") : gettext("Your opponent played %(play)s."), { play });
}

/** @param {boolean} isOnBar the side has checkers on the bar, and none of them can enter */
export function passed(isMine, dice, isOnBar = false) {
  const [a, b] = dice ?? ["?", "?"];
  if (isOnBar) {
    const text = isMine
      ? gettext("You cannot enter from the bar with %(a)s-%(b)s: the turn passes.")
      : gettext("Your opponent cannot enter from the bar with %(a)s-%(b)s: the turn passes to you.");
    return fill(text, { a, b });
  }
  const text = isMine
    ? gettext("You have no legal move with %(a)s-%(b)s: the turn passes.")
    : gettext("Your opponent has no legal move with %(a)s-%(b)s: the turn passes to you.");
  return fill(text, { a, b });
}

/**
 * Return the sentence about the dice that no legal play can use; "" if all can be played. It names
 * the roll too, since screen readers read it instead of the sentence about the roll.
 * @param {number[]} dead values of the dice; for a doublet one entry for each impossible move
 */
export function deadDiceText(dice, dead) {
  if (!dead.length) return "";
  return `${rolled(true, dice)} ${deadText(dice, dead)}`;
}

function deadText(dice, dead) {
  if (dice[0] !== dice[1]) return fill(gettext("No legal move with the %(die)s."), { die: dead.join(", ") });
  const count = 4 - dead.length;
  return fill(ngettext("Only %(count)s move with the %(die)s is possible, not four.", "Only %(count)s moves with the %(die)s are possible, not four.", count), { count, die: dead[0] });
}

/** @param {string} dice such as "6-3" */
export function lastRoll(dice) {
  return fill(gettext("Last roll: %(dice)s"), { dice });
}

/**
 * Return the name of a die.
 * @param {{value:number,isUsed?:boolean,left?:number}} die left = moves left, in a doublet only
 */
export function dieName({ value, isUsed, left }) {
  if (isUsed) return fill(gettext("Die %(value)s, played"), { value });
  if (left === undefined) return fill(gettext("Die %(value)s"), { value });
  return fill(ngettext("Die %(value)s, %(count)s move left", "Die %(value)s, %(count)s moves left", left), { value, count: left });
}

export function forcedText(play) {
  return fill(gettext("The only legal play: %(play)s."), { play });
}

/** @param {boolean} keepsDice whether the winner of the opening roll plays its two dice */
export function opening(mine, theirs, keepsDice) {
  const values = { mine, theirs };
  if (mine === theirs) return fill(gettext("Opening roll: both rolled %(mine)s. The dice are rolled again."), values);
  if (mine < theirs) return fill(gettext("Opening roll: you %(mine)s, opponent %(theirs)s. Your opponent starts."), values);
  return keepsDice
    ? fill(gettext("Opening roll: you %(mine)s, opponent %(theirs)s. You start with these dice."), values)
    : fill(gettext("Opening roll: you %(mine)s, opponent %(theirs)s. You start and roll both dice again."), values);
}

export function gameStarts(game, own, enemy) {
  return fill(gettext("Game %(game)s. The score is %(own)s–%(enemy)s."), { game, own, enemy });
}

/**
 * Return whether a match belongs to a tournament; an exhibition belongs to one with bots.
 * @param {{kind:string}|null} match
 */
export function isTournament(match) {
  return ["tournament", "exhibition"].includes(match?.kind);
}

/** Return the reason why a match is void; isMine: the viewer's side caused it. */
export function calledOff({ cause }, isMine, isTournament = false) {
  if (isTournament) return calledOffInTournament(cause, isMine);
  switch (cause) {
    case "left": return isMine
      ? gettext("You gave up before the first roll: the match does not count.")
      : gettext("Your opponent gave up before the first roll: the match does not count.");
    case "staff": return gettext("Our team called this match off. It does not count.");
    case "no_start": return gettext("A player did not come to the table in time: the match does not count.");
    case "outage": return gettext("The site was unavailable for too long: the match does not count.");
    case "no_dice": return gettext("The site can no longer roll the dice of this match. It does not count.");
    default: return gettext("The match was called off. It does not count.");
  }
}

/** Return the reason why a match of a tournament is void; the tournament goes on. */
function calledOffInTournament(cause, isMine) {
  switch (cause) {
    case "left": return isMine
      ? gettext("You gave up before the first roll and lose by forfeit.")
      : gettext("Your opponent gave up before the first roll: you win by forfeit.");
    case "no_start": return gettext("The time to come to the table is over. A player who did not come loses by forfeit.");
    case "outage": return gettext("The site was unavailable for too long: the match will be played again at a new table.");
    case "no_dice": return gettext("The site can no longer roll the dice of this match: it will be played again at a new table.");
    default: return gettext("Our team called this match off. The tournament’s page says what happens next.");
  }
}

/** Return the sentence for an action such as an offer, an answer or a pause; "" if it has none. */
export function happened(action, isMine, view, isTournament = false) {
  const values = { value: view.cube.value, next: view.cube.value * 2, points: action.factor ? points(view.cube.value * action.factor) : "" };
  const says = (mine, theirs) => fill(isMine ? mine : theirs, values);
  switch (action.kind) {
    case "double": return says(gettext("You offered the cube at %(next)s."), gettext("Your opponent offers the cube at %(next)s."));
    case "take": return says(gettext("You took the cube: it is yours, at %(value)s."), gettext("Your opponent took the cube, now at %(value)s."));
    case "drop": return says(gettext("You dropped the cube and lost the game."), gettext("Your opponent dropped the cube: the game is yours."));
    case "beaver": return says(gettext("You beavered: the cube turns again and stays yours."), gettext("Your opponent beavers: the cube turns again and stays with them."));
    case "resign": return says(gettext("You offered to resign for %(points)s."), gettext("Your opponent offers to resign for %(points)s."));
    case "accept": return says(gettext("You accepted the resignation."), gettext("Your opponent accepted your resignation."));
    case "refuse": return says(gettext("You refused the resignation. Play on."), gettext("Your opponent refused your resignation. Play on."));
    case "resign_match": return says(gettext("You gave up the match."), gettext("Your opponent gave up the match."));
    case "flag": return says(gettext("You are out of time."), gettext("Your opponent is out of time."));
    case "pause": return gettext("The clock is paused.");
    case "resume": return gettext("The clock is running again.");
    case "credit": return gettext("The site was unavailable for a while: that time was added back to the clock.");
    case "void": return calledOff(action, isMine, isTournament);
    default: return "";
  }
}

export function lowTime(seconds) {
  return fill(ngettext("%(seconds)s second left.", "%(seconds)s seconds left.", seconds), { seconds });
}

// --- What to do now ----------------------------------------------------------------------------

/**
 * Return the prompt while something is about to happen automatically.
 * @param {"roll"|"end"|"forced"} next
 */
export function promptBeforeAutomatic(next) {
  switch (next) {
    case "roll": return gettext("Your turn: the dice are rolled automatically.");
    case "forced": return gettext("Your turn ends automatically.");
    default: return gettext("Your turn ends in 2 seconds unless you undo.");
  }
}

/**
 * Return the prompt for the current state.
 * @param {number} onBar own checkers that must enter first
 */
export function prompt(view, { isMine, isPlayer, may, onBar = 0 }) {
  if (!isPlayer && !["between_games", "finished"].includes(view.phase)) return gettext("You are watching.");
  if (view.offer) return isMine ? gettext("Your opponent wants to resign.") : gettext("Waiting for an answer to your resignation.");
  switch (view.phase) {
    case "seating": return gettext("Setting up the board…");
    case "opening": return "";
    case "to_roll":
      if (!isMine) return gettext("Your opponent is about to roll.");
      return may.double ? gettext("Your turn: roll, or offer the cube.") : gettext("Your turn: roll the dice.");
    case "to_play":
      if (isMine && onBar) {
        return fill(ngettext("Your turn: enter your checker from the bar.", "Your turn: enter your %(count)s checkers from the bar.", onBar), { count: onBar });
      }
      return isMine ? gettext("Your turn: move your checkers.") : gettext("Your opponent is thinking.");
    case "cube_offered":
    case "beavered": return isMine ? gettext("The cube is offered to you.") : gettext("Waiting for an answer to the cube.");
    case "between_games": return gettext("The game is over.");
    default: return gettext("The match is over.");
  }
}

/** Sentences for the codes with which the server closes the table. */
export const CLOSED = {
  reload: () => gettext("The site has a new version. Please reload the page."),
  not_found: () => gettext("This match does not exist."),
  forbidden: () => gettext("You do not have access to this match."),
};
