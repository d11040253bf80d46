// Points, the kinds of a won game, and what a resignation costs.

import { fill } from "./fill.js";

/** Kinds of a win, by its factor. */
export const KIND_OF = { 1: "single", 2: "gammon", 3: "backgammon" };

const KINDS = {
  single: () => gettext("Single game"),
  gammon: () => gettext("Mars (gammon)"),
  backgammon: () => gettext("Koks (backgammon)"),
};

export function kindName(kind) {
  return KINDS[kind]?.() ?? "";
}

export function points(count) {
  return fill(ngettext("%(count)s point", "%(count)s points", count), { count });
}

export function resignCost(kind, count) {
  return fill(gettext("%(kind)s: you lose %(points)s"), { kind: kindName(kind), points: points(count) });
}
