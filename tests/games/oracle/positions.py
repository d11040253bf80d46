"""Make random positions for comparing move generators: from games, and hard cases.

A query is an input of ``python -m games.engine legal`` without the key ``rules``: the comparison
adds each reading of the rules, that is, one way to interpret them (``READINGS`` of reading.py). The
same variant, count and seed give the same queries. This module imports only the brute-force
generator beside it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from tests.games.oracle.brute import BAR, HEAD, OFF, long_enemy_point, opponent, results

Query = dict[str, Any]
Sides = tuple[list[int], list[int]]  # mover and enemy, 26 counts each as in brute
CHECKERS = 15
STARTS = {"short": {24: 2, 13: 5, 8: 3, 6: 5}, "long": {24: 15}}


# --- the mixes ---------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def mixed(variant: str, count: int, seed: int) -> tuple[Query, ...]:
    """Return ``count`` queries: half from random games, half invented, each hard kind in turn."""
    rng = random.Random(f"{variant} {seed}")
    from_play = played(variant, rng)
    kinds = SHORT_KINDS if variant == "short" else LONG_KINDS
    queries: list[Query] = []
    while len(queries) < count:
        if len(queries) % 2:
            queries.append(next(from_play))
        else:
            make = kinds[len(queries) // 2 % len(kinds)]
            queries.append(placed(variant, make, rng))
    return tuple(queries)


def played(variant: str, rng: random.Random) -> Iterator[Query]:
    """Yield every turn of one random game after another; each side plays in one of ``STYLES``."""
    while True:
        position, turn = start_position(variant), rng.choice(["white", "black"])
        styles = {"white": rng.choice(STYLES), "black": rng.choice(STYLES)}
        turns = 0
        while CHECKERS not in position["off"].values():
            dice = roll(rng)
            while variant == "short" and turns == 0 and dice[0] == dice[1]:
                dice = roll(rng)  # the opening dice are the first roll and never equal
            query = {
                "variant": variant,
                "position": position,
                "turn": turn,
                "dice": dice,
                "first_turn": turns < 2,
            }
            yield query
            position = read_result(styles[turn](results(query), turn, rng), variant)
            turn, turns = opponent(turn), turns + 1


def any_result(choices: list[str], turn: str, rng: random.Random) -> str:
    return rng.choice(choices)


def most_points(choices: list[str], turn: str, rng: random.Random) -> str:
    """Choose a play that holds the most points, to leave the other side few open points."""
    mine = slice(0, 24) if turn == "white" else slice(24, 48)
    return max(choices, key=lambda text: (24 - text[mine].count("0"), rng.random()))


def most_stacked(choices: list[str], turn: str, rng: random.Random) -> str:
    """Choose a play that holds the fewest points, to leave gaps and few movable checkers."""
    mine = slice(0, 24) if turn == "white" else slice(24, 48)
    return max(choices, key=lambda text: (text[mine].count("0"), rng.random()))


STYLES = (any_result, any_result, most_points, most_stacked)


def placed(variant: str, make: Callable[[random.Random], Sides], rng: random.Random) -> Query:
    """Return a query of one invented position, in which a random side moves."""
    own, enemy = make(rng)
    while not is_playable(variant, own, enemy):
        own, enemy = make(rng)
    mover = rng.choice(["white", "black"])
    sides = {mover: own, opponent(mover): enemy}
    position: dict[str, Any] = {side: counts[1:25] for side, counts in sides.items()}
    position["off"] = {side: counts[OFF] for side, counts in sides.items()}
    if variant == "short":
        position["bar"] = {side: counts[BAR] for side, counts in sides.items()}
    first_turn = variant == "long" and own[HEAD] > 10 and rng.random() < 0.5
    return {
        "variant": variant,
        "position": position,
        "turn": mover,
        "dice": roll(rng, doublets=0.3),
        "first_turn": first_turn,
    }


def is_playable(variant: str, own: list[int], enemy: list[int]) -> bool:
    """Return whether both sides have fifteen checkers, neither has won and no point is shared."""
    if sum(own) != CHECKERS or sum(enemy) != CHECKERS or CHECKERS in (own[OFF], enemy[OFF]):
        return False
    return all(not (own[p] and enemy[mirror(variant, p)]) for p in range(1, 25))


def first_turns() -> Iterator[Query]:
    """Yield both sides' first turns of long nardy, for every roll and play of the first side."""
    rolls = list(combinations_with_replacement(range(1, 7), 2))
    for first, second in (("white", "black"), ("black", "white")):
        for dice in rolls:
            opening = {
                "variant": "long",
                "position": start_position("long"),
                "turn": first,
                "dice": list(dice),
                "first_turn": True,
            }
            yield opening
            for text in results(opening):
                for answer in rolls:
                    position = read_result(text, "long")
                    yield {**opening, "position": position, "turn": second, "dice": list(answer)}


# --- invented positions, short -----------------------------------------------------------------


def short_scattered(rng: random.Random) -> Sides:
    own, enemy = empty(), empty()
    spread(own, CHECKERS, rng.sample(range(1, 25), rng.randint(2, 10)), rng)
    free = [p for p in range(1, 25) if not own[25 - p]]
    spread(enemy, CHECKERS, rng.sample(free, rng.randint(2, min(10, len(free)))), rng)
    return own, enemy


def short_bar(rng: random.Random) -> Sides:
    """Put checkers of the mover on the bar; the enemy has checkers on one to six home points.

    The enemy may have checkers on the bar too.
    """
    own, enemy = empty(), empty()
    own[BAR] = rng.randint(1, 5)
    for point in rng.sample(range(1, 7), rng.randint(1, 6)):
        enemy[point] = rng.choice([1, 2, 2, 2, 3])
    enemy[BAR] = rng.choice([0, 0, 0, 1, 2])
    fill(own, [p for p in range(1, 25) if not enemy[25 - p]], rng)
    fill(enemy, [p for p in range(7, 25) if not own[25 - p]], rng)
    return own, enemy


def short_bearing_off(rng: random.Random) -> Sides:
    """Put the mover on one to five home points, maybe with one checker outside.

    Enemy checkers are in the mover's home, past it or on the bar.
    """
    own, enemy = empty(), empty()
    own[OFF] = rng.randint(0, 13)
    if rng.random() < 0.3:
        own[rng.randint(7, 12)] += 1
    fill(own, rng.sample(range(1, 7), rng.randint(1, 5)), rng)
    enemy[OFF] = rng.choice([0, 0, 5, 10])
    enemy[BAR] = rng.choice([0, 0, 1, 2])
    home = [p for p in range(19, 25) if not own[25 - p]]
    for point in rng.sample(home, rng.randint(0, len(home))):
        enemy[point] = rng.choice([1, 1, 2, 3])
    fill(enemy, [p for p in range(1, 19) if not own[25 - p]], rng)
    return own, enemy


def short_tight(rng: random.Random) -> Sides:
    """Let the mover move few checkers among many enemy points: often only one die can be played."""
    own, enemy = empty(), empty()
    spread(own, rng.randint(1, 3), list(range(7, 25)), rng)
    own[BAR] = rng.choice([0, 0, 1])
    own[OFF] = rng.choice([0, 0, 6, 9])
    deep = rng.sample(range(1, 4), rng.randint(1, 3))
    fill(own, deep, rng)
    free = [p for p in range(1, 25) if not own[25 - p]]
    for point in rng.sample(free, min(len(free), rng.randint(5, 7))):
        enemy[point] = 2
    fill(enemy, [p for p in free if enemy[p]], rng)
    return own, enemy


def short_blots(rng: random.Random) -> Sides:
    """Scatter enemy blots, with the mover's checkers before and behind them."""
    own, enemy = empty(), empty()
    for point in rng.sample(range(1, 25), rng.randint(5, 9)):
        enemy[point] = rng.choice([1, 1, 1, 2])
    own[BAR] = rng.choice([0, 0, 1, 2])
    fill(own, [p for p in range(1, 25) if not enemy[25 - p]], rng)
    fill(enemy, [p for p in range(1, 25) if not own[25 - p]], rng)
    return own, enemy


# --- invented positions, long ------------------------------------------------------------------


def long_scattered(rng: random.Random) -> Sides:
    own, enemy = empty(), empty()
    own[OFF] = rng.choice([0, 0, 0, 3])
    spread(own, CHECKERS - own[OFF], rng.sample(range(1, 25), rng.randint(2, 10)), rng)
    free = [p for p in range(1, 25) if not own[long_enemy_point(p)]]
    enemy[OFF] = rng.choice([0, 0, 0, 0, 4])
    fill(enemy, rng.sample(free, rng.randint(2, min(10, len(free)))), rng)
    return own, enemy


def long_heads(rng: random.Random) -> Sides:
    """Leave most of the mover's checkers on the head; the enemy holds random points."""
    own, enemy = empty(), empty()
    own[HEAD] = rng.randint(8, 15)
    fill(own, list(range(2, 24)), rng)
    free = [p for p in range(1, 25) if not own[long_enemy_point(p)]]
    enemy[HEAD] = rng.choice([0, 5, 10, 13])
    fill(enemy, rng.sample(free, rng.randint(2, min(9, len(free)))), rng)
    return own, enemy


def long_blocks(rng: random.Random) -> Sides:
    """Make a row of six to eight points, up to two of them empty, anywhere on the board.

    All enemy checkers are behind the row, or one is ahead of it, or one is borne off.
    """
    own, enemy = empty(), empty()
    length = rng.choice([6, 6, 6, 7, 8])
    top = rng.choice([rng.randint(1, 24), rng.randint(1, 6), rng.randint(11, 19)])
    row = [(top - 1 - i) % 24 + 1 for i in range(length)]
    gaps = rng.sample(row, rng.choice([0, 1, 1, 1, 2]))
    for point in row:
        own[point] = 0 if point in gaps else 1
    behind = [p for p in range(top, min(top + 7, 25)) if p not in gaps]
    spread(own, min(3, CHECKERS - sum(own)), behind, rng)
    fill(own, rng.sample(range(1, 25), 4), rng)
    free = [p for p in range(1, 25) if not own[long_enemy_point(p)]]
    places = [long_enemy_point(p) for p in row]
    back = [p for p in free if p > min(places)]
    front = [p for p in free if p < min(places)]
    where = rng.random()
    if where < 0.3 and front:
        enemy[rng.choice(front)] += 1
    elif where < 0.45:
        enemy[OFF] = 1
    fill(enemy, rng.sample(back, rng.randint(1, min(6, len(back)))) if back else free, rng)
    return own, enemy


def long_bearing_off(rng: random.Random) -> Sides:
    """Put the mover on one to five home points, maybe one checker outside, enemies in that home."""
    own, enemy = empty(), empty()
    own[OFF] = rng.randint(0, 13)
    if rng.random() < 0.3:
        own[rng.randint(7, 12)] += 1
    fill(own, rng.sample(range(1, 7), rng.randint(1, 5)), rng)
    free = [p for p in range(1, 25) if not own[long_enemy_point(p)]]
    inside = [p for p in free if 13 <= p <= 18]
    for point in rng.sample(inside, rng.randint(0, len(inside))):
        enemy[point] = rng.choice([1, 1, 2])
    fill(enemy, rng.sample(free, rng.randint(1, min(8, len(free)))), rng)
    return own, enemy


def long_tight(rng: random.Random) -> Sides:
    """Let the mover move few checkers among many enemy points."""
    own, enemy = empty(), empty()
    spread(own, rng.randint(1, 3), list(range(7, 24)), rng)
    own[rng.choice([HEAD, HEAD, 1, 2, 3])] += rng.randint(1, CHECKERS - sum(own))
    fill(own, rng.sample(range(1, 4), 2), rng)
    free = [p for p in range(1, 25) if not own[long_enemy_point(p)]]
    held = rng.sample(free, min(len(free), rng.randint(8, 13)))
    for point in held:
        enemy[point] = 1
    fill(enemy, held, rng)
    return own, enemy


SHORT_KINDS = (short_scattered, short_bar, short_bearing_off, short_tight, short_blots)
LONG_KINDS = (long_scattered, long_heads, long_blocks, long_bearing_off, long_tight, long_blocks)


# --- helpers ------------------------------------------------------------------------------


def empty() -> list[int]:
    return [0] * 26


def spread(counts: list[int], number: int, points: list[int], rng: random.Random) -> None:
    """Put ``number`` checkers on random ones of ``points``."""
    for _ in range(number if points else 0):
        counts[rng.choice(points)] += 1


def fill(counts: list[int], points: list[int], rng: random.Random) -> None:
    """Put the missing checkers on random ones of ``points``."""
    spread(counts, CHECKERS - sum(counts), points, rng)


def mirror(variant: str, point: int) -> int:
    return 25 - point if variant == "short" else long_enemy_point(point)


def roll(rng: random.Random, doublets: float = 0.0) -> list[int]:
    """Return a roll, which is made a doublet with the probability ``doublets``."""
    a, b = rng.randint(1, 6), rng.randint(1, 6)
    return [a, a] if rng.random() < doublets else [a, b]


def start_position(variant: str) -> dict[str, Any]:
    counts = [STARTS[variant].get(point, 0) for point in range(1, 25)]
    position = {"white": counts, "black": counts[:], "off": {"white": 0, "black": 0}}
    return position | ({"bar": {"white": 0, "black": 0}} if variant == "short" else {})


def read_result(text: str, variant: str) -> dict[str, Any]:
    """Return the position of a result string in the form that queries have."""
    counts = [int(digit, 16) for digit in text]
    position = {"white": counts[:24], "black": counts[24:48]}
    rest = counts[48:]
    if variant == "short":
        bar, rest = rest[:2], rest[2:]
        return position | {"bar": both(bar), "off": both(rest)}
    return position | {"off": both(rest)}


def both(pair: list[int]) -> dict[str, int]:
    return {"white": pair[0], "black": pair[1]}
