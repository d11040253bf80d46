// The notice over the board about the connection and the seat.

import { html, setHidden } from "../lib/dom.js";
import { errorText } from "../text/refusals.js";

/**
 * Draw the notice over the board, with a button where one helps.
 * @param {Element} line
 * @param {{status:string,code:number|string|null,isHeld:boolean}} state
 * @param {{takeSeat:() => void,hurry:() => void}} acts
 */
export function drawConnectionNotice(line, { status, code, isHeld }, acts) {
  if (isHeld) show(line, gettext("You play this match in another window."), gettext("Play here"), acts.takeSeat);
  else if (status === "lost") show(line, gettext("The connection is lost. Trying again…"), gettext("Try now"), acts.hurry);
  else if (status === "stale") show(line, gettext("The server does not answer. The board may be out of date."));
  else if (status === "closed") show(line, closedText(code), gettext("Reload"), () => location.reload());
  else show(line, "");
}

function show(line, message, button = null, press = null) {
  setHidden(line, !message);
  if (line.dataset.message === message) return;
  line.dataset.message = message;
  line.replaceChildren(html("span", {}, message));
  if (!button) return;
  const data = { testid: "line-button" };
  line.append(html("button", { className: "button", type: "button", onclick: press, data }, button));
}

function closedText(code) {
  if (code === 4001) return gettext("This device is signed out now. Reload the page to sign in and go on.");
  if (code === 4004) return errorText({ code: "not_found" });
  if (code === "reload") return errorText({ code: "reload" });
  return errorText({ code: "forbidden" });
}
