"""Check a round robin's draw by the rules of tournaments/README.md, without code of the site."""

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


def is_right(data):
    size = len(data["entrants"])
    seats = shuffled(list(range(1, size + 1)), numbers(data, 1)) + [None] * (size % 2)
    leg = len(seats) - 1  # number of rounds until each entrant has met every other
    right = hashlib.sha256(bytes.fromhex(data["secret"])).hexdigest() == data["commitment"]
    for number, played in enumerate(data["rounds"]):
        pairs = [(seats[at], seats[-1 - at]) for at in range(len(seats) // 2)]
        drawn = [(b, a) if b and number >= leg else (a, b) for a, b in pairs]
        right = right and drawn == [(each["first"], each["second"]) for each in played]
        seats = [seats[-2], *seats[:-2], seats[-1]]
    return right and len(data["rounds"]) <= leg * (2 if "DOUBLE" in data["kind"] else 1)
