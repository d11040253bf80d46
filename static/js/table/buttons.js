// Presses on the table's buttons, and the letters that stand for them.

import { part } from "../lib/dom.js";
import { letterOf } from "../play/input.js";
import { knownOf } from "../play/model.js";
import { checkDice } from "./build.js";

/** Press the button of the action bar that a letter stands for, if it can be pressed. */
export function pressLetter(table, name) {
  table.wake();
  if (name === "swap") {
    table.turn.swap();
    return;
  }
  const button = document.querySelector(`.action-bar [data-action="${name}"]`);
  if (button && !button.hidden && !button.disabled) button.click();
}

const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), select, textarea, [contenteditable]";

/**
 * Handle Escape and the letter keys, if the board has not handled them. Letters have no effect
 * while the player types, or if the settings switch them off.
 */
export function pressKey(table, event) {
  if (event.defaultPrevented || event.repeat || document.querySelector("dialog[open]")) return;
  const name = letterOf(event);
  if (event.key === "Escape") escape(table);
  else if (name && table.settings.get("letterKeys") && !event.target.closest?.(TYPING)) {
    event.preventDefault();
    pressLetter(table, name);
  }
}

/**
 * Close the coach's hint or warning if one is open. Otherwise close the tip and the question about
 * doubling; without that question put the picked-up checker back.
 */
export function escape(table) {
  if (table.coach?.dismiss()) return;
  if (table.isDoubling) table.askDouble(false);
  else table.turn.select(null);
  table.tip.close();
}

/**
 * Hold a press on a link to a player's card until htmx has loaded. Without htmx the browser would
 * leave the table.
 */
export function holdLink(event) {
  const link = event.target.closest?.("a[hx-get]");
  if (!link || globalThis.htmx || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.body.addEventListener("htmx:load", () => link.click(), { once: true });
}

/** Handle a click on the page; a data-action without a case here is a command for the server. */
export function pressButton(table, event) {
  const button = event.target.closest?.("[data-action]");
  if (!button || button.disabled || table.middle.isTooEarly(button) || table.moreDialog.act(button.dataset.action, button)) return undefined;
  const { action } = button.dataset;
  if (table.coach?.act(action, button)) return undefined;
  table.wake();
  switch (action) {
    case "done": return table.done();
    case "undo": return table.undo();
    case "more": return table.moreDialog.open();
    case "chat": return table.people ? table.people.showChat() : table.moreDialog.open("chat");
    case "mute-sound": return table.tools.toggleSound();
    case "full-screen": return table.tools.toggleFullScreen();
    case "premove": table.moreDialog.open(); return table.premoves.show();
    case "premove-off": return table.premoves.end(button.dataset.premove);
    case "close-more": return table.moreDialog.close();
    case "fold": return table.offers.foldResult();
    case "dice-check": return checkDice(button, part("verdict"), table.boot.urls.export_json, knownOf(table.model));
    case "double":
    case "double-no": return table.askDouble(action === "double");
    case "double-yes": return table.command("double");
    case "pause": table.moreDialog.close();
  }
  return table.command(action);
}
