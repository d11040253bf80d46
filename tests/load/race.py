"""A race between two processes, and the functions that racer.py calls by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tests.load.race_setup import Fields

Call = Callable[[Fields], str]


class Race(NamedTuple):
    """Two calls, `one` and `other`, that two processes make at the same moment.

    `judge` gets the fields of `arrange` and both answers, and returns the name of the call that
    won. It fails unless the rows and credits fit exactly one of the two outcomes.
    """

    arrange: Callable[[], Fields]
    one: Call
    other: Call
    judge: Callable[[Fields, list[str]], str]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The calls by which racer.py runs the rounds of a module's races."""

    races: Mapping[str, Race]

    def arrange(self, race: str, count: int) -> list[Fields]:
        return [self.races[race].arrange() for _ in range(count)]

    def run(self, race: str, call_name: str, fields: Fields) -> str:
        chosen = self.races[race]
        return chosen.one(fields) if call_name == "one" else chosen.other(fields)

    def judge(self, race: str, fields: Fields, answers: list[str]) -> str:
        return self.races[race].judge(fields, answers)
