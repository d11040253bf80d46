// The page of a look in the shop: a small live board shows it together with the chosen look of the
// other kind (checkers for a board, a board for checkers).

import { fetchJson } from "../lib/browser.js";
import { part, setHidden, setText } from "../lib/dom.js";
import { PracticeBoard } from "../profile/practice-board.js";
import { Settings } from "../play/settings.js";
import { Sounds } from "../play/sound.js";
import { whenComplete } from "../lib/page-complete.js";

async function start() {
  const section = part("fitting");
  const { board, checkers, kind, url } = section.dataset;
  const settings = new Settings(null);
  settings.take({ board, checkers });
  chooseWith(settings, kind === "board" ? "checkers" : "board");
  const lesson = await fetchJson(url);
  if (!lesson) return; // the server's drawing of the board stays
  new PracticeBoard(section, settings, new Sounds(settings)).start(lesson);
}

/** Let the select change the look of the other kind at once, without its button. */
function chooseWith(settings, other) {
  const select = part("with");
  setHidden(part("with-show"), true);
  select.addEventListener("change", () => {
    settings.take({ ...looks(settings), [other]: select.value });
    setText(part("contrast"), select.selectedOptions[0].dataset.contrast);
    history.replaceState(null, "", `?with=${select.value}`);
  });
}

const looks = (settings) => ({ board: settings.get("board"), checkers: settings.get("checkers") });

whenComplete(start);
