"""The plan of the chaos run: thousands of operations, all drawn before the run starts.

Each operation's keys derive from its number in the plan, so a killed worker repeats exactly the
interrupted operation, and the result can be compared with the plan.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

WORKERS = 4
PLAYERS = 40  # players with FUNDS credits at the start
NEWCOMERS = 10  # players with welcome credits only
FUNDS = 500
WELCOME = 100  # the first part of the welcome credits
MAX_CREDITS = 60  # most credits of a payment between players, a correction or one side's stake
REPEATED = 0.02  # share of the operations that a worker does twice
WEIGHTS = {  # how often each kind is drawn, relative to the others
    "pay": 38,
    "stake": 24,
    "finish": 17,
    "cancel": 6,
    "welcome": 3,
    "correct": 8,
    "reverse": 4,
}
LOOKS_BACK = 60  # number of the latest stakes, and of the latest payments, kept as targets
OLDEST = 20  # number of the oldest of these to pick from: workers have most likely done them
# The kind of the earlier operation that an operation ends or reverses.
TARGETS = {"finish": "stake", "cancel": "stake", "reverse": "pay"}
# Share of the ends of stakes by workers 0 and 2 that the next worker attempts at the same moment.
CONTESTED = 0.2

Amounts = dict[str, int]  # by the account's name


@dataclass(frozen=True)
class Operation:
    """One operation of a worker.

    `key` names the event; an operation that ends a stake or reverses a payment has the key of that
    stake or payment. `meets` is the worker whose operation at the same index runs at the same
    moment.
    """

    kind: str
    key: str
    players: tuple[int, ...] = ()
    credits: int = 0
    repeats: bool = False
    meets: int | None = None

    @property
    def transfers(self) -> dict[str, Amounts]:
        """Return the amounts of each transfer that the operation makes, by the transfer's key."""
        names = [player(number) for number in self.players]
        credits = self.credits
        if self.kind == "pay":
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
        """Return the keys of a stake's holds, by player name."""
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
        rng = random.Random(self.seed)
        recent: dict[str, list[Operation]] = {"stake": [], "pay": []}
        for number in range(self.operations):
            worker = number % WORKERS
            mine = self.by_worker[worker]
            rival = self.by_worker[worker - 1][-1] if worker % 2 else None
            if rival is not None and rival.meets is not None:
                kind = rng.choice(("finish", "cancel"))
                mine.append(replace(rival, kind=kind, meets=worker - 1))
                continue
            operation = _draw(rng, str(number), recent)
            if operation.kind in recent:
                recent[operation.kind] = [*recent[operation.kind], operation][-LOOKS_BACK:]
            is_end = TARGETS.get(operation.kind) == "stake"
            if worker % 2 == 0 and is_end and rng.random() < CONTESTED:
                operation = replace(operation, meets=worker + 1)
            mine.append(operation)

    def __iter__(self) -> Iterator[Operation]:
        for operations in self.by_worker:
            yield from operations


def _draw(rng: random.Random, number: str, recent: dict[str, list[Operation]]) -> Operation:
    kind = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    repeats = rng.random() < REPEATED
    targets = recent[TARGETS[kind]] if kind in TARGETS else []
    if targets:
        earlier = rng.choice(targets[:OLDEST])
        targets.remove(earlier)
        return Operation(kind, earlier.key, earlier.players, earlier.credits, repeats)
    if kind == "welcome":
        newcomer = rng.randrange(PLAYERS, PLAYERS + NEWCOMERS)
        return Operation(kind, number, (newcomer,), 0, repeats)
    if kind == "correct":
        # Mostly additions, because the rake takes credits from the players.
        credits = rng.choice((-1, 1, 1, 1)) * rng.randint(1, MAX_CREDITS)
        return Operation(kind, number, (rng.randrange(PLAYERS),), credits, repeats)
    two = tuple(rng.sample(range(PLAYERS), 2))
    # An end or a reversal that has no target becomes a payment.
    kind = "stake" if kind == "stake" else "pay"
    return Operation(kind, f"{kind}:{number}", two, rng.randint(10, MAX_CREDITS), repeats)
