// The page's model of the match: a pure reducer over the server's frames, and queries on it.

import { otherSide, pips } from "../board/positions.js";
import { isTournament } from "../text/sentences.js";

/**
 * @typedef {Object} Model
 * @property {number} seq last action applied; -1 = nothing seen yet
 * @property {number} now server's match clock of the last frame, ms
 * @property {{side:string|null,holder:boolean}} you side null = spectator; holder = this page may
 *   act for the seat
 * @property {object|null} match id, variant, rules, seats, commitment
 * @property {object|null} view the public state: position, dice, cube, phase, side to act
 * @property {object|null} plays legal plays, for the side on turn only
 * @property {object} may actions permitted to this page now
 * @property {object|null} seating before the first game: whether each player has sent hash and entropy
 * @property {{roll:boolean,cube:string|null}|null} premove this player's decisions for the running game
 * @property {object|null} presence which side is away, and the time for which it may still be away;
 *   null in training
 * @property {number} watchers number of spectators
 * @property {object|null} rematch the rematch offer, after the end
 * @property {object[]} log actions known so far, oldest first; complete when there are `seq` of them
 * @property {number} gap place in the log before which actions are missing; 0 if none are
 */

/** @returns {Model} */
export function emptyModel() {
  return {
    seq: -1, now: 0, you: { side: null, holder: false }, match: null,
    view: null, plays: null, may: {}, log: [], gap: 0, seating: null, premove: null, presence: null, watchers: 0, rematch: null,
  };
}

/** @param {Model} model @returns {Model} */
export function reduce(model, frame) {
  switch (frame.t) {
    case "state":
      return {
        ...model,
        seq: frame.seq, now: frame.now, you: frame.you, match: frame.match,
        view: frame.view, plays: frame.plays, may: frame.may ?? {},
        ...logAfter(model, frame),
        seating: frame.seating ?? null, premove: frame.premove ?? null,
        presence: frame.presence ?? null, watchers: frame.watchers ?? 0, rematch: frame.rematch ?? null,
      };
    case "premove":
      return { ...model, premove: frame.premove };
    case "presence":
      return { ...model, presence: frame.presence };
    case "watchers":
      return { ...model, watchers: frame.count };
    case "rematch":
      return { ...model, rematch: frame.rematch };
    case "event":
      return {
        ...model,
        seq: frame.seq, now: frame.now, view: frame.view, plays: frame.plays,
        may: frame.may ?? {}, log: [...model.log, frame.action],
        seating: seatingAfter(model.seating, frame), premove: premoveAfter(model, frame.view),
      };
    case "held":
      return { ...model, you: { ...model.you, holder: false }, plays: null, may: {} };
    default:
      return model;
  }
}

/**
 * Return the log and its gap after a `state` frame, which has the newer actions. If this page
 * missed too many of them, the frame has none, and the log gets a gap. Actions from before the gap
 * stay only if their game is still in play; otherwise the log would lack the end of that game. The
 * frames of spectators never have actions.
 */
function logAfter(model, { seq, view, actions = [] }) {
  const before = seq - actions.length;
  const hasGap = before > model.seq;
  if (hasGap && view.game !== model.view?.game) return { log: actions, gap: 0 };
  const log = [...model.log, ...actions.slice(Math.max(0, model.seq - before))];
  return { log, gap: hasGap ? model.log.length : model.gap };
}

function seatingAfter(seating, { action, view }) {
  if (view.phase !== "seating") return null;
  const added = { entropy_hash: "hash", entropy: "entropy" }[action.kind];
  if (!seating || !added) return seating;
  return { ...seating, [action.side]: { ...seating[action.side], [added]: true } };
}

/** Return the premove, which lasts for one game; null outside of a game and for a spectator. */
function premoveAfter({ premove, view, you }, next) {
  if (you.side === null || ["seating", "between_games", "finished"].includes(next.phase)) return null;
  return (view?.game === next.game && premove) || { roll: false, cube: null };
}

/**
 * Return whether a side is ready for the first or next game; null for a bot between two games, and
 * if the match is not waiting for a game.
 */
export function isReady({ seating, view, match }, side) {
  const isBot = match.seats[side].kind === "bot";
  if (view.phase === "seating") return isBot || Boolean(seating?.[side]?.entropy);
  return view.phase === "between_games" && !isBot ? view.ready.includes(side) : null;
}

/** Return the points that a side still needs; null in a match without a length. */
export function awayOf(view, side) {
  return view.length === null ? null : Math.max(0, view.length - view.score[side]);
}

/** Return whether the log lacks actions from before this page joined. */
export function lacksHistory(model) {
  return model.seq > model.log.length;
}

/**
 * Return the model with a complete log, or the same model if the log lacks actions after `actions`.
 * @param {object[]} actions all actions of the match up to some moment; later ones in the log stay
 */
export function withHistory(model, actions) {
  const known = actions.slice(0, model.seq); // the events of later ones are still to come
  const newer = model.seq - known.length;
  if (newer > model.log.length) return model;
  return { ...model, log: [...known, ...model.log.slice(model.log.length - newer)], gap: 0 };
}

/** Return the known facts of a finished match, for the check of its file (dice/verify.js). */
export function knownOf({ seq, match, view, log }) {
  const { id, variant, rules, commitment } = match;
  const known = { id, variant, rules, commitment, result: { ...view.outcome, score: view.score } };
  return log.length === seq ? { ...known, actions: log } : known;
}

/** Return the side at the bottom of the screen: the player's own, White for a spectator. */
export function viewer(model) {
  return model.you.side ?? "white";
}

export function opponent(model) {
  return otherSide(viewer(model));
}

/** Return whether this page may act for a seat: a player's other tabs only watch. */
export function isPlayer(model) {
  return model.you.side !== null && model.you.holder;
}

export function isMyTurn(model) {
  return isPlayer(model) && model.view?.to_act === model.you.side;
}

/** Return whether this page is expected to play a turn. */
export function isToPlay(model) {
  return isMyTurn(model) && model.view.phase === "to_play" && Boolean(model.plays);
}

/** Return whether this game has a cube, regardless of its owner. */
export function hasCube({ cube, crawford }) {
  return cube.on && !crawford;
}

/** Return whether something can be decided in advance now. */
export function mayPremove(model) {
  return isPlayer(model) && Boolean(model.premove);
}

/**
 * Return whether something is left to decide in advance: the cube, or the roll of a player who
 * rolls by hand.
 */
export function hasPremove(model, isRollManual) {
  return mayPremove(model) && (hasCube(model.view) || isRollManual);
}

/** Return whether to offer premoves: only while the opponent is to act and is a person. */
export function isPremoveUseful(model, isRollManual) {
  const { view, match } = model;
  const other = opponent(model);
  return hasPremove(model, isRollManual) && view.to_act === other && match.seats[other].kind !== "bot";
}

export function isFinished(model) {
  return model.view?.phase === "finished";
}

export function isOfTournament(model) {
  return isTournament(model.match);
}

export function isSeating(model) {
  return model.view?.phase === "seating";
}

export function positionOf(view) {
  return { white: view.white, black: view.black };
}

export function pipsOf(view) {
  return view.pips ?? { white: pips(view.white), black: pips(view.black) };
}

/**
 * Return where the cube is, as a value of geometry.cubeSpot; null if the game shows no cube.
 */
function cubeWhere(view, side) {
  if (!view.cube.on || view.crawford) return null;
  if (view.cube.offered) return view.to_act === side ? "to_own" : "to_enemy";
  if (view.cube.owner === null) return "center";
  return view.cube.owner === side ? "own" : "enemy";
}

/** Return the cube as the board draws it; an offered cube already shows its next value. */
export function cubeOnBoard(view, side) {
  return { where: cubeWhere(view, side), value: view.cube.value * (view.cube.offered ? 2 : 1) };
}

/** Return the dice of one side as the board draws them: the larger first, a doublet four times. */
export function diceOnBoard(dice, side, isUsed = false) {
  const [a, b] = dice;
  const values = a === b ? [a, a, a, a] : [Math.max(a, b), Math.min(a, b)];
  return values.map((value) => ({ value, side, isUsed }));
}

/** Return one side's dice after these moves; each move uses the smallest die that is enough. */
export function diceAfter(dice, side, moves) {
  const faces = diceOnBoard(dice, side);
  for (const { source, target } of moves) {
    const die = faces.findLast((face) => !face.isUsed && face.value >= source - target);
    if (die) die.isUsed = true;
  }
  return faces;
}

/**
 * Return the entries of the move list for the current game: plays as {side, dice, text, auto}, other
 * actions as {side, kind, factor}. In short backgammon no roll is logged before the first play: its
 * dice are the opening roll.
 */
export function turnsOf({ log, gap }) {
  const start = log.findLastIndex((action) => action.kind === "start");
  const turns = [];
  let dice = null;
  for (const [index, action] of log.entries()) {
    if (index <= start) continue;
    if (index === gap) dice = null;
    if (action.kind === "opening") dice = [action.white, action.black];
    if (action.kind === "roll") dice = [action.d1, action.d2];
    if (action.kind === "play") {
      turns.push({ side: action.side, dice, text: action.text, auto: Boolean(action.auto) });
    }
    if (["double", "take", "drop", "beaver", "resign", "accept", "refuse"].includes(action.kind)) {
      turns.push({ side: action.side, kind: action.kind, factor: action.factor ?? null });
    }
  }
  return turns;
}

/**
 * Return the value of the cube when an entry of the move list was made.
 * @param {object[]} turns of `turnsOf`
 * @param {number} value of the cube now
 */
export function cubeAt(turns, index, value) {
  const later = turns.slice(index).map(({ kind }) => kind);
  const raised = later.filter((kind, at) => kind === "take" || (kind === "beaver" && later[at + 1] === "take"));
  return value / 2 ** raised.length;
}

/** Return the start of the running game in ms of the match clock; null when the log lacks it. */
export function gameStartedAt(log) {
  const start = log.findLast((action) => action.kind === "start");
  return start ? start.at_ms : null;
}

/**
 * Return the time to show, in ms of the match clock: that of the last action if the match is over,
 * else `now`.
 */
export function clockOf(model, now) {
  return isFinished(model) ? model.log.at(-1)?.at_ms ?? model.now : now;
}
