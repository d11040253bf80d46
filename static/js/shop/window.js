// The shop's list of looks: when a board comes into view, replace the server's flat drawing by the
// full material. Textures take long to draw, and most of the list is below the screen.

import { drawDiagram } from "../board/still-board.js";

const AHEAD = "200px"; // a board is drawn when it is this close to the screen

const stage = document.querySelector("[data-window-white]");
const counts = (list) => list.split(",").map(Number);
const position = stage && { white: counts(stage.dataset.windowWhite), black: counts(stage.dataset.windowBlack) };

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    drawDiagram(target, { variant: "short", ...position, dice: [6, 4] });
  }
}, { rootMargin: AHEAD });

for (const host of document.querySelectorAll("[data-window-board]")) observer.observe(host);
