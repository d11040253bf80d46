"""Bots' turns: claimed by lease, thought over in a child process, submitted like anybody's.

`Match.wake_at` says when a bot is to act. A driver claims the turn by moving it on by `LEASE`,
so that others leave it alone, and another tries again should this one die. Thinking happens
outside any transaction. What is submitted names the seq that was thought about: an answer to a
position that is no more is refused as stale and thrown away, so two drivers cannot play twice.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from accounts.executor import hop
from accounts.gate import writing
from accounts.shared.refusals import Refused
from games import paces
from games.actors import Actor
from games.engine.errors import InvalidAction
from games.engine.legal import legal_plays
from games.engine.moves import play_to_text
from games.engine.predicates import is_first_turn, on_turn
from games.engine.sides import Side
from games.engine.snapshot import loads
from games.engine.state import MatchState, Phase
from games.models import Match
from games.protocol.incoming import Command
from games.services import actions
from games.services.thinkers import NoAnswer, Thinker

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=12)
BATCH = 20
# How long a round waits for its answers before it lets the deadlines of others have their turn.
PATIENCE_S = 0.3


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A claimed turn; `seq` is the last action of the position thought about."""

    public_id: str
    seq: int
    side: Side
    level: str
    pace: str
    snapshot: dict[str, Any]


class BotDriver:
    """Drives the bots of one worker: `start`, then `drive` again and again, then `stop`."""

    def __init__(self, thinker: Thinker | None = None) -> None:
        self.thinker = thinker or Thinker()
        self._thoughts: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the child; if that fails now, it is tried again with the first question."""
        try:
            await self.thinker.start()
        except OSError:
            logger.exception("the bots' process does not start")

    async def stop(self) -> None:
        """Drop what is being thought about (the lease lets others take it up) and end the child."""
        for thought in self._thoughts:
            thought.cancel()
        await asyncio.gather(*self._thoughts, return_exceptions=True)
        await self.thinker.stop()

    async def drive(self, now: datetime) -> datetime | None:
        """Claim what is due and act; returns when the next bot is to act, None when none is.

        Comes back after `PATIENCE_S` at the latest; slower thoughts go on in the background.
        """
        for turn in await hop(claim, now):
            thought = asyncio.create_task(self._act(turn))
            self._thoughts.add(thought)
            thought.add_done_callback(self._thoughts.discard)
        if self._thoughts:
            await asyncio.wait(self._thoughts, timeout=PATIENCE_S)
        return await hop(next_due)

    async def _act(self, turn: BotTurn) -> None:
        try:
            command = await self._think(turn)
            if command is not None:
                await _take_time(turn, command.pop("hard", 0.0))
                await self._submit(turn, command)
        except Exception:
            # The lease runs out and the turn is tried again.
            logger.exception("bot's turn failed", extra={"match": turn.public_id})

    async def _think(self, turn: BotTurn) -> dict[str, Any] | None:
        try:
            return await self.thinker.ask(question_of(turn))
        except NoAnswer as error:
            extra = {"match": turn.public_id}
            logger.error("no thought (%s): the plainest legal move instead", error, extra=extra)  # noqa: TRY400
            return await asyncio.to_thread(plainest, loads(turn.snapshot))

    async def _submit(self, turn: BotTurn, told: dict[str, Any]) -> None:
        kind, fields = told["t"], {name: told[name] for name in told if name != "t"}
        command = Command(kind, uuid4(), turn.seq, fields)
        actor = Actor.bot(turn.side)
        try:
            await hop(actions.submit, turn.public_id, actor, command, timezone.now())
        except Refused as refused:
            # Stale, or the flag fell meanwhile: somebody else was faster, and that is all.
            quiet = refused.code in ("stale", "finished", "out_of_time", "not_your_turn")
            level = logging.DEBUG if quiet else logging.ERROR
            extra = {"match": turn.public_id}
            logger.log(level, "bot's %s refused: %s", kind, refused, extra=extra)


async def _take_time(turn: BotTurn, hard: float) -> None:
    """What was thought out at once is done later, the later the harder it was."""
    pause_ms = paces.thought_ms(turn.pace, hard, f"{turn.public_id} {turn.seq}")
    if pause_ms:
        await asyncio.sleep(pause_ms / 1000)


def question_of(turn: BotTurn) -> dict[str, Any]:
    """All that the child hears: what the players have seen."""
    return {
        "state": turn.snapshot,
        "side": turn.side.value,
        "level": turn.level,
        "salt": turn.public_id,
    }


def claim(now: datetime) -> list[BotTurn]:
    """Lease the turns that are due; what another worker holds locked is left to it."""
    waiting = Match.objects.filter(awaits_bot=True, wake_at__lte=now).order_by("wake_at")
    if not waiting.exists():  # most rounds end here, without asking for a write
        return []
    with writing():
        due = waiting.select_for_update(no_key=True, skip_locked=True)
        turns = [_lease(match, now) for match in due.prefetch_related("seats")[:BATCH]]
    return [turn for turn in turns if turn is not None]


def _lease(match: Match, now: datetime) -> BotTurn | None:
    match.wake_at = now + LEASE
    match.save(update_fields=["wake_at"])
    try:
        to_act = on_turn(match.state)
    except InvalidAction:  # one damaged match must not stop the bots of all others
        logger.exception("bot's turn not claimed", extra={"match": match.public_id})
        return None
    seat = next((seat for seat in match.seats.all() if seat.side == to_act), None)
    if to_act is None or seat is None or not seat.bot:
        logger.error("no bot is to move here", extra={"match": match.public_id})
        return None
    return BotTurn(match.public_id, match.seq, to_act, seat.bot, match.bot_pace, match.snapshot)


def next_due() -> datetime | None:
    """When the next bot is to act, leases included."""
    waiting = Match.objects.filter(awaits_bot=True, wake_at__isnull=False)
    return waiting.order_by("wake_at").values_list("wake_at", flat=True).first()


def plainest(state: MatchState) -> dict[str, Any]:
    """A legal command that needs no thought, so that no game hangs on a broken child."""
    if state.offer is not None:
        return {"t": "refuse"}
    if state.phase is Phase.TO_PLAY:
        assert state.turn is not None
        assert state.dice is not None
        plays = legal_plays(
            state.position, state.turn, state.dice, state.rules, is_first_turn(state)
        )
        return {"t": "play", "d": play_to_text(next(iter(plays.values())))}
    return {"t": "roll" if state.phase is Phase.TO_ROLL else "take"}
