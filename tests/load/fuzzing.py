"""Frames that a hostile or broken client could send: valid ones, and mutations of them."""

import json
import random
import string
import uuid
from collections.abc import Callable, Sequence
from typing import Any

Frame = dict[str, Any]

PLAIN_COMMANDS = (
    "roll", "double", "take", "drop", "beaver", "accept", "refuse", "next", "pause", "resume",
    "leave", "claim", "rematch_offer", "rematch_accept", "rematch_refuse",
)  # fmt: skip
# Probability of `resign_match`, which ends the match and so must be rare.
RESIGN_SHARE = 0.01
ODD_NUMBERS = (
    -1, -(2**31), 2**31 - 1, 2**31, 2**63, 10**300, 0.5, -0.0, float("inf"), float("nan"), True,
)  # fmt: skip
ODD_TEXTS = (
    "", " ", "\x00", "\n", "-" * 61, "белые", "１３/７", "٣", "\ud800", "👍" * 50, "a" * 3000,
    "'; DROP TABLE games_match; --", "{{7*7}}", "../../etc/passwd", "null", "0" * 64,
)  # fmt: skip
ODD_TYPES = ("", "state", "event", "ack", "__class__", "Roll", "roll ", "start", "void", "reveal")


class Mutator:
    """Makes frames with its own random generator; `ids` are the command ids that it has used."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.ids: list[str] = []

    def valid(self, seq: int, play: str) -> Frame:
        """Return a frame that the schema allows, except for some plays; the match may refuse it."""
        pick = self.rng.random()
        if pick < 0.3:
            return self._frame_without_id(seq, play)
        command = self._command(play)
        id = self._old_or_new_id()
        self.ids.append(id)
        return {**command, "id": id, "seq": seq if self.rng.random() < 0.8 else self._seq(seq)}

    def mutated(self, seq: int, play: str) -> str | bytes:
        """Return a frame after one to three mutations, sometimes with spoiled text or as bytes."""
        frame: Any = self.valid(seq, play)
        for _ in range(self.rng.randint(1, 3)):
            frame = self.rng.choice(_MUTATIONS)(self, frame)
        text = json.dumps(frame, ensure_ascii=self.rng.random() < 0.5)
        if self.rng.random() < 0.15:
            text = self.rng.choice(_SPOILERS)(self, text)
        if self.rng.random() < 0.02:
            return text.encode("utf-8", "surrogatepass")
        return text

    # --- parts of valid frames ------------------------------------------------------------------

    def _frame_without_id(self, seq: int, play: str) -> Frame:
        move = {"from": self.rng.randint(1, 25), "to": self.rng.choice([None, 0, 5, 24])}
        return self.rng.choice(
            [
                {"t": "join", "v": 1, "since": self._seq(seq), "hold": self.rng.random() < 0.5},
                {"t": "sync", "since": self._seq(seq)},
                {"t": "ping", "seq": self._seq(seq)},
                {"t": "why", "d": self.rng.choice(["", play, "13/7"]), **move},
                {"t": "take_seat"},
            ]
        )

    def _command(self, play: str) -> Frame:
        if self.rng.random() < RESIGN_SHARE:
            return {"t": "resign_match"}
        verb = self.rng.choice(
            (*PLAIN_COMMANDS, "play", "play", "resign", "entropy", "entropy_hash")
        )
        fields: Frame = {}
        if verb == "play":
            fields = {"d": self.rng.choice([play, play, self._some_play()])}
        elif verb == "resign":
            fields = {"factor": self.rng.randint(1, 3)}
        elif verb == "entropy":
            fields = {"entropy": self.rng.randbytes(self.rng.randint(1, 64)).hex()}
        elif verb == "entropy_hash":
            fields = {"hash": self.rng.randbytes(32).hex()}
        return {"t": verb, **fields}

    def _some_play(self) -> str:
        items = [
            f"{self.rng.randint(1, 25)}/{self.rng.randint(0, 24)}"
            for _ in range(self.rng.randint(1, 5))
        ]
        return " ".join(items) + self.rng.choice(["", "*", "(2)", "-", "/off"])

    def _seq(self, seq: int) -> int:
        return max(0, self.rng.choice([seq, seq - 1, seq + 1, 0, seq + 1000, 2**31 - 1]))

    def _old_or_new_id(self) -> str:
        if self.ids and self.rng.random() < 0.1:
            return self.rng.choice(self.ids)
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    # --- mutations ------------------------------------------------------------------------------

    def odd_value(self) -> Any:
        nested: Any = self.rng.choice([[], {}])
        for _ in range(self.rng.choice([1, 3, 60])):
            nested = [nested] if self.rng.random() < 0.5 else {"t": nested}
        return self.rng.choice(
            [
                self.rng.choice(ODD_NUMBERS),
                self.rng.choice(ODD_TEXTS),
                self.rng.choice(ODD_TYPES),
                None,
                nested,
                list(range(self.rng.choice([0, 2, 300]))),
                self.rng.randint(-30, 30),
            ]
        )

    def some_key(self, frame: Any) -> str | None:
        return self.rng.choice(list(frame)) if isinstance(frame, dict) and frame else None


def _changed(mutator: Mutator, frame: Any) -> Any:
    key = mutator.some_key(frame)
    return mutator.odd_value() if key is None else {**frame, key: mutator.odd_value()}


def _without(mutator: Mutator, frame: Any) -> Any:
    gone = mutator.some_key(frame)
    return {key: value for key, value in frame.items() if key != gone} if gone else frame


def _with_more(mutator: Mutator, frame: Any) -> Any:
    name = mutator.rng.choice(["side", "d", "at_ms", "factor", "auto", "holder", "", "🎲"])
    return {**frame, name: mutator.odd_value()} if isinstance(frame, dict) else [frame]


def _other_type(mutator: Mutator, frame: Any) -> Any:
    other = mutator.rng.choice((*ODD_TYPES, *PLAIN_COMMANDS, "play", "join"))
    return {**frame, "t": other} if isinstance(frame, dict) else frame


def _as_text(mutator: Mutator, frame: Any) -> Any:
    key = mutator.some_key(frame)
    return {**frame, key: str(frame[key])} if key else str(frame)


def _wrapped(mutator: Mutator, frame: Any) -> Any:
    return mutator.rng.choice([[frame], {"t": frame}, {"frame": frame}, [frame, frame]])


def _cut(mutator: Mutator, text: str) -> str:
    return text[: mutator.rng.randint(0, len(text))]


def _noisy(mutator: Mutator, text: str) -> str:
    place = mutator.rng.randint(0, len(text))
    return text[:place] + mutator.rng.choice(string.printable) + text[place:]


def _deep(mutator: Mutator, text: str) -> str:
    return mutator.rng.choice(["[" * 2000, '{"t":' * 700, "[" * 100000])


def _long(mutator: Mutator, text: str) -> str:
    return text + " " * mutator.rng.choice([10, 5000])


_MUTATIONS: Sequence[Callable[[Mutator, Any], Any]] = (
    _changed, _changed, _changed, _without, _with_more, _other_type, _as_text, _wrapped,
)  # fmt: skip
_SPOILERS: Sequence[Callable[[Mutator, str], str]] = (_cut, _cut, _noisy, _deep, _long)
