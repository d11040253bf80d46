// What calls a member who looks around the site: his game begins, or somebody challenges him.
// Nothing of the browser is used but what is given, so that the tests run it.

export class AlertRules {
  #heard = new Set();

  /**
   * @param {{ring:() => void, title:(text:string) => void, open:(address:string) => void,
   *   isAtTable:() => boolean, isHere:(match:string) => boolean}} page
   */
  constructor(page) {
    this.page = page;
  }

  /** What stood there when the page was opened was told by the page before it. */
  know(news) {
    for (const { id } of news) this.#heard.add(id);
  }

  /**
   * The line was drawn anew.
   * @param {{id:string,text:string,address:string}|null} begins a match that waits for its player
   * @param {{id:string,text:string}[]} news challenges
   */
  hear(begins, news) {
    if (begins && !this.page.isHere(begins.id) && this.#isNew(begins.id)) {
      this.#call(begins.text);
      // The table opens by itself, but not away from another one: there the line says it.
      if (!this.page.isAtTable()) this.page.open(begins.address);
    }
    for (const { id, text } of news) if (this.#isNew(id)) this.#call(text);
  }

  #isNew(id) {
    if (this.#heard.has(id)) return false;
    this.#heard.add(id);
    return true;
  }

  #call(text) {
    this.page.ring();
    this.page.title(text);
  }
}
