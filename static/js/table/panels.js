// Draw the parts around the board: the players' strips, the action bar, the facts of the match.

import { remaining } from "../play/clock.js";
import { clockText, elapsedText } from "../lib/time-text.js";
import { html, part, setHidden, setText } from "../lib/dom.js";
import { drawDie, paint, showFace } from "../board/pieces.js";
import { otherSide, playFor } from "../board/positions.js";
import { awayOf, cubeAt, diceOnBoard, isReady, opponent, pipsOf, turnsOf, viewer } from "../play/model.js";
import { KIND_OF, kindName, points } from "../text/points.js";
import * as words from "../text/sentences.js";

const LOW_MS = 10_000; // a clock below this is shown as low
const DIE_STEP = 13.4; // units of the drawing, from the middle of one die of the last roll to the next
const STRIPS = [["own", viewer], ["enemy", opponent]];

/** Draw names, colors, pips, score and whose turn it is. */
export function drawStrips(model, view, settings) {
  const pips = pipsOf(view);
  const colors = settings.colorsFor(model.you.side);
  for (const [who, sideOf] of STRIPS) {
    const side = sideOf(model);
    const strip = part(`strip-${who}`);
    const seat = model.match.seats[side];
    strip.dataset.paint = colors[side];
    strip.dataset.avatar = String(settings.get("avatars"));
    strip.dataset.active = String(view.to_act === side);
    setText(part("name", strip), words.seatName(seat, side === model.you.side));
    setText(part("label", strip), words.seatLabel(seat));
    setText(part("pips", strip), pips[side]);
    setHidden(part("pips-row", strip), !settings.get("pips") || isReady(model, side) !== null);
    setText(part("score", strip), view.score[side]);
    setText(part("length", strip), view.length === null ? "" : `/${view.length}`);
    drawAway(part("away", strip), view, side);
    drawReady(strip, isReady(model, side));
    setHidden(part("clock", strip), !view.clock);
  }
  drawDifference(model, view, settings);
}

/** Draw the opponent's last roll of this game in their strip. */
export function drawLastRoll(model, settings) {
  const side = opponent(model);
  const roll = turnsOf(model).findLast((turn) => turn.side === side && turn.dice)?.dice;
  const mark = part("last-roll");
  const dice = roll ? diceOnBoard(roll, side).slice(0, 2) : [];
  const text = dice.map(({ value }) => value).join("-");
  setHidden(mark, !roll);
  const color = settings.colorsFor(model.you.side)[side];
  if (mark.dataset.roll === `${color} ${text}`) return;
  mark.dataset.roll = `${color} ${text}`;
  setText(mark.firstElementChild, roll ? words.lastRoll(text) : "");
  mark.lastElementChild.replaceChildren(...dice.map(({ value }, at) => {
    const die = drawDie();
    showFace(die, value);
    paint(die, color);
    die.style.transform = `translate(${DIE_STEP * at}px, 0)`;
    return die;
  }));
}

/**
 * Draw the points that a side still needs. In the Crawford game and after it, a side that needs one
 * point has the badge "Crawford" or "post-Crawford" instead.
 */
function drawAway(mark, view, side) {
  const away = awayOf(view, side);
  const crawford = view.crawford || view.post_crawford;
  setHidden(mark, away === null || view.length === 1 || view.phase === "finished");
  mark.dataset.crawford = String(Boolean(crawford) && away === 1);
  setText(mark, crawford && away === 1 ? crawfordName(view) : words.away(away ?? 0));
}

function crawfordName(view) {
  return view.crawford ? pgettext("badge on the score", "Crawford") : pgettext("badge on the score", "post-Crawford");
}

function drawReady(strip, isReadyNow) {
  const mark = part("ready", strip);
  setHidden(mark, isReadyNow === null);
  mark.dataset.ready = String(isReadyNow);
  setText(mark.lastElementChild, isReadyNow ? pgettext("player", "ready") : pgettext("player", "getting ready…"));
}

/**
 * Draw by how much the viewer is ahead or behind in pips; for a spectator, by how much the player
 * below the board is.
 */
function drawDifference(model, view, settings) {
  const side = viewer(model);
  const pips = pipsOf(view);
  const behind = pips[side] - pips[otherSide(side)];
  const text = words.pipDifference(behind);
  const name = model.you.side === null && behind ? `${words.seatName(model.match.seats[side], false)}: ` : "";
  const mark = part("difference", part("strip-own"));
  setHidden(mark, !behind);
  setText(mark.firstElementChild, signed(behind));
  setText(mark.lastElementChild, text);
  mark.title = text;
  setHidden(part("fact-pips-row"), !settings.get("pips"));
  setText(part("fact-pips"), `${pips[side]}–${pips[otherSide(side)]}, ${name}${text}`);
}

function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

/** Draw the clocks from the server's values and the time passed since. */
export function drawClocks(model, now) {
  const clock = model.view?.clock;
  if (!clock) return;
  for (const [who, sideOf] of STRIPS) {
    const strip = part(`strip-${who}`);
    const left = remaining(clock, sideOf(model), model.now, now);
    setText(part("delay", strip), Math.ceil(left.delay / 1000));
    setText(part("reserve", strip), clockText(left.reserve));
    const share = clock.delay_ms ? left.delay / clock.delay_ms : 0;
    part("ring", strip).style.strokeDashoffset = String(100 - 100 * share);
    const isLow = left.isRunning && left.delay + left.reserve <= LOW_MS;
    const state = left.isPaused ? "paused" : isLow ? "low" : left.isRunning ? "running" : "waiting";
    part("clock", strip).dataset.state = state;
    if (who === "own") drawOfferClocks(left.delay + left.reserve, state);
  }
}

/** Repeat the clock on the offers, which may cover the strip that shows it. */
function drawOfferClocks(left, state) {
  for (const line of document.querySelectorAll("[data-part=offer-clock]")) {
    setHidden(line, false);
    line.dataset.state = state;
    setText(line.querySelector("b"), clockText(left));
  }
}

/** Draw the facts of the match: score, game, cube, rolled and expected pips, doublets. */
export function drawFacts(model, view, root) {
  const side = viewer(model);
  const value = (name, text) => setText(part(name, root), text);
  value("fact-match", matchLine(view, side));
  value("fact-game", view.game || "–");
  value("fact-cube", cubeLine(view, model));
  for (const [who, sideOf] of STRIPS) {
    const row = part(`luck-${who}`, root);
    const seat = model.match.seats[sideOf(model)];
    if (model.you.side === null) setText(row.querySelector("th"), words.seatName(seat, false));
    const [rolled, expected] = [view.rolled[sideOf(model)], view.expected[sideOf(model)]];
    setText(part("rolled", row), rolled);
    setText(part("expected", row), Math.round(expected));
    setText(part("luck", row), signed(rolled - Math.round(expected)));
    setText(part("doublets", row), view.doublets[sideOf(model)]);
  }
}

function matchLine(view, side) {
  const score = `${view.score[side]}–${view.score[otherSide(side)]}`;
  if (view.length === null) return score;
  const values = { score, length: view.length };
  return view.crawford
    ? interpolate(gettext("%(score)s, to %(length)s, Crawford game"), values, true)
    : interpolate(gettext("%(score)s, to %(length)s"), values, true);
}

function cubeLine(view, { match, you }) {
  if (!view.cube.on) return pgettext("cube", "not in play");
  const { value, owner } = view.cube;
  if (owner !== null && you.side === null) {
    const name = words.seatName(match.seats[owner], false);
    return interpolate(gettext("%(value)s, held by %(name)s"), { value, name }, true);
  }
  const text = owner === null
    ? gettext("%(value)s, in the middle")
    : owner === you.side ? gettext("%(value)s, yours") : gettext("%(value)s, your opponent’s");
  return interpolate(text, { value }, true);
}

export function drawTimes(root, gameMs, matchMs) {
  setText(part("fact-game-time", root), gameMs === null ? "–" : elapsedText(gameMs));
  setText(part("fact-match-time", root), elapsedText(matchMs));
}

/** Draw the moves of the running game; reuse the lines that are already there. */
export function drawMoves(model, list, settings) {
  const turns = turnsOf(model);
  const { value } = model.view.cube;
  const colors = settings.colorsFor(model.you.side);
  const how = { viewer: viewer(model), variant: model.match.variant, keepsNumbers: settings.get("theirNumbers") };
  const before = list.children.length;
  while (list.children.length > turns.length) list.lastChild.remove();
  for (const [index, turn] of turns.entries()) {
    const text = turnText(turn, how, cubeAt(turns, index, value));
    const isMine = turn.side === viewer(model);
    const who = model.you.side === null ? words.seatName(model.match.seats[turn.side], false) : isMine ? gettext("You") : gettext("Opponent");
    const line = list.children[index];
    if (line) {
      setText(line.lastChild, text);
      setText(line.firstChild.firstChild, who);
      line.firstChild.dataset.paint = colors[turn.side];
      continue;
    }
    const data = { paint: colors[turn.side] };
    const dot = html("span", { className: "dot", data }, html("span", { className: "visually-hidden" }, who));
    list.append(html("li", {}, dot, html("span", {}, text)));
  }
  // Scroll in the next animation frame: scrolling now would make the browser lay out the page.
  if (list.children.length > before) requestAnimationFrame(() => { list.scrollTop = list.scrollHeight; });
}

function turnText({ side, dice, text, kind, factor }, how, cube) {
  if (kind) return offerText(kind, factor, cube);
  const roll = dice ? `${Math.max(...dice)}${Math.min(...dice)}: ` : "";
  return roll + (text === "-" ? gettext("no move") : playFor(text, side, how));
}

function offerText(kind, factor, cube) {
  switch (kind) {
    case "double": return pgettext("in the move list", "doubles");
    case "take": return pgettext("in the move list", "takes");
    case "drop": return pgettext("in the move list", "drops");
    case "beaver": return pgettext("in the move list", "beavers");
    case "resign": {
      const values = { kind: kindName(KIND_OF[factor]), points: points(factor * cube) };
      return interpolate(pgettext("in the move list", "offers to resign: %(kind)s, %(points)s"), values, true);
    }
    case "accept": return pgettext("in the move list", "accepts");
    default: return pgettext("in the move list", "refuses");
  }
}

/**
 * Show the action bar. Buttons keep their places, so that nothing jumps.
 * @param {Element} root
 * @param {{phase:string,may:object,isPlayer:boolean,isBusy:boolean,isPlaying:boolean,
 *   canUndo:boolean,isComplete:boolean,hasCube:boolean,isWatching:boolean,offersPremove:boolean}} now
 *   offersPremove = the opponent is to act, and something can be decided in advance
 */
export function drawActions(root, now) {
  const button = (name) => root.querySelector(`[data-action="${name}"]`);
  const show = (name, isShown, isEnabled) => {
    setHidden(button(name), !isShown);
    button(name).disabled = !isEnabled || now.isBusy;
  };
  const isPaused = now.isPlayer && Boolean(now.may.resume);
  const isRolling = now.isPlayer && now.phase === "to_roll" && !now.isPlaying;
  const offersPremove = now.offersPremove && !now.isPlaying;
  show("premove", offersPremove, true);
  show("double", !offersPremove && isRolling && now.hasCube, now.may.double);
  show("undo", !offersPremove && (!isRolling || !now.hasCube), now.canUndo);
  show("resume", isPaused, true);
  show("roll", isRolling && !isPaused, now.may.roll);
  show("done", !isRolling && !isPaused, now.isPlaying && now.isComplete);
  root.dataset.watching = String(now.isWatching);
  root.dataset.ready = String(!now.isBusy && (now.isComplete || Boolean(now.may.roll && isRolling)));
}
