// The table's sentences for a spectator, which name both players.

import { fill } from "./fill.js";
import { points } from "./points.js";
import { isTournament, seatName } from "./sentences.js";

const HAPPENED = {
  double: () => gettext("%(name)s offers the cube at %(next)s."),
  take: () => gettext("%(name)s takes the cube, now at %(value)s."),
  drop: () => gettext("%(name)s drops the cube and loses the game."),
  beaver: () => gettext("%(name)s beavers: the cube turns again and stays with them."),
  resign: () => gettext("%(name)s offers to resign for %(points)s."),
  accept: () => gettext("%(name)s accepts the resignation."),
  refuse: () => gettext("%(name)s refuses the resignation: the game goes on."),
  resign_match: () => gettext("%(name)s gives up the match."),
  flag: () => gettext("%(name)s is out of time."),
  leave: () => gettext("%(name)s leaves the table and loses the match."),
  claim: () => gettext("%(name)s claims the win: the opponent was away too long."),
};

/** Replacements for the sentences of sentences.js and result-sentences.js that say "you". */
export class SpectatorText {
  /** @param {{white:string,black:string}} names */
  constructor(names, isTournament = false) {
    this.names = names;
    this.isTournament = isTournament;
  }

  #of(action) {
    return { name: this.names[action.side] };
  }

  opening(action) {
    const values = { white: this.names.white, a: action.white, black: this.names.black, b: action.black };
    return fill(gettext("Opening roll: %(white)s %(a)s, %(black)s %(b)s."), values);
  }

  rolled(action) {
    return fill(gettext("%(name)s rolled %(a)s-%(b)s."), { ...this.#of(action), a: action.d1, b: action.d2 });
  }

  played(side, play) {
    return fill(gettext("%(name)s played %(play)s."), { name: this.names[side], play });
  }

  passed(action) {
    return fill(gettext("%(name)s has no legal move: the turn passes."), this.#of(action));
  }

  happened(action, view) {
    if (action.kind === "void") return this.calledOff(action);
    const values = { ...this.#of(action), value: view.cube.value, next: view.cube.value * 2, points: action.factor ? points(view.cube.value * action.factor) : "" };
    const text = HAPPENED[action.kind]?.();
    return text ? fill(text, values) : null;
  }

  /** Return why a match is void; null if the sentence of sentences.js fits, which names no player. */
  calledOff(action) {
    if (action.cause !== "left") return null;
    if (this.isTournament) return fill(gettext("%(name)s gave up before the first roll and loses by forfeit."), this.#of(action));
    return fill(gettext("%(name)s gave up before the first roll: the match does not count."), this.#of(action));
  }

  gameTitle(result) {
    if (result.winner === null) return gettext("The game is drawn");
    return fill(gettext("%(name)s won the game"), { name: this.names[result.winner] });
  }

  matchTitle(outcome) {
    if (outcome.winner === null) return null; // called off or drawn: result-sentences.js has a title without names
    return fill(gettext("%(name)s won the match"), { name: this.names[outcome.winner] });
  }
}

/** Return the spectator's sentences; null for a player. */
export function spectatorTextOf({ match, you }) {
  if (!match || you.side !== null) return null;
  const { white, black } = match.seats;
  return new SpectatorText({ white: seatName(white, false), black: seatName(black, false) }, isTournament(match));
}
