// Decide when to alert a member, on any page of the site: their match starts, or there is news,
// such as a challenge or a friend request. Browser features are injected, so that tests can run it.

export class AlertRules {
  #known = new Set();
  #opened = new Set();

  /**
   * @param {{ring:() => void, title:(text:string) => void, open:(address:string) => void,
   *   isAtTable:() => boolean, isHere:(match:string) => boolean}} page
   */
  constructor(page) {
    this.page = page;
  }

  /**
   * Mark the items of the page's first load as known, because the previous page has announced them.
   * The tables of `begins` do not open automatically, so that the member may look at other pages. If
   * the member plays at the table of this page, those tables open when that match is over.
   * @param {{id:string}[]} begins matches that wait for this member
   * @param {{id:string}[]} news
   */
  know(begins, news) {
    for (const { id } of [...begins, ...news]) this.#known.add(id);
    if (!this.page.isAtTable()) for (const { id } of begins) this.#opened.add(id);
  }

  /**
   * Alert the member to new items. A table that waits while the member sits at another table opens
   * when that match is over.
   * @param {{id:string,text:string,address:string}|null} begins a match that waits for this member
   * @param {{id:string,text:string}[]} news alerts that open no table
   */
  update(begins, news) {
    if (begins && !this.page.isHere(begins.id)) {
      if (this.#isNew(begins.id)) this.#call(begins.text);
      // Open the table automatically, unless the member sits at another table, which shows a link.
      if (!this.page.isAtTable() && !this.#opened.has(begins.id)) {
        this.#opened.add(begins.id);
        this.page.open(begins.address);
      }
    }
    for (const { id, text } of news) if (this.#isNew(id)) this.#call(text);
  }

  #isNew(id) {
    if (this.#known.has(id)) return false;
    this.#known.add(id);
    return true;
  }

  #call(text) {
    this.page.ring();
    this.page.title(text);
  }
}
