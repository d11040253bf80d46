// Run typed commands at the table and return the sentence that answers them.

import { moveText, playText } from "../board/positions.js";
import { pipsOf, positionOf, viewer } from "../play/model.js";
import { describeBoard, describePips, helpText } from "./typed-box.js";
import { rolled } from "../text/sentences.js";

// Commands that go to the server without fields.
const SIMPLE = new Set(["roll", "double", "take", "drop", "beaver", "accept", "refuse", "next", "pause", "resume"]);
// Players type either word for both offers: doubles are taken, resignations are accepted.
const SAME_ANSWER = { take: "accept", accept: "take" };

/**
 * @param {object} table has model, turn, isBusy, announcer, coach, command, done, undo, wake, why,
 *   mayNow
 * @param {{name:string,factor?:number,written?:object[]}} command as parsed
 * @returns {string}
 */
export function runTypedCommand(table, command) {
  table.wake();
  const { name } = command;
  if (SIMPLE.has(name)) return simple(table, name);
  switch (name) {
    case "play": return play(table, command.written);
    case "done": return done(table);
    case "undo": return undo(table);
    case "hint": return table.coach ? table.coach.ask() : gettext("The coach is available in training only.");
    case "anyway": return anyway(table);
    case "resign": return resign(table, command.factor);
    case "board": return describeBoard(shownPosition(table), viewer(table.model), table.model.match.variant);
    case "pips": return describePips(pipsOf(shownPosition(table)), viewer(table.model));
    case "dice": return dice(table);
    case "moves": return moves(table);
    case "status": return table.announcer.text;
    default: return helpText();
  }
}

function shownPosition(table) {
  return table.turn.position ?? positionOf(table.model.view);
}

const notNow = () => gettext("That is not possible right now.");

function simple(table, name) {
  const may = table.mayNow();
  const command = [name, SAME_ANSWER[name]].find((each) => may[each]);
  if (!command) return notNow();
  table.command(command);
  return gettext("Sent.");
}

function resign(table, factor) {
  if (!(table.mayNow().resign ?? []).includes(factor)) return notNow();
  table.command("resign", { factor });
  return gettext("Sent.");
}

function play(table, written) {
  const { turn } = table;
  if (!turn.isActive) return gettext("It is not your turn to move.");
  if (table.isBusy) return notNow();
  const before = turn.moves.length;
  const refused = turn.playTyped(written);
  if (refused) {
    table.why(refused.source, refused.target);
    return interpolate(gettext("%(move)s is not possible."), { move: moveText(refused) }, true);
  }
  const text = playText(turn.moves.slice(before));
  return interpolate(
    turn.isComplete
      ? gettext("%(moves)s. The turn is complete: type “done” or “undo”.")
      : gettext("%(moves)s. You still have moves to play."),
    { moves: text }, true);
}

function done(table) {
  if (!table.turn.isActive) return gettext("It is not your turn to move.");
  if (!table.turn.isComplete) return gettext("Your turn is not complete: you can play more of the roll.");
  if (table.coach?.isWarning) return gettext("Type “undo” to take it back, or “anyway” to continue.");
  if (table.isBusy) return gettext("Your turn is over.");
  table.done();
  return gettext("Sent.");
}

/** Play despite the coach's warning. */
function anyway({ coach }) {
  if (!coach?.isWarning) return notNow();
  coach.insist();
  return gettext("Sent.");
}

function undo(table) {
  if (table.coach?.isWarning) {
    table.coach.takeBack();
    return gettext("Undone: it is still your turn.");
  }
  if (table.isBusy) return notNow();
  if (!table.turn.canUndo) return gettext("There is nothing to undo.");
  table.undo();
  return table.turn.text === "-"
    ? gettext("Undone. Nothing is played yet.")
    : interpolate(gettext("Undone. Still played: %(moves)s."), { moves: table.turn.text }, true);
}

function dice({ model, turn }) {
  if (!model.view.dice) return gettext("The dice have not been rolled.");
  // Compare the sides: `turn.isActive` is false in a window without the seat, which shows the roll
  // too.
  const text = rolled(model.view.turn === viewer(model), model.view.dice);
  if (!turn.isActive) return text;
  const left = turn.dice.filter((die) => !die.isUsed).map((die) => die.value).join(", ");
  return left ? `${text} ${interpolate(gettext("Still to play: %(dice)s."), { dice: left }, true)}` : text;
}

function moves({ turn }) {
  if (!turn.isActive) return gettext("It is not your turn to move.");
  const texts = turn.singleMoves.map(moveText);
  return texts.length ? [...new Set(texts)].join(", ") : gettext("No more moves are possible.");
}
