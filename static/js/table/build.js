// Create the parts of a table and connect them. Parts that the first turn does not need are imported
// later: people and chat, offers and results, premoves, the command box, the dice check.

import { Announcer } from "../play/announcer.js";
import { Board } from "../board/board.js";
import { html, part, setText } from "../lib/dom.js";
import { EntropySender } from "../dice/entropy.js";
import { AutoPlay } from "../play/auto-play.js";
import { TurnInProgress } from "../play/turn.js";
import { showLooks } from "../play/looks.js";
import { MiddleButtons } from "../play/middle.js";
import { Scenes } from "../play/scenes.js";
import { MoreDialog, bindOptions } from "./more-dialog.js";
import { Sounds, loadSynth } from "../play/sound.js";
import { Stage } from "../play/stage.js";
import { TableTools } from "../play/table-tools.js";
import { FirstTurnTip } from "../play/tip.js";
import { isFinished, isOfTournament, isSeating, viewer } from "../play/model.js";
import { whenComplete } from "../lib/page-complete.js";
import { withTexts } from "../lib/late-texts.js";

/**
 * @param {object} table of main.js; its settings, store and model exist already
 * @param {Record<string,Function>} acts turnChanged, moved, playScene, prepareNext, leave
 */
export function makeParts(table, acts) {
  const { root, settings, boot } = table;
  const host = part("board");
  const board = new Board(host, { label: gettext("Backgammon board") });
  const tip = new FirstTurnTip(part("tip"), table.store);
  const announcer = new Announcer(part("status"), () => tip.close()); // the tip would cover what is said
  const sounds = new Sounds(settings);
  const tools = new TableTools(sounds, table.store);
  const turn = new TurnInProgress({
    board, settings, ms: () => table.speed().own,
    onChange: acts.turnChanged, onRefused: (from, to) => table.why(from, to), onMoved: acts.moved,
  });
  const scenes = new Scenes({
    board, announcer, sounds, variant: boot.variant,
    speed: () => table.speed(), side: () => viewer(table.model),
    keepsNumbers: () => settings.get("theirNumbers"),
    hasMoved: (text) => turn.isActive && turn.text === text,
    spectatorText: () => table.spectatorTextOf?.(table.model),
    isOfTournament: () => isOfTournament(table.model),
  });
  const stage = new Stage(acts.playScene, acts.prepareNext);
  const autoPlay = new AutoPlay({
    turn, settings, announcer, seq: () => table.model.seq,
    may: () => table.mayNow(), roll: () => table.command("roll"), done: () => table.done(),
    isStaked: () => Boolean(table.model.match?.stake), isHeldUp: () => part("more").open, changed: () => table.render(),
  });
  const moreDialog = new MoreDialog(part("more"), {
    command: (t, fields) => table.command(t, fields), leave: acts.leave,
    isOver: () => isFinished(table.model), losesMatch: () => boot.leaving_resigns,
    // Leaving a tournament's match before the first roll forfeits it, so this is false there.
    isBeforeRoll: () => boot.leaving_resigns && isSeating(table.model) && !isOfTournament(table.model),
    losesStake: () => Boolean(table.model.match?.stake),
    cubeValue: () => table.model.view.cube.value, settle: (panel) => table.offers?.settle(panel),
    loadQuestions, readChat: () => table.people?.read(),
  });
  bindOptions(part("more"), settings, boot.variant);
  showLooks(settings);
  const entropy = new EntropySender({
    id: boot.id, store: table.store, isAsking: settings.get("entropy") === "ask", noStartMs: boot.no_start_ms,
    model: () => table.model, now: () => table.time.at(performance.now()),
    command: (t, fields) => table.socket.command(t, fields),
  });
  const middle = new MiddleButtons(part("middle"), board, host);
  const typed = openTyped(table, part("typed"));
  return { host, board, announcer, sounds, tools, turn, scenes, stage, autoPlay, moreDialog, entropy, middle, tip, typed };
}

/** Import the coach in training, and the sentences for a spectator. */
export async function openFirst(table) {
  await Promise.all([openCoach(table), openSpectator(table)]);
}

/** Import the sentences for a spectator, which name the players instead of saying "you". */
async function openSpectator(table) {
  if (table.boot.side || table.spectatorTextOf) return;
  ({ spectatorTextOf: table.spectatorTextOf } = await withTexts(import("../text/spectator-sentences.js")));
}

/**
 * Import what the first turn does not need: offers and results, premoves, htmx, the questions
 * before a resignation, the sentences for refusals, sounds, and the people panel, which then gets
 * the frames that came before it had loaded. Import what `openFirst` has failed to import, too.
 */
export async function openRest(table) {
  performance.mark("first-turn"); // for tests: what is fetched later does not count for the weight of a first visit
  await new Promise(whenComplete);
  const htmx = globalThis.htmx ? null : loadHtmx(table.root.dataset.htmx);
  // Awaited together, since without a connection each of them fails, and each failure must be handled.
  await Promise.all([openFirst(table), openOffers(table), openPeople(table), openPremoves(table), openSync(table), htmx, loadQuestions(), withTexts(import("../text/refusals.js")), loadSynth()]);
  import("../lib/waiting-news.js").then(({ openWaitingNews }) => openWaitingNews((text) => table.announcer.say(text))).catch(() => { table.root.dataset.news = "failed"; });
  import("../board/celebration.js").catch(() => null); // the table is complete without it
}

let htmxScript = null; // a promise while the script loads

function loadHtmx(src) {
  htmxScript ??= new Promise((onload, onerror) => { document.head.append(html("script", { src, onload, onerror })); })
    .finally(() => { htmxScript = null; });
  return htmxScript;
}

async function openOffers(table) {
  table.offers = await withTexts(import("./offers.js"));
  table.render();
}

function loadQuestions() {
  return withTexts(import("../text/questions.js"));
}

async function openPremoves(table) {
  const { Premoves } = await withTexts(import("../play/premoves.js"));
  table.premoves ??= new Premoves(table); // another try may have been faster
  table.render();
}

/** Save a member's choices, also those made before this module is loaded. */
async function openSync({ boot, settings }) {
  if (!boot.choices) return;
  const { syncWithAccount } = await import("./settings-sync.js");
  syncWithAccount(settings, { url: boot.urls.table_choices, token: boot.csrf });
}

async function openPeople(table) {
  if (!table.forPeople) return;
  const { PeoplePanel } = await withTexts(import("./people.js"));
  if (!table.forPeople) return; // another try was faster
  table.people = new PeoplePanel(table);
  for (const [name, frame] of table.forPeople) table.people[name](frame);
  table.forPeople = null;
}

async function openCoach(table) {
  if (!table.boot.coach || table.coach) return;
  const { Coach } = await import("./coach.js");
  table.coach ??= new Coach(table); // another try may have been faster
  table.render();
}

/**
 * Connect the command box; its code is imported when it first gets the focus.
 * @returns {{say:(text:string) => void,refuse:(text:string) => void}} write an answer under the box; a
 *   refusal only if the player is typing, since it may belong to a press on the board
 */
function openTyped(table, form) {
  let box = null;
  const open = async () => {
    const [{ TypedBox }, { runTypedCommand }] = await withTexts(Promise.all([import("./typed-box.js"), import("./typed-commands.js")]));
    box ??= new TypedBox(form, (command) => runTypedCommand(table, command));
    form.dataset.open = "true"; // for tests
  };
  form.addEventListener("focusin", open, { once: true });
  form.addEventListener("submit", async (event) => {
    if (box) return;
    event.preventDefault();
    await open();
    form.requestSubmit();
  });
  const say = (text) => setText(part("answer", form), text);
  return { say, refuse: (text) => form.contains(document.activeElement) && say(text) };
}

export async function checkDice(...args) {
  const { runDiceCheck } = await withTexts(import("../dice/verify-button.js"));
  return runDiceCheck(...args);
}
