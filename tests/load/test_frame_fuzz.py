"""Thousands of random and mutated frames, sent to the table's consumer without the socket guard.

The consumer answers every frame with a frame of the schema and never with `internal`. A frame that
is answered with neither `ack` nor `state` leaves the match unchanged, and the log still folds to
the snapshot. With a probability of 99 %, the 1,020 frames find a fault that shows in one frame of
221, and the 100,300 of the long form one that shows in one of 21,700. The frames are the same in
every run.
"""

import asyncio
import json
import logging
import random
from functools import lru_cache
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.shared.database_threads import run_in_db_thread
from games.consumers import MatchConsumer
from games.engine.match.permissions import may_double, on_turn
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.live import open_tables, state_pace
from games.models import Match
from tests.games import factories
from tests.games.factories import Sitting, assert_log_folds, some_play
from tests.games.protocol.independent_client import Contract
from tests.load.fuzzing import Mutator
from tests.support.lengths import length
from tests.support.steady import LATER_S

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FRAMES = length(1_020, 100_300)
FRAMES_A_MATCH = 170  # six matches in the short form, one for each phase
VALID_SHARE = 0.35
TIMEOUT_S = 120
ANSWERS = ("ack", "error", "state", "current", "pong", "why")
UNREADABLE = ("unreadable", "unknown_type", "too_large", "reload")
RULES = [
    Rules.of("short", length=3),
    Rules.of("long", length=3, delay_ms=60_000),
    Rules.of("short", length=1),
    Rules.of("long", length=5, parity=True),
    Rules.of("short", length=None, beaver=True, jacoby=True, auto_doubles=2),
]
PHASES = [
    Phase.SEATING, Phase.TO_ROLL, Phase.TO_PLAY, Phase.CUBE_OFFERED, Phase.BETWEEN_GAMES,
    Phase.FINISHED,
]  # fmt: skip


CONTRACT = Contract()


class Client:
    """One connection to the consumer, with the session that the guard would have loaded."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.states = 0
        self.seq = -1  # of the last action that was sent to this connection
        self.app = self._new()

    def _new(self) -> WebsocketCommunicator:
        app = WebsocketCommunicator(MatchConsumer.as_asgi(), "/")
        app.scope["url_route"] = {"kwargs": {"public_id": self.sitting.public_id}}
        app.scope["session"] = {"guest": str(self.sitting.guest)}
        app.scope["user"] = AnonymousUser()
        return app

    async def open(self) -> "Client":
        await self.app.connect(timeout=TIMEOUT_S)
        await self.ask(json.dumps({"t": "join", "v": 1, "since": -1, "hold": True}))
        return self

    async def ask(self, text: str | bytes) -> dict[str, Any]:
        """Send a frame; return the answer to it, skipping events and other frames.

        A state may come at any time; it is the answer only to a frame that asks for one.
        """
        key = "bytes" if isinstance(text, bytes) else "text"
        await self.app.send_input({"type": "websocket.receive", key: text})
        asked = json.loads(text) if is_read_by_schema(text) else {"t": None}
        while True:
            frame = await self._answer()
            if frame["t"] == "state" and asked["t"] not in ("join", "sync", "take_seat"):
                continue
            if frame["t"] == "pong" and frame["seq"] > asked["seq"]:
                await self._catch_up(asked["seq"], frame["seq"])
            return frame

    async def _catch_up(self, known: int, newest: int) -> None:
        """Wait for the frames after a pong, if the client knows only the actions up to `known`.

        A state follows if this connection was sent a later action than that; else the events up to
        `newest` are on their way.
        """
        is_state_due = known < self.seq
        while (await self._next())["t"] != "state":
            if not is_state_due and self.seq >= newest:
                return

    async def _answer(self) -> dict[str, Any]:
        """Return the next frame that can be an answer."""
        while (frame := await self._next())["t"] not in ANSWERS:
            pass
        return frame

    async def _next(self) -> dict[str, Any]:
        message = await self.app.receive_output(timeout=TIMEOUT_S)
        assert message["type"] == "websocket.send", message
        frame = json.loads(message["text"])
        if frame["t"] in ("state", "event"):
            self.seq = frame["seq"]
        self.states += frame["t"] == "state"
        # Checking a state takes long, so only one state in ten is checked.
        if frame["t"] in ANSWERS and (frame["t"] != "state" or self.states % 10 == 1):
            assert CONTRACT.allows(CONTRACT.server, frame), frame
        return frame

    async def reopen_if_closed(self) -> bool:
        """Reconnect if twenty unreadable frames closed the connection; return whether it did."""
        while not self.app.output_queue.empty():
            message = self.app.output_queue.get_nowait()
            if message["type"] == "websocket.close":
                assert message["code"] == 4009
                await self.close()
                self.app = self._new()
                await self.open()
                return True
        return False

    async def close(self) -> None:
        await self.app.disconnect(timeout=TIMEOUT_S)


def sit(rules: Rules, phase: Phase, rng: random.Random) -> Sitting:
    """Return a match in this phase, or as near to it as the rules allow."""
    sitting = Sitting(rules).sit()
    if phase is Phase.SEATING:
        return sitting
    sitting.start_game()
    if phase is Phase.CUBE_OFFERED and rules.cube:
        while not may_double(sitting.state, on_turn(sitting.state)):
            sitting.act_simply()
        sitting.do("double", side=on_turn(sitting.state))
        return sitting
    for _ in range(rng.randint(0, 30)):
        if sitting.state.phase is not Phase.FINISHED:
            sitting.act_simply()
    ends = (Phase.FINISHED,) if rules.length == 1 else (Phase.BETWEEN_GAMES, Phase.FINISHED)
    return sitting.play_until(phase, *ends)


def stored_state(sitting: Sitting) -> tuple[int, Any]:
    """Return the number of the last action and the snapshot."""
    return Match.objects.values_list("seq", "snapshot").get(pk=sitting.match.pk)


def useful_play(sitting: Sitting) -> str:
    state = sitting.state
    return some_play(state) if state.dice and state.phase is Phase.TO_PLAY else "13/7 8/7"


@lru_cache(maxsize=1)  # called twice for every frame
def is_read_by_schema(text: str | bytes) -> bool:
    if isinstance(text, bytes) or len(text.encode("utf-8", "surrogatepass")) > 4096:
        return False
    try:
        return CONTRACT.allows(CONTRACT.client, json.loads(text))
    except (ValueError, RecursionError):
        return False


def judge(text: str | bytes, answer: dict[str, Any], before: Any, after: Any) -> None:
    """Check the answer against the schema and the database."""
    exchange = f"{text[:300]!r} -> {answer}"
    assert answer.get("code") != "internal", exchange
    if not is_read_by_schema(text):
        assert answer["t"] == "error", exchange
        assert answer["code"] in UNREADABLE, exchange
    elif answer["t"] == "error":
        frame = json.loads(text)
        # The server checks more than the schema: the grammar of plays, and that the entropy fits
        # the hash that was sent before.
        is_checked_further = "d" in frame or frame["t"] == "entropy"
        assert answer["code"] not in UNREADABLE or is_checked_further, exchange
    if before != after:
        # A frame that takes the seat resumes a stopped clock, which is an action, and gets a state.
        assert answer["t"] in ("ack", "state"), exchange
    if answer["t"] == "ack":
        frame = json.loads(text)
        assert answer["id"] == frame["id"].lower(), exchange
        is_repeat = answer["seq"] <= before[0]
        changes = frame["t"] != "leave"  # in training leaving is no action: the match waits
        assert is_repeat or not changes or (frame["seq"] == before[0] < after[0]), exchange


async def fuzz(mutator: Mutator, sitting: Sitting, frames: int) -> dict[str, int]:
    """Send frames over two connections, one of which holds the seat; count the answers."""
    clients = [await Client(sitting).open() for _ in range(2)]
    counts: dict[str, int] = {}
    before, play = await run_in_db_thread(stored_state, sitting), "13/7 8/7"
    for number in range(frames):
        client = clients[mutator.rng.random() < 0.7]
        if mutator.rng.random() < VALID_SHARE:
            text: str | bytes = json.dumps(mutator.valid(before[0], play))
        else:
            text = mutator.mutated(before[0], play)
        answer = await client.ask(text)
        after = await run_in_db_thread(stored_state, sitting)
        judge(text, answer, before, after)
        kind = answer.get("code", answer["t"])
        counts[kind] = counts.get(kind, 0) + 1
        is_changed = await client.reopen_if_closed()  # a reconnection stops and resumes the clock
        if number % 25 == 24:
            play = await run_in_db_thread(act_for_bot, sitting)
            is_changed = True
        before = await run_in_db_thread(stored_state, sitting) if is_changed else after
    for client in clients:
        await client.close()
    return counts


def act_for_bot(sitting: Sitting) -> str:
    """Let the bot act if it is on turn; return a play, which is legal if the guest is to play."""
    if on_turn(sitting.state) is sitting.side.other:
        sitting.act_simply()
    return useful_play(sitting)


def test_random_frames_break_nothing_and_change_the_match_only_if_accepted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "DELIVERED_WITHIN_S", LATER_S)  # no event is lost here
    monkeypatch.setattr(state_pace, "BURST", FRAMES)  # each requested state is sent at once
    monkeypatch.setattr(state_pace, "EVERY_S", 1e-9)
    mutator = Mutator(seed=20261121)
    totals: dict[str, int] = {}
    with caplog.at_level(logging.ERROR):
        for number in range(FRAMES // FRAMES_A_MATCH):
            monkeypatch.setattr(factories, "START", timezone.now())
            phase = PHASES[number % len(PHASES)]
            sitting = sit(RULES[number % len(RULES)], phase, mutator.rng)
            counts = asyncio.run(fuzz(mutator, sitting, FRAMES_A_MATCH))
            for kind, count in counts.items():
                totals[kind] = totals.get(kind, 0) + count
            assert_log_folds(sitting.match)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert sum(totals.values()) == FRAMES
    # Some frames were accepted, some stale, illegal, unreadable, or refused without the seat.
    expected = {"ack", "state", "pong", "why", "stale", "illegal", "passive", "unreadable"}
    assert expected <= totals.keys(), totals
