// The player's turn as a walk through the graph of legal plays that the server sent. Pure. There is
// no rule of the game here: a move is possible when the graph has an edge for it.

import { OFF } from "./geometry.js";
import { isHome, playText, parseHex } from "./positions.js";

/**
 * @typedef {{source:number,target:number,die:number,isHit:boolean,next:number}} Edge
 * @typedef {{nodes:{white:number[],black:number[]}[],edges:Edge[][],finals:Set<number>}} Graph
 * @typedef {{moves:Edge[],node:number}} Step one checker's moves, undone together
 * @typedef {{graph:Graph,dice:number[],steps:Step[]}} Turn dice in the order to be played
 */

/** @returns {Graph} */
export function parseGraph(plays) {
  return {
    nodes: plays.nodes.map(parseHex),
    edges: plays.edges.map((edges) =>
      edges.map(([source, target, die, hit, next]) => ({
        source, target, die, isHit: Boolean(hit), next,
      })),
    ),
    finals: new Set(plays.finals),
  };
}

/** Start a turn with the larger die first; a doublet gives four dice. @returns {Turn} */
export function startTurn(graph, dice) {
  const [a, b] = dice;
  return { graph, dice: a === b ? [a, a, a, a] : [Math.max(a, b), Math.min(a, b)], steps: [] };
}

export function nodeOf(turn) {
  return turn.steps.length ? turn.steps[turn.steps.length - 1].node : 0;
}

export function positionOf(turn) {
  return turn.graph.nodes[nodeOf(turn)];
}

export function movesOf(turn) {
  return turn.steps.flatMap((step) => step.moves);
}

export function textOf(turn) {
  return playText(movesOf(turn));
}

/** Return, for each of `turn.dice`, whether it is played. @returns {boolean[]} */
export function diceUsed(turn) {
  const played = movesOf(turn).map((move) => move.die);
  return turn.dice.map((die) => {
    const at = played.indexOf(die);
    if (at < 0) return false;
    played.splice(at, 1);
    return true;
  });
}

/**
 * Return the unused dice that no legal play uses from here; for a doublet, one die for each move
 * that cannot be played.
 * @returns {number[]}
 */
export function deadDice(turn) {
  const used = diceUsed(turn);
  const open = turn.dice.filter((_, at) => !used[at]);
  const playable = new Set();
  let depth = 0;
  for (let nodes = new Set([nodeOf(turn)]); ; depth += 1) {
    const edges = [...nodes].flatMap((node) => turn.graph.edges[node]);
    if (!edges.length) break;
    for (const edge of edges) playable.add(edge.die);
    nodes = new Set(edges.map((edge) => edge.next));
  }
  const isDoublet = turn.dice.length === 4;
  return isDoublet ? open.slice(depth) : open.filter((die) => !playable.has(die));
}

/** Swap the dice. Possible only before the first move; a doublet has no order. */
export function swapDice(turn) {
  if (turn.steps.length || turn.dice.length !== 2) return turn;
  return { ...turn, dice: [turn.dice[1], turn.dice[0]] };
}

/** Return the places from which a checker can move now. @returns {Set<number>} */
export function movable(turn) {
  return new Set(turn.graph.edges[nodeOf(turn)].map((edge) => edge.source));
}

/**
 * Return the places that the checker on `source` can reach, by one die or several in a row. For
 * each target: the path with the fewest moves, and among these the one that plays the dice in their
 * order.
 * @returns {Map<number, Edge[]>}
 */
export function targets(turn, source) {
  const found = new Map();
  const order = turn.dice.filter((_, at) => !diceUsed(turn)[at]);
  let paths = [{ at: source, node: nodeOf(turn), moves: [] }];
  while (paths.length) {
    const extended = paths.flatMap((path) => continuations(turn.graph, path, order));
    for (const path of extended) {
      if (!found.has(path.at)) found.set(path.at, path.moves);
    }
    paths = extended.filter((path) => path.at !== OFF);
  }
  return found;
}

function continuations(graph, path, order) {
  return graph.edges[path.node]
    .filter((edge) => edge.source === path.at)
    .sort((a, b) => order.indexOf(a.die) - order.indexOf(b.die))
    .map((edge) => ({ at: edge.target, node: edge.next, moves: [...path.moves, edge] }));
}

/** Return the turn after moving a checker, or null when the graph does not allow it. */
export function moveChecker(turn, source, target) {
  const moves = targets(turn, source).get(target);
  return moves ? withStep(turn, moves) : null;
}

/** Return the turn after the checker on `source` plays one given die, or null. */
export function moveByDie(turn, source, die) {
  const edge = turn.graph.edges[nodeOf(turn)].find(
    (candidate) => candidate.source === source && candidate.die === die,
  );
  return edge ? withStep(turn, [edge]) : null;
}

/** Return the index of the first unused die that a checker can play now; -1 if there is none. */
export function nextDie(turn) {
  const used = diceUsed(turn);
  const playable = new Set(turn.graph.edges[nodeOf(turn)].map((edge) => edge.die));
  return turn.dice.findIndex((die, at) => !used[at] && playable.has(die));
}

/** Return the turn after the checker on `source` plays the first unused die that it can, or null. */
export function moveByOrder(turn, source) {
  const used = diceUsed(turn);
  for (const [at, die] of turn.dice.entries()) {
    const moved = used[at] ? null : moveByDie(turn, source, die);
    if (moved) return moved;
  }
  return null;
}

function withStep(turn, moves) {
  const node = moves[moves.length - 1].next;
  return { ...turn, steps: [...turn.steps, { moves, node }] };
}

export function undo(turn) {
  return turn.steps.length ? { ...turn, steps: turn.steps.slice(0, -1) } : turn;
}

export function isComplete(turn) {
  return turn.graph.finals.has(nodeOf(turn));
}

/**
 * Return the moves to the end of the turn when every path from here leads to the same position;
 * null when there is a choice, or nothing left to play.
 * @returns {Edge[]|null}
 */
export function forcedRest(turn) {
  const start = nodeOf(turn);
  const { graph } = turn;
  if (!graph.edges[start].length || graph.finals.has(start)) return null;
  const paths = new Map([[start, []]]);
  const queue = [start];
  let rest = null;
  let result = null;
  for (const node of queue) {
    if (graph.finals.has(node)) {
      const text = JSON.stringify(graph.nodes[node]);
      if (result !== null && text !== result) return null;
      result = text;
      rest ??= paths.get(node);
    }
    for (const edge of graph.edges[node]) {
      if (paths.has(edge.next)) continue;
      paths.set(edge.next, [...paths.get(node), edge]);
      queue.push(edge.next);
    }
  }
  return rest;
}

/** Return whether the turn can end in more than one position. */
export function hasChoice({ nodes, finals }) {
  return new Set([...finals].map((node) => JSON.stringify(nodes[node]))).size > 1;
}

/** Return the turn after these moves; each of them can be undone separately. */
export function playAll(turn, moves) {
  return moves.reduce((now, edge) => withStep(now, [edge]), turn);
}

/** Return the rest of the turn if it is forced and all of the side's checkers are home, else null. */
export function forcedBearOff(turn, side) {
  if (!isHome(positionOf(turn)[side])) return null;
  return forcedRest(turn);
}

/**
 * Return the turn after typed moves; each may use one die or several in a row.
 * @param {{source:number,target:number}[]} written
 * @returns {{turn:Turn,refused:{source:number,target:number}|null}} turn up to the refused move
 */
export function playWritten(turn, written) {
  let now = turn;
  for (const step of written) {
    const moved = moveChecker(now, step.source, step.target);
    if (!moved) return { turn: now, refused: step };
    now = moved;
  }
  return { turn: now, refused: null };
}
