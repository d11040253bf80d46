// The shop's window: draw each board in its full material over the flat one of the server, when it
// comes into view. Textures are dear, and most of the window is below the screen.

import { drawDiagram } from "../board/still-board.js";

const AHEAD = "200px"; // drawn before it is seen

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
