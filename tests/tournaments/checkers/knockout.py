"""Check a knock-out's draw by the rules of tournaments/README.md, without code of the site."""

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
    size, words = len(data["entrants"]), numbers(data, 1)
    half = 2 ** ((size - 1).bit_length() - 1)  # number of pairs in the first round
    line = iter(shuffled(list(range(1, size + 1)), words))
    byes = shuffled(list(range(half)), words)[: 2 * half - size]
    pairs = [(next(line), None if place in byes else next(line)) for place in range(half)]
    right = hashlib.sha256(bytes.fromhex(data["secret"])).hexdigest() == data["commitment"]
    for played in data["rounds"]:
        drawn = [(a or b, b if a else None) for a, b in pairs if a or b]
        right = right and drawn == [(each["first"], each["second"]) for each in played]
        winner = {each[side]: each["winner"] for each in played for side in ("first", "second")}
        through = [(a or b) and winner.get(a or b) for a, b in pairs]  # None = nobody
        pairs = list(zip(through[::2], through[1::2], strict=False))
    return right
