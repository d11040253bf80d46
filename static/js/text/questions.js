// The questions that the dialog behind "More" asks before a resignation, giving up and leaving.

import { KIND_OF, resignCost } from "./points.js";

/**
 * Return the question before leaving, which says where the match goes on; "" if it is over. If
 * leaving loses the match, the window that holds the seat does not ask, since it has the button to
 * give up instead of the one to leave; only the player's other windows ask.
 */
export function leaveQuestion(table) {
  if (table.isOver()) return "";
  return table.losesMatch()
    ? gettext("Leave the table? The match goes on in your other window.")
    : gettext("Leave the table? The match waits for you: you can find it under Training.");
}

/** Return the sentences about the consequences of giving up the match. */
export function giveUpQuestion(table) {
  if (table.isBeforeRoll()) {
    return table.losesStake()
      ? gettext("Give up the match? There has been no roll yet, so it is called off, both stakes are returned, and this goes on your record.")
      : gettext("Give up the match? There has been no roll yet, so it is called off.");
  }
  return table.losesStake()
    ? gettext("Give up the whole match? Your opponent wins it, and you lose your stake.")
    : gettext("Give up the whole match? Your opponent wins it.");
}

/** Return the question before a resignation. Its price is current; the button's may be older. */
function resignQuestion(factor, cubeValue) {
  const cost = resignCost(KIND_OF[factor], factor * cubeValue);
  return interpolate(gettext("Offer to resign? %(cost)s. Your opponent may refuse."), { cost }, true);
}

/**
 * Return the question of the dialog after a press on a button.
 * @param {"resign"|"resign-match"|"leave"} action
 * @param {object} table of `MoreDialog`
 * @param {() => void} giveUp gives up the match
 * @returns {{button:Element,text:() => string,yes:string,run:() => void}}
 */
export function questionOf(action, button, table, giveUp) {
  if (action === "resign") {
    const factor = Number(button.dataset.factor);
    return {
      button, text: () => resignQuestion(factor, table.cubeValue()),
      yes: gettext("Offer to resign"), run: () => table.command("resign", { factor }),
    };
  }
  return action === "leave"
    ? { button, text: () => leaveQuestion(table), yes: gettext("Leave the table"), run: () => table.leave() }
    : { button, text: () => giveUpQuestion(table), yes: gettext("Give up the match"), run: giveUp };
}
