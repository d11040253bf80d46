// Panels that ask for an answer: the cube, a resignation, and the cards after a game and a match.

import { isVisible, part, setHidden, setText } from "../lib/dom.js";
import { isFinished, isOfTournament, isPlayer, viewer } from "../play/model.js";
import { otherSide } from "../board/positions.js";
import { spectatorTextOf } from "../text/spectator-sentences.js";
import * as words from "../text/result-sentences.js";
import { calledOff, seatName } from "../text/sentences.js";

const NEXT_GAME_MS = 20_000; // the server starts the next game after this
// A press this soon after buttons have appeared or moved is ignored, as the second of a double tap.
const SECOND_TAP_MS = 400;
const STARS = 5;
const NO_ROOM = "(max-width: 999px)"; // at this width the whole card would cover the final position
const FIELDS = "[data-part=chat-text], [data-part=typed] input";

const settling = new WeakMap(); // panel -> timer
const openers = new WeakMap(); // panel -> element that had the focus before

/** Let a panel's buttons ignore the pointer for a moment: a finger may be on them already. */
export function settle(panel) {
  panel.dataset.settling = "true";
  clearTimeout(settling.get(panel));
  settling.set(panel, setTimeout(() => delete panel.dataset.settling, SECOND_TAP_MS));
}

/**
 * Return whether the player is typing. Panels then leave the focus; the status line has the news.
 */
const isTyping = () => Boolean(document.activeElement?.matches?.(FIELDS));

/** Show a panel and focus it, or hide it and return the focus. */
function showPanel(panel, isShown, mayFocus = true) {
  if (panel.hidden === !isShown) return;
  const hadFocus = panel.contains(document.activeElement);
  const opener = openers.get(panel);
  if (isShown) openers.set(panel, document.activeElement);
  setHidden(panel, !isShown);
  if (isShown) settle(panel);
  if (isShown && mayFocus) panel.focus({ preventScroll: true });
  else if (hadFocus && opener && isVisible(opener)) opener.focus({ preventScroll: true });
}

/** @param {boolean} isAsking the player is asked to confirm a double */
export function drawOffers(model, view, isAsking) {
  const { may } = model;
  const mayAnswer = isPlayer(model);
  const cube = part("offer-cube");
  const resign = part("offer-resign");
  if (mayAnswer && (may.take || may.drop)) drawCubeOffer(cube, view, may);
  if (mayAnswer && may.accept) drawResignOffer(resign, view);
  const asking = part("offer-double");
  if (isAsking && may.double && may.double_cost) drawDouble(asking, view, may);
  showPanel(cube, Boolean(mayAnswer && (may.take || may.drop)), !isTyping());
  showPanel(resign, Boolean(mayAnswer && may.accept), !isTyping());
  showPanel(asking, Boolean(isAsking && may.double));
}

function drawCubeOffer(panel, view, may) {
  const value = may.double_cost.take;
  const title = view.phase === "beavered"
    ? gettext("Your opponent beavers: the cube would be at %(value)s")
    : gettext("Your opponent offers the cube at %(value)s");
  setText(part("title", panel), interpolate(title, { value }, true));
  setText(part("take-text", panel), view.phase === "beavered" ? words.beaverTakeText(value) : words.takeText(value));
  setText(part("drop-text", panel), words.dropText(may.double_cost.drop));
  setHidden(panel.querySelector("[data-action=beaver]"), !may.beaver);
}

function drawDouble(panel, view, may) {
  const { take, drop } = may.double_cost;
  setText(part("title", panel), interpolate(gettext("Offer the cube at %(value)s?"), { value: take }, true));
  setText(part("take-text", panel), words.doubleTakenText(take));
  setText(part("drop-text", panel), words.doubleDroppedText(drop));
}

function drawResignOffer(panel, view) {
  setText(part("text", panel), words.resignOffer(view.offer.factor * view.cube.value));
}

/** Draw the card after a game and after the match. */
export function drawResult(model, view) {
  const card = part("result");
  const isOver = view.phase === "finished";
  const isShown = isOver || view.phase === "between_games";
  if (isShown) fillResult(card, model, view, isOver);
  if (isShown && card.hidden) {
    fold(isOver && matchMedia(NO_ROOM).matches);
    showPanel(card, true, !isTyping());
  } else if (!isShown) showPanel(card, false);
}

function fillResult(card, model, view, isOver) {
  const side = viewer(model);
  const { result, outcome } = view;
  const { you } = model;
  const iWon = (outcome ?? result)?.winner === side;
  const end = endOf(view);
  // A player who gave up the match knows why it ended.
  card.dataset.offBoard = String(isOver && end?.cause !== "bear_off" && (end?.cause !== "resign_match" || iWon || you.side === null));
  const spectatorText = spectatorTextOf(model);
  const title = isOver ? spectatorText?.matchTitle(outcome) : spectatorText?.gameTitle(result);
  setText(part("title", card), title ?? (isOver ? words.matchTitle(outcome, side, isTechnical(model)) : words.gameTitle(result, iWon)));
  // A match given up scores no points in its last game.
  setText(part("points", card), result?.points && !(isOver && words.isCutShort(outcome, view)) ? words.resultPoints(result) : "");
  setText(part("cause", card), causeText(model, view, spectatorText));
  setText(part("own-name", card), seatName(model.match.seats[side], side === you.side));
  setText(part("enemy-name", card), seatName(model.match.seats[otherSide(side)], false));
  setText(part("own-score", card), view.score[side]);
  setText(part("enemy-score", card), view.score[otherSide(side)]);
  // A match won before its length was reached has no final score; a note gives the last one.
  const isCutShort = isOver && words.isCutShort(outcome, view);
  card.dataset.cutShort = String(isCutShort);
  setHidden(part("result-score", card), isCutShort);
  setText(part("length", card), isCutShort ? words.scoreAtEnd(view, side) : view.length && !isOver ? words.matchIsTo(view.length) : "");
  setText(part("credits", card), isOver ? words.creditsText(model.match.stake, outcome, you.side) : "");
  setHidden(card.querySelector("[data-action=dice-check]"), view.secret_lost);
  if (view.secret_lost) setText(part("verdict", card), words.verdict({ ok: false, fault: "lost" }));
  const isHappy = iWon && !spectatorText;
  setText(part("stars", card), isHappy ? "★".repeat(STARS) : "");
  setHidden(part("stars", card), !isHappy);
  setHidden(part("game-actions", card), isOver || !isPlayer(model));
  setHidden(part("match-actions", card), !isOver);
}

function voidAction({ log }) {
  return log.findLast((action) => action.kind === "void") ?? {};
}

/** Return whether a match of a tournament ended by a technical defeat before its first roll. */
function isTechnical(model) {
  return isOfTournament(model) && ["left", "no_start"].includes(voidAction(model).cause);
}

/** Return the match's outcome if neither points nor a draw ended it, else the last game's result. */
function endOf({ result, outcome }) {
  return outcome && !["points", "draw"].includes(outcome.cause) ? outcome : result;
}

/** Return the cause of the end of the game or match; that of a void match is in the log. */
function causeText(model, view, spectatorText) {
  const { you } = model;
  if (view.outcome?.cause === "void") {
    const ended = voidAction(model);
    return spectatorText?.calledOff(ended) ?? calledOff(ended, ended.side === you.side, isOfTournament(model));
  }
  const ended = endOf(view);
  return ended && !spectatorText ? words.gameCause(ended, ended.winner === you.side) : "";
}

/**
 * Show on the button the seconds until the next game starts automatically.
 * @param {boolean} isBusy a command waits for its answer: a second press would be refused as stale
 */
export function drawNext(model, now, isBusy) {
  const button = part("result").querySelector("[data-action=next]");
  if (model.view?.phase !== "between_games" || isFinished(model)) return;
  const ended = model.log.findLast((action) => action.kind !== "next")?.at_ms ?? null;
  const isReady = model.view.ready.includes(model.you.side);
  button.disabled = isReady || isBusy || !model.may.next;
  if (isReady) setText(button, gettext("Waiting for your opponent…"));
  else if (ended === null) setText(button, gettext("Next game"));
  else setText(button, words.nextIn(Math.max(0, Math.ceil((ended + NEXT_GAME_MS - now) / 1000))));
}

/**
 * Fold or unfold the card's details. This may move other buttons under the finger, so the card's
 * buttons ignore presses for a moment.
 */
export function foldResult(isFolded = part("result").dataset.folded !== "true") {
  fold(isFolded);
  settle(part("result"));
}

function fold(isFolded) {
  const card = part("result");
  card.dataset.folded = String(isFolded);
  card.querySelector("[data-action=fold]").setAttribute("aria-expanded", String(!isFolded));
}
