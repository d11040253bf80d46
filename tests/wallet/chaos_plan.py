"""The plan of the chaos run: thousands of operations, known beforehand.

Each operation's keys derive from its place in the plan, so a killed worker repeats exactly the
interrupted operation, and the result can be compared with the plan.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

WORKERS = 4
PLAYERS = 40
NEWCOMERS = 10  # players with welcome credits only
FUNDS = 500
WELCOME = 1000
MAX_CREDITS = 60
REPEATED = 0.02
WEIGHTS = {
    "move": 38,
    "stake": 24,
    "finish": 17,
    "cancel": 6,
    "welcome": 3,
    "correct": 8,
    "reverse": 4,
}
LOOKS_BACK = 60  # number of recent stakes and moves, of all workers, that may be ended or reversed
OLDEST = 20  # picks among this many of the oldest, which are done by now
ABOUT = {"finish": "stake", "cancel": "stake", "reverse": "move"}
CONTESTED = 0.2  # share of the ends of stakes that two workers attempt at the same moment

Amounts = dict[str, int]  # by the account's name


@dataclass(frozen=True)
class Operation:
    """`key` names the event; finishing and canceling a stake are named by the stake.

    `meets` is the worker whose operation at the same place runs at the same moment.
    """

    kind: str
    key: str
    players: tuple[int, ...] = ()
    credits: int = 0
    repeats: bool = False
    meets: int | None = None

    @property
    def transfers(self) -> dict[str, Amounts]:
        """The transfers that this makes when it is done, by key."""
        names = [player(number) for number in self.players]
        credits = self.credits
        if self.kind == "move":
            return {self.key: {names[0]: -credits, names[1]: credits}}
        if self.kind == "correct":
            return {f"correct:{self.key}": {"correction": -credits, names[0]: credits}}
        if self.kind == "welcome":
            return {f"welcome:{names[0]}": {"gifts": -WELCOME, names[0]: WELCOME}}
        if self.kind == "finish":
            won, rake = 2 * credits - credits // 10, credits // 10
            staked = {names[0]: -credits, names[1]: -credits, self.pot: 2 * credits}
            paid = {self.pot: -2 * credits, names[0]: won, "rake": rake}
            return {f"settle:{self.key}": staked, f"payout:{self.key}": paid}
        if self.kind == "reverse":
            return {f"reverse:{self.key}": {names[0]: credits, names[1]: -credits}}
        return {}

    @property
    def pot(self) -> str:
        return f"pot:{self.key}"

    @property
    def holds(self) -> dict[str, str]:
        """The keys of the holds of a stake, by player name."""
        return {player(number): f"{self.key}:{number}" for number in self.players}


def player(number: int) -> str:
    return f"player{number}"


@dataclass
class Plan:
    """All operations by worker; derived from a seed, identical in every process."""

    seed: int
    operations: int
    by_worker: list[list[Operation]] = field(default_factory=lambda: [[] for _ in range(WORKERS)])

    def __post_init__(self) -> None:
        chance = random.Random(self.seed)
        before: dict[str, list[Operation]] = {"stake": [], "move": []}
        for number in range(self.operations):
            worker = number % WORKERS
            mine = self.by_worker[worker]
            rival = self.by_worker[worker - 1][-1] if worker % 2 else None
            if rival is not None and rival.meets is not None:
                kind = chance.choice(("finish", "cancel"))
                mine.append(replace(rival, kind=kind, meets=worker - 1))
                continue
            operation = _draw(chance, str(number), before)
            if operation.kind in before:
                before[operation.kind] = [*before[operation.kind], operation][-LOOKS_BACK:]
            is_end = ABOUT.get(operation.kind) == "stake"
            if worker % 2 == 0 and is_end and chance.random() < CONTESTED:
                operation = replace(operation, meets=worker + 1)
            mine.append(operation)

    def __iter__(self) -> Iterator[Operation]:
        for operations in self.by_worker:
            yield from operations


def _draw(chance: random.Random, number: str, before: dict[str, list[Operation]]) -> Operation:
    kind = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    repeats = chance.random() < REPEATED
    about = before[ABOUT[kind]] if kind in ABOUT else []
    if about:
        earlier = chance.choice(about[:OLDEST])
        about.remove(earlier)
        return Operation(kind, earlier.key, earlier.players, earlier.credits, repeats)
    if kind == "welcome":
        newcomer = chance.randrange(PLAYERS, PLAYERS + NEWCOMERS)
        return Operation(kind, number, (newcomer,), 0, repeats)
    if kind == "correct":
        credits = chance.choice((-1, 1, 1, 1)) * chance.randint(1, MAX_CREDITS)  # the rake takes
        return Operation(kind, number, (chance.randrange(PLAYERS),), credits, repeats)
    two = tuple(chance.sample(range(PLAYERS), 2))
    kind = "stake" if kind == "stake" else "move"
    return Operation(kind, f"{kind}:{number}", two, chance.randint(10, MAX_CREDITS), repeats)
