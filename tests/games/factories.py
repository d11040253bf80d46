"""Matches for tests, created through the services as the site creates them."""

import hashlib
import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from games import selectors
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.match.permissions import is_first_turn, on_turn
from games.engine.match.public_view import may_view
from games.engine.match.snapshot import dumps
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.protocol.incoming import Command
from games.services import actions, matches, seats

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ENTROPY = bytes(range(16))


class Sitting:
    """A training match with its guest on White's seat and its own clock."""

    def __init__(self, rules: Rules, level: str = "casual", side: Side = Side.WHITE) -> None:
        self.now = START
        self.guest = uuid4()
        self.side = side
        self.owner = Actor(guest=self.guest)
        self.match = matches.create_training(self.owner, rules, side, level, self.now)

    @property
    def public_id(self) -> str:
        return self.match.public_id

    @property
    def state(self) -> MatchState:
        self.match.refresh_from_db()
        return self.match.state

    def pass_time(self, ms: int) -> None:
        self.now += timedelta(milliseconds=ms)

    def sit(self) -> "Sitting":
        """Take the seat, as a page does when it joins."""
        holder = uuid4()
        seats.take(self.public_id, self.owner, holder, self.now)
        self.owner = Actor(guest=self.guest, holder=holder)
        return self

    def shake(self) -> "Sitting":
        """Send hash and entropy, which starts the first game."""
        self.do("entropy_hash", hash=hashlib.sha256(ENTROPY).hexdigest())
        self.do("entropy", entropy=ENTROPY.hex())
        return self

    def do(self, t: str, *, side: Side | None = None, **fields: Any) -> actions.Accepted:
        """Submit a command for a side, by default the guest's own."""
        actor = self.owner if side in (None, self.side) else Actor.bot(side)
        return self.submit(actor, command(t, self.seq, **fields))

    def submit(self, actor: Actor, command: Command) -> actions.Accepted:
        return actions.submit(self.public_id, actor, command, self.now)

    @property
    def seq(self) -> int:
        self.match.refresh_from_db()
        return self.match.seq

    def may(self, side: Side | None = None) -> dict[str, Any]:
        """Return what a side, by default the guest's, may do now."""
        return may_view(self.state, side or self.side)

    def act_simply(self) -> None:
        """Roll, play, take, accept or start the next game for the side to act."""
        state = self.state
        side = on_turn(state)
        if state.phase is Phase.BETWEEN_GAMES:
            self.do("next")
        elif state.offer is not None:
            self.do("accept", side=side)
        elif state.phase in (Phase.CUBE_OFFERED, Phase.BEAVERED):
            self.do("take", side=side)
        elif state.phase is Phase.TO_ROLL:
            self.do("roll", side=side)
        else:
            self.do("play", side=side, d=some_play(state))

    def play_until(self, *phases: Phase, limit: int = 5000) -> "Sitting":
        """Act simply until the match is in one of the phases."""
        for _ in range(limit):
            if self.state.phase in phases:
                return self
            self.act_simply()
        raise AssertionError(f"never came to {phases}")


def command(t: str, seq: int, id: UUID | None = None, **fields: Any) -> Command:
    return Command(t, id or uuid4(), seq, fields)


def some_play(state: MatchState) -> str:
    """Return a legal play of the rolled dice, always the same one for a position."""
    assert state.turn is not None
    assert state.dice is not None
    plays = legal_plays(state.position, state.turn, state.dice, state.rules, is_first_turn(state))
    texts = sorted(play_to_text(play) for play in plays.values())
    return texts[(state.rolls * 7) % len(texts)]


def assert_log_folds(match: Match) -> None:
    """Check that the log folds to the snapshot and that its numbers have no gap."""
    match.refresh_from_db()
    assert dumps(selectors.folded(match)) == match.snapshot
    seqs = list(match.actions.order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, match.seq + 1))


def rule_sets() -> Iterator[Rules]:
    """Yield a few rule sets that differ in everything that a match can differ in."""
    variants, lengths = ("short", "long"), (1, 3)
    for variant, length in itertools.product(variants, lengths):
        yield Rules.of(variant, length=length)
        yield Rules.of(variant, length=length, parity=True, delay_ms=30_000)
