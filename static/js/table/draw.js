// Draw the whole page from the table's state: board, strips, buttons, panels, dialog.

import { BAR } from "../board/geometry.js";
import { remaining } from "../play/clock.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { drawActions, drawClocks, drawFacts, drawLastRoll, drawMoves, drawStrips, drawTimes } from "./panels.js";
import { clockOf, gameStartedAt, hasCube, isMyTurn, isPlayer, isPremoveUseful, positionOf, viewer } from "../play/model.js";
import { drawTurn } from "../play/draw-turn.js";
import * as words from "../text/sentences.js";

/** @param {object} table of main.js; `shown` is the displayed view */
export function drawTable(table) {
  const { model, shown: view, turn } = table;
  const may = table.mayNow();
  drawState(table, view);
  table.board.setColors(table.settings.colorsFor(model.you.side));
  drawTurn(table, {
    side: viewer(model), variant: model.match.variant, position: positionOf(view),
    isBusy: table.isBusy, culprits: table.culprits, names: spectatorNames(model),
  });
  drawStrips(model, view, table.settings);
  if (table.stage.isIdle) drawLastRoll(model, table.settings); // not before the board has shown it
  drawFacts(model, view, part("details"));
  drawMoves(model, part("moves"), table.settings);
  drawActions(document.querySelector(".action-bar"), {
    phase: view.phase, may, isPlayer: isPlayer(model), isBusy: table.isBusy,
    isPlaying: turn.isActive, canUndo: turn.canUndo, isComplete: turn.isComplete,
    hasCube: hasCube(view), isWatching: model.you.side === null,
    offersPremove: table.premoves !== null && isPremoveUseful(model, table.settings.get("dice") === "manual"),
  });
  const isAutomatic = ["roll", "forced"].includes(table.autoPlay.pending);
  const canEnd = turn.isComplete && !table.isBusy && !isAutomatic && !table.coach?.isWarning;
  table.middle.draw({
    roll: Boolean(may.roll) && !may.resume && !isAutomatic && !table.isDoubling,
    done: canEnd, undo: canEnd && turn.canUndo, isEnding: table.autoPlay.pending === "end",
  });
  table.tip.draw(turn, table.settings.get("tap") === "play");
  table.premoves?.draw();
  table.offers?.drawOffers({ ...model, may }, view, table.isDoubling);
  table.offers?.drawResult(model, view);
  table.coach?.draw();
  table.moreDialog.draw(model, view, may);
  setHidden(part("typed"), model.you.side === null);
  setText(part("commitment"), model.match.commitment ?? "–");
  setText(part("entropy-own"), table.entropy.shown ?? "–");
  drawTime(table, table.time.at(performance.now()));
  table.announcer.prompt(promptOf(table, view, may));
  drawTitle(table);
  keepFocus(table);
}

/** Return the players' names for a spectator, who is neither of them; null for a player. */
function spectatorNames({ you, match }) {
  if (you.side !== null) return null;
  const { white, black } = match.seats;
  return { own: words.seatName(white, false), enemy: words.seatName(black, false) };
}

/** Set the state that tests and style sheets read. */
function drawState({ root, model, stage, isBusy }, view) {
  const { dataset } = root;
  dataset.phase = view.phase;
  dataset.turn = view.to_act === null ? "none" : view.to_act === viewer(model) ? "own" : "enemy";
  dataset.seq = String(model.seq);
  dataset.idle = String(stage.isIdle && !isBusy);
}

function promptOf({ turn, model, isBusy, autoPlay }, view, may) {
  if (may.resume) return gettext("Press Continue when you are ready.");
  if (turn.isComplete && isBusy) return gettext("Your turn is over.");
  const automatic = autoPlay.pending ?? (autoPlay.isRolling && view.phase === "to_roll" ? "roll" : null);
  if (automatic) return words.promptBeforeAutomatic(automatic);
  if (turn.isComplete) return gettext("Press Done to end your turn.");
  const isMine = view.to_act !== null && view.to_act === model.you.side;
  const onBar = (turn.position ?? positionOf(view))[viewer(model)][BAR];
  return words.prompt(view, { isMine, isPlayer: isPlayer(model), may, onBar });
}

/** Draw the clocks and everything that depends on time; warn when little time is left. */
export function drawTime(table, now) {
  const { model } = table;
  drawClocks(model, now);
  table.offers?.drawNext(model, now, table.isBusy);
  const started = gameStartedAt(model.log);
  const end = clockOf(model, now);
  drawTimes(part("details"), started === null ? null : end - started, end);
  const due = table.lowTime.check(remaining(model.view.clock, viewer(model), model.now, now));
  if (due === null || !isPlayer(model)) return;
  table.announcer.say(words.lowTime(due));
  table.sounds.play("time");
}

/** Mark the title of a background tab when it is the player's turn; else an alert's mark stays. */
export function drawTitle({ model, title }) {
  if (document.hidden && isMyTurn(model)) document.title = `● ${gettext("Your turn")} · ${title}`;
  else if (!document.title.startsWith("★")) document.title = title;
}

/** Return the focus to the board when the button pressed by keyboard disappears. */
function keepFocus({ usesKeys, board, input }) {
  if (usesKeys && document.activeElement === document.body) board.places.get(input.current).focus();
}
