// The small buttons of a table: mute all sounds on this device, and full screen.

import { part, setHidden } from "../lib/dom.js";
import { MUTED, readStoredJson, writeStored } from "../lib/storage.js";

export class TableTools {
  /**
   * @param {Sounds} sounds
   * @param {Storage|null} store of this device: each device is muted separately
   */
  constructor(sounds, store) {
    this.sounds = sounds;
    this.store = store;
    this.#mute(readStoredJson(store, MUTED) === true);
    const fullScreen = this.#buttons("full-screen");
    for (const button of fullScreen) setHidden(button, !document.fullscreenEnabled);
    document.addEventListener("fullscreenchange", () => this.#showPressed(fullScreen, Boolean(document.fullscreenElement)));
  }

  #buttons(action) {
    return [...document.querySelectorAll(`[data-action="${action}"]`)];
  }

  #showPressed(buttons, isOn) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(isOn));
  }

  #mute(isMuted) {
    this.sounds.isMuted = isMuted;
    this.#showPressed(this.#buttons("mute-sound"), isMuted);
  }

  toggleSound() {
    this.#mute(!this.sounds.isMuted);
    writeStored(this.store, MUTED, JSON.stringify(this.sounds.isMuted));
  }

  async toggleFullScreen() {
    part("more").close();
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen({ navigationUI: "hide" });
    } catch {
      // The browser refuses full screen: the page stays as it is.
    }
  }
}
