// One sentence for each reason of a refusal.

import { fill } from "./fill.js";
import { CLOSED } from "./sentences.js";

/** The engine's reason codes. `points` are the places at fault, in the viewer's numbering. */
const REASONS = {
  not_your_turn: () => gettext("It is not your turn."),
  wrong_phase: () => gettext("That is not possible right now."),
  game_over: () => gettext("This game is over."),
  out_of_time: () => gettext("Time was already up."),
  not_your_checker: () => gettext("This checker is not yours."),
  point_empty: () => gettext("You have no checker there."),
  point_closed: ([point]) => point
    ? fill(gettext("Point %(point)s is closed by your opponent’s checkers."), { point })
    : gettext("That point is closed by your opponent’s checkers."),
  bar_first: () => gettext("First enter your checkers from the bar."),
  not_home: ([point]) => point
    ? fill(gettext("You can bear off once all your checkers are home: there is still one on point %(point)s."), { point: point === 25 ? gettext("the bar") : point })
    : gettext("You can bear off once all your checkers are home."),
  higher_checker: ([point]) => point
    ? fill(gettext("This number is larger than that checker needs, and you have another one farther back, on point %(point)s."), { point })
    : gettext("This number is larger than that checker needs, and you have another one farther back."),
  head_taken: () => gettext("No more checkers may leave the head this turn."),
  block: () => gettext("That would build a block of six with no enemy checker ahead of it."),
  hit_and_run: () => gettext("A checker that hits may not move on to a point with its own side’s checkers in the same turn."),
  wrong_die: () => gettext("Neither die reaches that point."),
  must_use_both: () => gettext("Both dice can be played, and this move would spoil one of them."),
  must_use_larger: () => gettext("Only one of the dice can be played, and it must be the larger one."),
  more_dice_possible: () => gettext("You can play more of the roll in another way."),
  incomplete_play: () => gettext("Your turn is not complete: you can play more of the roll."),
  no_legal_move: () => gettext("There is no legal move with this roll."),
  cube_off: () => gettext("This match is played without the cube."),
  cube_not_yours: () => gettext("The cube belongs to your opponent."),
  cube_dead: () => gettext("The cube is dead: doubling could win you nothing more."),
  cube_first_turn: () => gettext("The cube cannot be offered on the first turn of a game."),
  cube_crawford: () => gettext("This is the Crawford game: it has no cube."),
  cube_max: () => gettext("The cube is at its highest value."),
  beaver_off: () => gettext("Beavers are not played in this match."),
  resign_too_low: () => gettext("Your opponent is already certain to win more than that."),
  resign_pending: () => gettext("A resignation is already waiting for an answer."),
  no_offer: () => gettext("There is no offer to answer."),
};

/** The socket's own codes; `table/rematch.js` has those of rematches. */
const CODES = {
  stale: () => gettext("The position had already changed. Please try again."),
  passive: () => gettext("You are playing this match in another window or on another device."),
  not_seated: () => gettext("You are watching this match."),
  too_fast: () => gettext("Too fast: please wait a moment."),
  too_many: () => gettext("You have muted as many players as you can. Unmute one first."),
  silenced: () => gettext("Our team has turned off chat for you. You can keep playing."),
  refused_word: () => gettext("Your message has a word that is not allowed here. Change it and send it again."),
  not_member: () => gettext("Only members can write here."),
  not_absent: () => gettext("Your opponent still has time to come back."),
  no_coach: () => gettext("The coach is available in training only."),
  no_answer: () => gettext("The coach could not answer. Ask again in a moment."),
  not_ready: () => gettext("The site has just restarted, and the coach is not ready yet. Ask again in a minute."),
  blunder: () => gettext("The coach advises against it; nothing has been played."),
  finished: () => gettext("The match is over."),
  ...CLOSED,
  out_of_time: REASONS.out_of_time,
  wrong_phase: REASONS.wrong_phase,
  not_your_turn: REASONS.not_your_turn,
};

/** @param {string} reason @param {number[]} [points] */
export function reasonText(reason, points = []) {
  return (REASONS[reason] ?? (() => gettext("That is not possible.")))(points);
}

/** @param {{code:string,reason?:string,points?:number[]}} error a frame of the server */
export function errorText({ code, reason, points }) {
  if (reason) return reasonText(reason, points);
  return (CODES[code] ?? (() => gettext("The server could not do that. Please try again.")))();
}
