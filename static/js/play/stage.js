// Show events one after another: rolls, moves, offers. The model may be ahead of the display; a press
// of the player skips to the present, so input is never blocked.

const LONG_QUEUE = 6; // a longer queue is shown without movement, to catch up with the model

/**
 * @typedef {{action?:object,view:object,before?:object}} Scene without an action: the first state
 * @typedef {(scene:Scene, pause:(ms:number) => Promise<void>, isHurried:() => boolean) => Promise<void>} Play
 */
export class Stage {
  #queue = [];
  #isPlaying = false;
  #skip = null;
  #isHurried = false;

  /**
   * @param {Play} play shows one scene
   * @param {() => void} onIdle called when the last scene is over
   */
  constructor(play, onIdle) {
    this.play = play;
    this.onIdle = onIdle;
  }

  get isIdle() {
    return !this.#isPlaying;
  }

  /** @param {Scene} scene */
  add(scene) {
    this.#queue.push(scene);
    if (this.#queue.length > LONG_QUEUE || document.hidden) this.#isHurried = true;
    if (!this.#isPlaying) this.#run();
  }

  /** Show the rest at once. @returns {boolean} whether something was left to show */
  finish() {
    if (this.isIdle) return false;
    this.#isHurried = true;
    this.#skip?.();
    return true;
  }

  /** Drop the queued scenes and end the running one: a new state replaces them. */
  clear() {
    this.#queue = [];
    this.finish();
  }

  async #run() {
    this.#isPlaying = true;
    while (this.#queue.length) {
      const scene = this.#queue.shift();
      try {
        await this.play(scene, (ms) => this.#pause(ms), () => this.#isHurried);
      } catch (error) {
        console.error(error); // later scenes, and the redraw after the last one, correct the board
      }
    }
    this.#isPlaying = false;
    this.#isHurried = false;
    this.onIdle();
  }

  #pause(ms) {
    if (this.#isHurried || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const stage = this;
      function done() {
        clearTimeout(timer);
        stage.#skip = null;
        resolve();
      }
      this.#skip = done;
    });
  }
}
