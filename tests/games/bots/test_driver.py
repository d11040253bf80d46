"""Bots' turns with a real child process, also when that process fails."""

import asyncio
import json
import logging
import os
import signal
import sys
from base64 import b64encode
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any

import pytest
from django.utils import timezone

from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.refusals import Refused
from games.bots import driver as driver_module
from games.bots import process
from games.bots.driver import LEASE_FOR, BotDriver, BotTurn, lease_due, next_due, question_of
from games.bots.process import AiProcess, NoAnswer, RefusedQuestion
from games.engine import dice
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, bot_pace
from games.models.actor import Actor
from games.protocol.incoming import Command
from games.services import actions
from games.services.dice import unseal
from tests.games import factories
from tests.games.factories import Sitting, assert_log_folds
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)

BOT = Side.BLACK


@pytest.fixture(autouse=True)
def _matches_begin_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factories, "START", timezone.now())


@pytest.fixture(autouse=True)
def _allow_a_slow_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "START_S", 300.0)


def sit(rules: Rules, level: str = "strong") -> Sitting:
    return Sitting(rules, level).sit().start_game()


def sit_with_bot_to_act(rules: Rules | None = None) -> Sitting:
    """Return a match in which the bot, Black, is to act."""
    sitting = sit(rules or Rules.of("short"))
    while on_turn(sitting.state) is not BOT:
        sitting.act_simply()
    return sitting


def run(
    scenario: Callable[[BotDriver], Awaitable[Any]], ai_process: AiProcess | None = None
) -> Any:
    """Run the scenario with a started driver; stop the driver after it."""

    async def with_driver() -> Any:
        driver = BotDriver(ai_process)
        await driver.start()
        try:
            return await scenario(driver)
        finally:
            await driver.stop()

    return asyncio.run(with_driver())


def act_for_guest(sitting: Sitting) -> None:
    """Let the guest act, by `act_simply`, if they are to act."""
    state = sitting.state
    if state.phase is Phase.BETWEEN_GAMES or on_turn(state) is sitting.side:
        sitting.act_simply()


async def play_out(sitting: Sitting, *drivers: BotDriver) -> None:
    while not await run_in_db_thread(is_finished, sitting):
        await asyncio.gather(*(driver.drive(timezone.now()) for driver in drivers))
        await run_in_db_thread(act_for_guest, sitting)


def is_finished(sitting: Sitting) -> bool:
    return sitting.state.phase is Phase.FINISHED


def has_rolled(sitting: Sitting) -> bool:
    return sitting.state.phase is not Phase.TO_ROLL


async def settled(driver: BotDriver) -> None:
    """Wait until the driver has no open turns."""
    async with asyncio.timeout(PATIENCE_S):
        while driver._tasks:
            await asyncio.wait(driver._tasks.values())


@pytest.mark.parametrize("variant", ["short", "long"])
def test_bot_plays_a_whole_match_through_its_child_process(variant: str) -> None:
    sitting = sit(Rules.of(variant, length=3))
    run(lambda driver: play_out(sitting, driver))
    assert sitting.state.outcome is not None
    assert_log_folds(sitting.match)


def test_two_workers_never_play_a_turn_twice(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both workers lease each turn, as if the first one's lease had run out."""
    sitting = sit(Rules.of("short", length=3))
    submit, accepted, refused = actions.submit, [], []

    def counted(public_id: str, actor: Actor, command: Command, now: datetime) -> Any:
        if actor.bot_side is None:
            return submit(public_id, actor, command, now)
        try:
            answer = submit(public_id, actor, command, now)
        except Refused:
            refused.append(command.seq)
            raise
        accepted.append(command.seq)
        return answer

    one_at_a_time = Lock()  # otherwise PostgreSQL would skip rows that the other worker locks

    def lease(now: datetime, most: int) -> list[BotTurn]:
        with one_at_a_time:
            return lease_due(now, most)

    monkeypatch.setattr(driver_module, "lease_due", lease)
    monkeypatch.setattr(actions, "submit", counted)
    monkeypatch.setattr(driver_module, "LEASE_FOR", timedelta(0))

    async def both(first: BotDriver) -> None:
        second = BotDriver()
        await second.start()
        try:
            await play_out(sitting, first, second)
        finally:
            await second.stop()

    with caplog.at_level(logging.ERROR):
        run(both)
    assert not caplog.records
    assert refused
    assert len(accepted) == len(set(accepted))
    done = sitting.match.actions.filter(side=BOT.value)
    assert len([row for row in done if not row.data.get("auto")]) == len(accepted)
    assert_log_folds(sitting.match)


def test_player_who_joins_again_and_again_does_not_hold_up_the_bot() -> None:
    sitting = sit_with_bot_to_act()
    due_at = next_due()
    assert due_at is not None
    sitting.pass_time(1000)
    sitting.sit()
    assert next_due() == due_at
    assert len(lease_due(due_at)) == 1
    sitting.sit()
    assert next_due() == due_at + LEASE_FOR


def test_turn_submitted_twice_is_played_once() -> None:
    sitting = sit_with_bot_to_act()
    turn = lease_due(timezone.now())[0]
    before = sitting.seq

    async def twice(driver: BotDriver) -> None:
        await asyncio.gather(driver._act(turn), driver._act(turn))

    run(twice)
    done = sitting.match.actions.filter(seq__gt=before, side=BOT.value)
    assert len([row for row in done if not row.data.get("auto")]) == 1
    assert_log_folds(sitting.match)


def test_killed_child_is_replaced_and_the_turn_played() -> None:
    sitting = sit_with_bot_to_act()

    async def scenario(driver: BotDriver) -> tuple[int | None, int | None]:
        victim = driver.ai_process.pid
        os.kill(victim, signal.SIGSTOP)  # a stopped child never answers
        await driver.drive(timezone.now())
        assert driver._tasks
        os.kill(victim, signal.SIGKILL)
        await settled(driver)
        return victim, driver.ai_process.pid

    before = sitting.seq
    victim, successor = run(scenario)
    assert sitting.seq > before
    assert successor not in (None, victim)
    assert_log_folds(sitting.match)


def test_stuck_child_is_replaced_and_the_turn_played() -> None:
    sitting = sit_with_bot_to_act()

    async def scenario(driver: BotDriver) -> None:
        os.kill(driver.ai_process.pid, signal.SIGSTOP)
        driver.ai_process.timeout_s, driver.ai_process.start_s = 0.05, 0.0
        await driver.drive(timezone.now())
        driver.ai_process.timeout_s = 60.0  # a slow machine may take long to start the next child
        await settled(driver)

    before = sitting.seq
    run(scenario)
    assert sitting.seq > before


def test_broken_child_does_not_hang_the_match(caplog: pytest.LogCaptureFixture) -> None:
    sitting = sit(Rules.of("short"))
    broken = AiProcess(command=(sys.executable, "-c", "print('?')"))
    with caplog.at_level(logging.CRITICAL):
        run(lambda driver: play_out(sitting, driver), broken)
    assert sitting.state.outcome is not None
    assert_log_folds(sitting.match)


def test_answer_to_an_outdated_position_is_dropped() -> None:
    sitting = sit_with_bot_to_act()

    async def scenario(driver: BotDriver) -> None:
        os.kill(driver.ai_process.pid, signal.SIGSTOP)
        await driver.drive(timezone.now())
        await run_in_db_thread(sitting.do, "resign_match")
        os.kill(driver.ai_process.pid, signal.SIGCONT)
        await settled(driver)

    run(scenario)
    assert sitting.state.outcome.winner is BOT
    verbs = [action.verb for action in sitting.match.actions.order_by("-seq")[:2]]
    assert verbs == ["reveal", "resign_match"]


def test_leased_turn_is_skipped_until_the_lease_runs_out() -> None:
    sitting = sit_with_bot_to_act()
    now = timezone.now()
    assert [turn.public_id for turn in lease_due(now)] == [sitting.public_id]
    assert lease_due(now + LEASE_FOR / 2) == []
    assert next_due() == now + LEASE_FOR
    assert [turn.public_id for turn in lease_due(now + LEASE_FOR)] == [sitting.public_id]


async def open_turns_while_the_child_hangs(driver: BotDriver, now: datetime) -> list[int]:
    """Stop the child; return how many turns are open after each of three lengths of a lease."""
    os.kill(driver.ai_process.pid, signal.SIGSTOP)
    counts = []
    for rounds in range(3):
        await driver.drive(now + rounds * LEASE_FOR)
        counts.append(len(driver._tasks))
    return counts


def test_worker_leases_no_more_turns_than_its_child_can_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While the child hangs, leases run out, but only `MAX_OPEN` turns wait for it."""
    monkeypatch.setattr(driver_module, "MAX_OPEN", 2)
    for _ in range(4):
        sit_with_bot_to_act()
    now = timezone.now()

    assert run(partial(open_turns_while_the_child_hangs, now=now)) == [2, 2, 2]
    assert Match.objects.filter(wake_at__lte=now).count() == 2  # left for other workers


def test_worker_does_not_begin_a_turn_again_that_is_open_when_its_lease_ends() -> None:
    sitting = sit_with_bot_to_act()
    now = timezone.now()

    assert run(partial(open_turns_while_the_child_hangs, now=now)) == [1, 1, 1]
    assert next_due() == now + 3 * LEASE_FOR  # so no other worker takes the turn meanwhile
    assert on_turn(sitting.state) is BOT


def test_bot_pauses_between_roll_and_play(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """White begins, and Black's first roll leaves plays to choose from."""
    settings.BOT_PACE_MS = 700
    monkeypatch.setattr(dice, "roll", lambda key, game, number: (2, 1))
    sitting = sit_with_bot_to_act()
    assert sitting.state.phase is Phase.TO_ROLL

    async def one_round(driver: BotDriver) -> datetime | None:
        await driver.drive(timezone.now() + timedelta(seconds=1))
        await settled(driver)
        return await run_in_db_thread(next_due)

    begun = timezone.now()
    due_at = run(one_round)
    assert sitting.state.phase is Phase.TO_PLAY
    assert on_turn(sitting.state) is BOT
    assert due_at is not None
    assert due_at >= begun + timedelta(milliseconds=700)


def test_person_pace_takes_longer_for_hard_decisions_within_limits(settings: Any) -> None:
    settings.BOT_PACE_MS = 700
    for moment in map(str, range(50)):
        plain, hard = (bot_pace.thinking_ms("person", each, moment) for each in (0.0, 1.0))
        assert 0 < plain < 300 < 2000 < hard
        assert hard + 2 * bot_pace.reaction_ms("person") < 10_000  # ms, the shortest delay
        assert bot_pace.thinking_ms("quick", 1.0, moment) == 0
    assert bot_pace.reaction_ms("at_once") < bot_pace.reaction_ms("quick")


def test_bot_at_person_pace_plays_after_its_delay(settings: Any) -> None:
    sitting = sit_with_bot_to_act()
    while not has_rolled(sitting):
        sitting.act_simply()
    Match.objects.update(bot_pace="person")
    settings.BOT_PACE_MS = 10
    before = sitting.seq

    async def scenario(driver: BotDriver) -> None:
        await driver.drive(timezone.now() + timedelta(seconds=1))
        await settled(driver)

    run(scenario)
    assert sitting.seq > before


RESIGNS_ONCE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    command = {"t": "roll"} if asked["offered"] else {"t": "resign", "factor": 1}
    print(json.dumps({"id": asked["id"], "command": command}), flush=True)
"""


def test_bot_does_not_repeat_a_refused_offer_in_later_turns() -> None:
    sitting = sit(Rules.of("short", length=3))

    def come_to_the_bots_roll() -> None:
        while on_turn(sitting.state) is not BOT or has_rolled(sitting):
            sitting.act_simply()

    async def one_round(driver: BotDriver) -> None:
        await driver.drive(timezone.now() + timedelta(seconds=1))
        await settled(driver)

    come_to_the_bots_roll()
    run(one_round, AiProcess((sys.executable, "-c", RESIGNS_ONCE)))
    sitting.do("refuse")
    sitting.do("roll", side=BOT)
    come_to_the_bots_roll()
    before = sitting.seq
    run(one_round, AiProcess((sys.executable, "-c", RESIGNS_ONCE)))
    assert sitting.seq > before
    assert sitting.state.offer is None
    assert sitting.match.actions.filter(verb="resign").count() == 1


def test_question_holds_nothing_about_future_dice() -> None:
    sitting = sit_with_bot_to_act()
    turn = lease_due(timezone.now())[0]
    match = sitting.match
    secret = unseal(match.sealed_secret)
    entropies = (bytes.fromhex(text or "") for text in sitting.state.proof.entropy)
    question = json.dumps(question_of(turn))
    assert match.commitment in question, "the commitment is public"
    for hidden in (secret, dice.match_key(secret, match.public_id, *entropies)):
        assert hidden.hex() not in question
        assert b64encode(hidden).decode() not in question
    assert bytes(match.sealed_secret).decode() not in question


def test_event_loop_runs_while_ten_bots_wait() -> None:
    sitting = sit_with_bot_to_act()
    question = question_of(lease_due(timezone.now())[0])

    async def scenario(driver: BotDriver) -> list[Any]:
        os.kill(driver.ai_process.pid, signal.SIGSTOP)
        answers_due = [asyncio.create_task(driver.ai_process.ask(question)) for _ in range(10)]
        for _ in range(100):  # each is a round of the loop
            await asyncio.sleep(0.001)
        assert not any(answer_due.done() for answer_due in answers_due)
        os.kill(driver.ai_process.pid, signal.SIGCONT)
        return await asyncio.gather(*answers_due)

    answers = run(scenario)
    assert on_turn(sitting.state) is BOT
    assert answers[0]["t"] in ("roll", "play")
    assert all(answer == answers[0] for answer in answers)


def test_child_gets_no_secret_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "not for children")
    script = (
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    answer = {'id': json.loads(line)['id'], 'command': sorted(os.environ)}\n"
        "    print(json.dumps(answer), flush=True)\n"
    )

    async def names(driver: BotDriver) -> Any:
        return await driver.ai_process.ask({})

    environment = run(names, AiProcess(command=(sys.executable, "-c", script)))
    assert "PATH" in environment
    assert "SECRET_KEY" not in environment


def test_loop_that_cannot_start_processes_uses_its_child_in_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server's loop on Windows cannot; without its bots the site would not start there."""

    async def cannot_start(*command: str, **options: Any) -> None:
        raise NotImplementedError

    monkeypatch.setattr(asyncio, "create_subprocess_exec", cannot_start)
    script = (
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    time.sleep(asked['after'])\n"
        "    print(json.dumps({'command': {'t': 'roll'}, **asked}), flush=True)\n"
    )
    ai_process = AiProcess((sys.executable, "-c", script), timeout_s=60.0)

    async def scenario(driver: BotDriver) -> None:
        first = driver.ai_process.pid
        assert await driver.ai_process.ask({"after": 0}) == {"t": "roll"}
        assert driver.ai_process.pid == first is not None
        driver.ai_process.timeout_s = driver.ai_process.start_s = 0.0
        with pytest.raises(NoAnswer, match="no answer in time"):
            await driver.ai_process.ask({"after": 3600})
        assert driver.ai_process.pid is None  # both children were ended
        driver.ai_process.start_s = 300.0
        assert await driver.ai_process.ask({"after": 0}) == {"t": "roll"}

    run(scenario, ai_process)


def test_child_that_refuses_a_question_is_kept() -> None:
    async def ask_nonsense(driver: BotDriver) -> None:
        before = driver.ai_process.pid
        with pytest.raises(RefusedQuestion, match="refused: snapshot"):
            await driver.ai_process.ask({"state": {}, "side": "white", "level": "strong"})
        assert driver.ai_process.pid == before is not None

    run(ask_nonsense)


def test_answer_of_uncompiled_code_does_not_end_the_time_allowed_for_the_start() -> None:
    script = (
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    time.sleep(asked['after'])\n"
        "    print(json.dumps({'command': {}, **asked}), flush=True)\n"
    )
    ai_process = AiProcess((sys.executable, "-c", script), timeout_s=0.0)
    quick, slow = {"after": 0}, {"after": 0.01}

    async def scenario(driver: BotDriver) -> None:
        await driver.ai_process.ask({**quick, "interpreted": True})
        child = driver.ai_process.pid
        await driver.ai_process.ask(slow)  # its first answer after compiling
        assert driver.ai_process.pid == child
        driver.ai_process.start_s = 0.0
        with pytest.raises(NoAnswer, match="no answer in time"):
            await driver.ai_process.ask(slow)

    run(scenario, ai_process)
