"""Check a Swiss draw by the rules of tournaments/README.md, without code of the site."""

import hashlib
import hmac
import itertools
import struct


def numbers(data, round_number):
    message = b"5sg-draw1"
    for part in (data["id"], str(round_number)):
        message += len(part).to_bytes(2, "big") + part.encode()
    key = hmac.digest(bytes.fromhex(data["secret"]), message, "sha256")
    for block in itertools.count():
        yield from struct.unpack(">8I", hmac.digest(key, str(block).encode(), "sha256"))


def shuffled(items, words):
    for last in range(len(items) - 1, 0, -1):
        at = next(word for word in words if word < 2**32 - 2**32 % (last + 1)) % (last + 1)
        items[last], items[at] = items[at], items[last]
    return items


def first_pairing(line, met, repeats):  # None if more repeated pairs would be needed
    if not line:
        return []
    for other in line[1:]:
        left = repeats - ({line[0], other} in met)  # repeats left for the rest
        rest = None if left < 0 else first_pairing([e for e in line[1:] if e != other], met, left)
        if rest is not None:
            return [(line[0], other), *rest]
    return None


def is_right(data):
    right = hashlib.sha256(bytes.fromhex(data["secret"])).hexdigest() == data["commitment"]
    for number, played in enumerate(data["rounds"], 1):
        before = [each for earlier in data["rounds"][: number - 1] for each in earlier]
        inside = sorted(e for each in played for e in (each["first"], each["second"]) if e)
        wins = {e: sum(each["winner"] == e for each in before) for e in inside}
        line = sorted(shuffled(inside, numbers(data, number)), key=lambda e: -wins[e])
        rested = {each["first"] for each in before if not each["second"]}
        met = [{each["first"], each["second"]} for each in before]
        byes = [e for e in line[::-1] if e not in rested] or line[::-1] if len(line) % 2 else [None]
        tries = itertools.product(range(len(line)), byes)  # fewest repeats first
        found = ((first_pairing([e for e in line if e != bye], met, r), bye) for r, bye in tries)
        drawn = next(pairs + [(bye, None)] * bool(bye) for pairs, bye in found if pairs is not None)
        right = right and drawn == [(each["first"], each["second"]) for each in played]
    return right
