// The coach's sentences and figures, from the server's codes and numbers. Pure.

import { fill } from "./fill.js";

/** Names of the actions other than playing, for buttons and lists. */
const NAMES = {
  double: () => pgettext("advice", "Double"),
  roll: () => pgettext("advice", "Roll"),
  take: () => pgettext("advice", "Take"),
  drop: () => pgettext("advice", "Drop"),
  beaver: () => pgettext("advice", "Beaver"),
  accept: () => pgettext("advice", "Accept"),
  refuse: () => pgettext("advice", "Play on"),
};

const ADVICE = {
  double: () => gettext("The coach would offer the cube."),
  roll: () => gettext("The coach would roll and keep the cube as it is."),
  take: () => gettext("The coach would take the cube."),
  drop: () => gettext("The coach would drop the cube."),
  beaver: () => gettext("The coach would beaver."),
  accept: () => gettext("The coach would accept the resignation."),
  refuse: () => gettext("The coach would refuse and play on."),
};

/** Join repeated moves: 8/7(2). */
function brief(play) {
  const counts = new Map();
  for (const item of play.split(" ")) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].map(([item, count]) => (count > 1 ? `${item}(${count})` : item)).join(" ");
}

/** @param {"play"|"cube"} kind @param {string} choice a play, or for "cube" a key of ADVICE */
export function adviceText(kind, choice) {
  if (kind === "cube") return ADVICE[choice]?.() ?? "";
  return fill(gettext("The coach would play %(play)s."), { play: brief(choice) });
}

export function choiceName(kind, choice) {
  return kind === "cube" ? NAMES[choice]?.() ?? choice : brief(choice);
}

/** @param {string} lang of the page: decides between comma and dot */
function pointsText(points, lang) {
  const digits = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
  return new Intl.NumberFormat(lang, digits).format(points);
}

/** Format the loss against the best choice; choices within half a thousandth count as best. */
export function lossText(loss, lang) {
  return loss < 0.0005 ? pgettext("advice", "best") : `−${pointsText(loss, lang)}`;
}

/**
 * @param {number[]} chances win, with mars, with koks; lose with mars, with koks
 * @param {boolean} hasMars whether mars counts in this match
 */
export function chancesText([win, mars, , lost], lang, hasMars = true) {
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  if (!hasMars) return fill(gettext("Chance to win: %(win)s."), { win: percent.format(win) });
  return fill(gettext("Chance to win: %(win)s, %(mars)s with mars; to lose a mars: %(lost)s."), {
    win: percent.format(win), mars: percent.format(mars), lost: percent.format(lost),
  });
}

export function depthText(plies) {
  if (plies === 0) return gettext("Evaluated at a glance.");
  return fill(ngettext("Looked %(plies)s turn ahead.", "Looked %(plies)s turns ahead.", plies), { plies });
}

export function blunderTitle({ loss }, lang) {
  return fill(gettext("That costs %(points)s points"), { points: pointsText(loss, lang) });
}

/** Return the choices of a hint, best first. @returns {{kind:string,choice:string,loss:number}[]} */
export function choicesOf(hint) {
  return hint.kind === "cube"
    ? hint.actions.map(({ action, loss }) => ({ kind: "cube", choice: action, loss }))
    : hint.plays.map(({ play, loss }) => ({ kind: "play", choice: play, loss }));
}

export function chancesOf(hint) {
  return hint.kind === "cube" ? hint.chances : hint.plays[0].chances;
}

/**
 * Return the sentence that compares how often the best play and the next one win; "" if the hint
 * has another reason, or if the two are equal in whole percents.
 */
export function winsText(hint, lang) {
  if (hint.reason !== "wins_more" || hint.kind !== "play" || hint.plays.length < 2) return "";
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  const [best, next] = hint.plays.map((each) => percent.format(each.chances[0]));
  if (best === next) return "";
  return fill(gettext("It wins %(best)s of the games, the next choice %(next)s."), { best, next });
}

/** Return a whole hint in one line, for screen readers and for the command box. */
export function spokenHint(hint, reason, lang) {
  const [best, ...others] = choicesOf(hint);
  const list = others.map((each) => `${choiceName(each.kind, each.choice)} (${lossText(each.loss, lang)})`);
  const also = list.length ? fill(gettext("Other choices: %(list)s."), { list: list.join("; ") }) : "";
  return [adviceText(best.kind, best.choice), reason, also].filter(Boolean).join(" ");
}
