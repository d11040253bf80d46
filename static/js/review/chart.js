// The cursor on the chart of winning chances marks the shown position; a press moves to another.

export class ChartCursor {
  /**
   * @param {HTMLElement|null} figure the chart, if the page has one
   * @param {(at:number)=>void} onStep
   */
  constructor(figure, onStep) {
    this.cursor = figure?.querySelector("[data-part=chart-cursor]") ?? null;
    if (!figure) return;
    const { left, right, last } = figure.dataset;
    [this.left, this.right, this.last] = [Number(left), Number(right), Number(last)];
    const picture = this.cursor.ownerSVGElement;
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * picture.viewBox.baseVal.width;
      const share = (x - this.left) / (this.right - this.left);
      onStep(Math.min(this.last, Math.max(0, Math.round(share * this.last))));
    });
  }

  show(at) {
    if (!this.cursor) return;
    const x = this.left + ((this.right - this.left) * Math.min(at, this.last)) / Math.max(1, this.last);
    this.cursor.setAttribute("d", this.cursor.getAttribute("d").replace(/^M\S+/, `M${x.toFixed(1)}`));
  }
}
