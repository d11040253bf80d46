// Decisions in advance (premoves): the form in the dialog, and a line at the table that shows the
// current ones. The server carries them out (games/protocol/README.md); the model has those that
// the server confirmed last.

import { html, part, setHidden } from "../lib/dom.js";
import { hasCube, hasPremove, mayPremove } from "./model.js";

const NOTHING = Object.freeze({ roll: false, cube: null });

export class Premoves {
  /** @param {{model:Model,isLive:boolean,settings:Settings,socket:{ask:(frame:object) => void}}} table */
  constructor(table) {
    this.table = table;
    this.form = part("premoves");
    this.line = part("premove-line");
    this.form.addEventListener("change", () => this.#send({
      roll: this.#field("roll").checked, cube: this.#field("cube").value || null,
    }));
  }

  #field(name) {
    return this.form.querySelector(`[data-premove="${name}"]`);
  }

  #send(wanted) {
    const { model, socket } = this.table;
    socket.ask({ t: "premove", id: crypto.randomUUID(), game: model.view.game, ...wanted });
  }

  /** Take one decision back. @param {"roll"|"cube"} name */
  end(name) {
    this.#send({ ...(this.table.model.premove ?? NOTHING), [name]: NOTHING[name] });
  }

  /** Show the form, which is in an open dialog. */
  show() {
    this.form.scrollIntoView({ block: "center" });
    this.#field("roll").focus({ preventScroll: true });
  }

  draw() {
    const { model, isLive, settings } = this.table;
    const now = model.premove ?? NOTHING;
    const isDecided = mayPremove(model) && (now.roll || now.cube);
    setHidden(this.form, !isDecided && !hasPremove(model, settings.get("dice") === "manual"));
    this.#field("roll").checked = now.roll;
    this.#field("cube").value = now.cube ?? "";
    for (const name of ["roll", "cube"]) this.#field(name).disabled = !isLive;
    setHidden(this.#field("cube").closest("label"), !hasCube(model.view));
    const names = mayPremove(model) ? [now.roll && "roll", now.cube && hasCube(model.view) && "cube"].filter(Boolean) : [];
    const shown = names.map((name) => `${name}${now[name]}`).join();
    if (this.line.dataset.shown === shown) return;
    this.line.dataset.shown = shown;
    this.line.replaceChildren(...names.map((name) => this.#chip(name, now)));
    setHidden(this.line, names.length === 0);
  }

  #chip(name, { cube }) {
    const text = name === "roll" ? gettext("Rolls at once")
      : cube === "take" ? gettext("Takes the cube") : gettext("Drops the cube");
    const data = { action: "premove-off", premove: name, testid: `premove-off-${name}` };
    const label = interpolate(gettext("%(what)s: switch off"), { what: text }, true);
    return html("button", { type: "button", className: "chip premove-chip", data, ariaLabel: label }, text, html("span", { ariaHidden: "true" }, "×"));
  }
}
