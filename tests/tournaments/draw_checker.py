"""A stranger's check of a draw, written from tournaments/README.md alone: no import of the site."""

import hashlib
import hmac
import itertools


def shuffle(data, number, items):
    items, parts = list(items), [data["id"].encode(), str(number).encode()]
    message = b"5sg-draw1" + b"".join(len(p).to_bytes(2, "big") + p for p in parts)
    words, key = (
        data.setdefault("words", {}),
        hmac.digest(bytes.fromhex(data["secret"]), message, "sha256"),
    )
    if number not in words:
        blocks = (hmac.digest(key, str(k).encode(), "sha256") for k in itertools.count())
        words[number] = (
            int.from_bytes(b[i : i + 4], "big") for b in blocks for i in range(0, 32, 4)
        )
    for last in range(len(items) - 1, 0, -1):
        at = next(w for w in words[number] if w < 2**32 // (last + 1) * (last + 1)) % (last + 1)
        items[last], items[at] = items[at], items[last]
    return items


def swiss_pairs(line, met, repeats):
    if not line:
        return []
    for other in line[1:]:
        left = repeats - ({line[0], other} in met)
        rest = None if left < 0 else swiss_pairs([e for e in line[1:] if e != other], met, left)
        if rest is not None:
            return [(line[0], other), *rest]
    return None


def swiss(data, number, before):
    inside = sorted(e for p in data["rounds"][number - 1] for e in (p["first"], p["second"]) if e)
    wins = {e: sum(p["winner"] == e for p in before) for e in inside}
    line = sorted(shuffle(data, number, inside), key=lambda e: -wins[e])
    had = {p["first"] for p in before if not p["second"]}
    met = [{p["first"], p["second"]} for p in before]
    byes = [e for e in reversed(line) if e not in had] or line[::-1] if len(line) % 2 else [None]
    tries = itertools.product(range(len(line)), byes)
    found = ((swiss_pairs([e for e in line if e != bye], met, r), bye) for r, bye in tries)
    pairs, bye = next((pairs, bye) for pairs, bye in found if pairs is not None)
    return pairs + ([(bye, None)] if bye else [])


def circle(data, number, size):
    seats = shuffle(data, 1, range(1, size + 1)) + [None] * (size % 2)
    for _ in range((number - 1) % (len(seats) - 1)):
        seats = [seats[-2], *seats[:-2], seats[-1]]
    pairs = [(seats[i], seats[-1 - i]) for i in range(len(seats) // 2)]
    return [(b, a) if b and (number - 1) // (len(seats) - 1) % 2 else (a, b) for a, b in pairs]


def knockout(data, number, size):
    half = 2 ** ((size - 1).bit_length() - 1)
    line, places = shuffle(data, 1, range(1, size + 1)), shuffle(data, 1, range(half))
    line, byes = iter(line), places[: 2 * half - size]
    column = [(next(line), None if i in byes else next(line)) for i in range(half)]
    for played in data["rounds"][: number - 1]:
        winner = {e: p["winner"] for p in played for e in (p["first"], p["second"]) if e}
        through = [winner.get(a or b) for a, b in column]
        column = list(zip(through[::2], through[1::2], strict=False))
    return [(a or b, b if a else None) for a, b in column if a or b]


def is_right(data):
    data, size = dict(data), len(data["entrants"])
    right = hashlib.sha256(bytes.fromhex(data["secret"])).hexdigest() == data["commitment"]
    for number, played in enumerate(data["rounds"], 1):
        before = [p for r in data["rounds"][: number - 1] for p in r]
        data.pop("words", None)
        drawn = (
            swiss(data, number, before)
            if data["kind"] == "SWISS"
            else circle(data, number, size)
            if "ROBIN" in data["kind"]
            else knockout(data, number, size)
        )
        right = right and drawn == [(p["first"], p["second"]) for p in played]
    return right
