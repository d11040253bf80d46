"""Bots' turns: leased, decided in a child process, submitted like a player's commands.

While a match awaits a bot, `Match.wake_at` is when the bot is to act. A driver leases the turn by
postponing `wake_at` by `LEASE_FOR`: other drivers skip the match, and take the turn over if this
driver dies. The decision is made outside any transaction. The command holds the seq of the position
it was decided for; a command for an earlier position is refused as stale and dropped, so two
drivers cannot play one turn twice.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any
from uuid import uuid4

from django.db.models import QuerySet

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.logs.ids import match_id
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.bots.process import AiProcess, NoAnswer
from games.engine.board.legal import legal_plays
from games.engine.board.moves import play_to_text
from games.engine.errors import InvalidAction
from games.engine.match.actions import Opening, Resign
from games.engine.match.permissions import is_first_turn, on_turn
from games.engine.match.snapshot import loads
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side
from games.models import Action, Match, bot_pace
from games.models.actor import Actor
from games.protocol.incoming import Command
from games.services import actions

logger = logging.getLogger(__name__)

LEASE_FOR = timedelta(seconds=12)
# Turns leased in one round at most.
BATCH = 20
# Turns that one worker keeps open. It leaves the rest to workers whose children may answer sooner.
MAX_OPEN = 200
# Seconds for which a round waits for answers; other kinds of deadlines have to wait meanwhile.
PATIENCE_S = 0.3


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A leased turn; `seq` is the last action of the position to decide on."""

    public_id: str
    seq: int
    side: Side
    level: str
    pace: str
    snapshot: dict[str, Any]


class BotDriver:
    """Drives the bots of one worker: call `start`, then `drive` repeatedly, then `stop`."""

    def __init__(self, ai_process: AiProcess | None = None) -> None:
        self.ai_process = ai_process or AiProcess()
        # By public_id and seq.
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Start the child; if that fails, the first question tries again."""
        try:
            await self.ai_process.start()
        except OSError:
            logger.exception("the bots' process does not start")

    async def stop(self) -> None:
        """End the child and drop open turns; other workers take them when their leases run out."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        await self.ai_process.stop()

    async def drive(self, now: datetime) -> datetime | None:
        """Lease due turns and act; return when the next bot is to act, None if no bot is.

        Return after `PATIENCE_S` at the latest; slower decisions continue in the background.
        """
        most = min(BATCH, MAX_OPEN - len(self._tasks))
        for turn in await run_in_db_thread(lease_due, now, most) if most > 0 else ():
            self._begin(turn)
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=PATIENCE_S)
        return await run_in_db_thread(next_due)

    def _begin(self, turn: BotTurn) -> None:
        """Act in a task of its own.

        If the lease ran out while the turn was open, it was leased again: its task goes on, and the
        child is not asked twice.
        """
        key = (turn.public_id, turn.seq)
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(self._act(turn))
            task.add_done_callback(lambda _: self._tasks.pop(key))

    async def _act(self, turn: BotTurn) -> None:
        match_id.set(turn.public_id)  # in this task only
        try:
            command = await self._decide(turn)
            if command is not None:
                await _take_time(turn, command.pop("hard", 0.0))
                await self._submit(turn, command)
        except Exception:
            # The lease runs out and the turn is retried.
            logger.exception("bot's turn failed")

    async def _decide(self, turn: BotTurn) -> dict[str, Any] | None:
        try:
            found = await self.ai_process.ask(question_of(turn))
            if found is not None and found["t"] == "resign":
                offered = await run_in_db_thread(offered_in_game, turn)
                if found["factor"] <= offered:
                    found = await self.ai_process.ask(question_of(turn, offered))
            return found
        except NoAnswer as error:
            logger.error("no answer (%s): falling back to a legal command", error)  # noqa: TRY400
            return await asyncio.to_thread(fallback_command, loads(turn.snapshot))

    async def _submit(self, turn: BotTurn, answer: dict[str, Any]) -> None:
        verb, fields = answer["t"], {name: answer[name] for name in answer if name != "t"}
        command = Command(verb, uuid4(), turn.seq, fields)
        actor = Actor.bot(turn.side)
        try:
            await run_in_db_thread(actions.submit, turn.public_id, actor, command, CLOCK.now())
        except Refused as refused:
            # Stale, or the flag fell meanwhile: not an error.
            is_expected = refused.code in ("stale", "finished", "out_of_time", "not_your_turn")
            level = logging.DEBUG if is_expected else logging.ERROR
            logger.log(level, "bot's %s refused: %s", verb, refused)


async def _take_time(turn: BotTurn, difficulty: float) -> None:
    """Delay the command by the bot's pace, longer for harder decisions."""
    delay_ms = bot_pace.thinking_ms(turn.pace, difficulty, f"{turn.public_id} {turn.seq}")
    if delay_ms:
        await asyncio.sleep(delay_ms / 1000)


def question_of(turn: BotTurn, offered: int = 0) -> dict[str, Any]:
    """Return the question to the child; like the players, the child sees no future dice.

    `offered` is the highest factor at which the bot has offered to lose the game.
    """
    return {
        "state": turn.snapshot,
        "side": turn.side.value,
        "level": turn.level,
        "salt": turn.public_id,
        "offered": offered,
    }


def offered_in_game(turn: BotTurn) -> int:
    """Return the highest factor at which the bot has offered to lose the running game, or 0.

    Such an offer was refused, so the bot does not repeat it in a later turn.
    """
    verbs = (Opening.kind, Resign.kind)
    rows = Action.objects.filter(match__public_id=turn.public_id, verb__in=verbs)
    newest = rows.order_by("-seq").values_list("verb", "side", "data")
    offers = takewhile(lambda row: row[0] == Resign.kind, newest)
    return max((data["factor"] for _verb, side, data in offers if side == turn.side), default=0)


def waiting() -> QuerySet[Match]:
    """Return the matches in which a bot is to act, the earliest first, leased ones included."""
    return Match.objects.filter(awaits_bot=True, wake_at__isnull=False).order_by("wake_at")


def lease_due(now: datetime, most: int = BATCH) -> list[BotTurn]:
    """Lease due turns, `most` of them at most; rows locked by another worker are skipped."""
    found = waiting().filter(wake_at__lte=now)
    if not found.exists():  # most rounds end here, without a write transaction
        return []
    with write_transaction():
        due = found.select_for_update(no_key=True, skip_locked=True)
        turns = [_lease(match, now) for match in due.prefetch_related("seats")[:most]]
    return [turn for turn in turns if turn is not None]


def _lease(match: Match, now: datetime) -> BotTurn | None:
    match.wake_at = now + LEASE_FOR
    match.save(update_fields=["wake_at"])
    try:
        to_act = on_turn(match.state)
    except InvalidAction:  # one damaged match must not stop all other bots
        logger.exception("bot's turn not leased", extra={"match": match.public_id})
        return None
    seat = next((seat for seat in match.seats.all() if seat.side == to_act), None)
    if to_act is None or seat is None or not seat.bot:
        logger.error("no bot is to move here", extra={"match": match.public_id})
        return None
    return BotTurn(match.public_id, match.seq, to_act, seat.bot, match.bot_pace, match.snapshot)


def next_due() -> datetime | None:
    """Return when the next bot is to act, leased turns included."""
    return waiting().values_list("wake_at", flat=True).first()


def fallback_command(state: MatchState) -> dict[str, Any]:
    """Return a legal command without the child, so that a broken child stops no game."""
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
