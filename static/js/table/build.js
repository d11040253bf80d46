// The parts of a table, made and joined. What not everybody needs at first is fetched when he does:
// the company of a match against people, the box for typed moves, the check of the dice.

import { keepInAccount } from "./settings-sync.js";
import { Announcer } from "../play/announcer.js";
import { Board } from "../board/board.js";
import { part, setText } from "../lib/dom.js";
import { EntropySender } from "../dice/entropy.js";
import { Flow } from "../play/auto-play.js";
import { Hand } from "../play/turn.js";
import { showLooks } from "../play/looks.js";
import { Scenes } from "../play/scenes.js";
import { Sheet, bindOptions } from "./more-dialog.js";
import { Sounds } from "../play/sound.js";
import { Stage } from "../play/stage.js";
import { isFinished, viewer } from "../play/model.js";
import { witnessOf } from "../text/spectator-sentences.js";

/**
 * @param {object} table of table.js; its settings, store and model are there already
 * @param {Record<string,Function>} acts handChanged, moved, playScene, rest, leave
 */
export function makeParts(table, acts) {
  const { root, settings, boot } = table;
  const host = part("board");
  const board = new Board(host, { label: gettext("Backgammon board") });
  const announcer = new Announcer(part("status"));
  const sounds = makeSounds(root.dataset, settings);
  const hand = new Hand({
    board, settings, ms: () => table.speed().own,
    onChange: acts.handChanged, onRefused: (from, to) => table.why(from, to), onMoved: acts.moved,
  });
  const scenes = new Scenes({
    board, announcer, sounds, variant: boot.variant,
    speed: () => table.speed(), side: () => viewer(table.model),
    hasMoved: (text) => hand.isActive && hand.text === text,
    witness: () => witnessOf(table.model),
  });
  const stage = new Stage(acts.playScene, acts.rest);
  const flow = new Flow({
    hand, settings, announcer, seq: () => table.model.seq,
    may: () => table.mayNow(), roll: () => table.command("roll"), done: () => table.done(),
  });
  const sheet = new Sheet(part("more"), {
    command: (t, fields) => table.command(t, fields), leave: acts.leave,
    isStake: () => table.model.match?.kind === "stake" && !isFinished(table.model),
  });
  bindOptions(part("more"), settings, boot.variant);
  showLooks(settings);
  if (boot.choices) keepInAccount(settings, { url: boot.urls.table_choices, token: boot.csrf });
  const entropy = new EntropySender({
    id: boot.id, store: table.store, isAsking: settings.get("entropy") === "ask",
    command: (t, fields) => table.link.command(t, fields),
  });
  const typed = openTyped(table, part("typed"));
  return { host, board, announcer, sounds, hand, scenes, stage, flow, sheet, entropy, typed };
}

function makeSounds(addresses, settings) {
  return new Sounds({
    checker: addresses.soundChecker, dice: addresses.soundDice, turn: addresses.soundTurn, time: addresses.soundTime,
  }, settings);
}

/** Nobody is in company of a computer. */
export async function openCompany(table) {
  if (!part("chat")) return null;
  const { Company } = await import("./people.js");
  return new Company(table);
}

/** There is a coach in training only. */
export async function openCoach(table) {
  if (!table.boot.coach) return null;
  const { Coach } = await import("./coach.js");
  return new Coach(table);
}

/**
 * The box is there from the beginning; what understands it comes with the first look into it.
 * @returns {{say:(text:string) => void}} its place for answers
 */
function openTyped(table, form) {
  let box = null;
  const open = async () => {
    const [{ TypedBox }, { runTyped }] = await Promise.all([import("./typed-box.js"), import("./typed-commands.js")]);
    box ??= new TypedBox(form, (command) => runTyped(table, command));
    form.dataset.open = "true"; // for tests
  };
  form.addEventListener("focusin", open, { once: true });
  form.addEventListener("submit", async (event) => {
    if (box) return;
    event.preventDefault();
    await open();
    form.requestSubmit();
  });
  return { say: (text) => setText(part("answer", form), text) };
}

export async function checkDice(...what) {
  const { runDiceCheck } = await import("../dice/verify-button.js");
  return runDiceCheck(...what);
}
