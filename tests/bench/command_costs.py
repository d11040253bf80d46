"""Measure the CPU time of a command at a table, beside that of a plain ORM transaction.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.command_costs

One process runs one command at a time: rolls and plays of public friendly matches, in the threads
that sockets use, including the messages that a command sends. The plain transaction locks a match's
row, updates its snapshot and inserts an action, in the same threads. Both alternate in rounds of
100. Print the medians of the rounds, their ratio and the number of statements of a command.
"""

import argparse
import asyncio
import os
import time
from statistics import median
from typing import Any

from tests.load.racing import Database

os.environ["PYTEST_VERSION"] = "bench"  # chooses the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

EACH = 100  # commands, or plain transactions, of a round


def new_table() -> Any:
    """Return a sitting that plays simply and keeps its next command instead of submitting it."""
    from games.engine.match.state import Phase
    from games.engine.sides import Side
    from tests.games.factories import FriendlySitting

    class Table(FriendlySitting):
        is_measured = False

        def submit(self, actor: Any, command: Any) -> Any:
            if not self.is_measured:
                return super().submit(actor, command)
            self.next = actor, command
            return None

        def act_simply(self) -> None:
            if self.state.phase is Phase.BETWEEN_GAMES:
                self.is_measured = False
                for side in Side:
                    self.do("next", side=side)
                self.is_measured = True
            super().act_simply()

    table = Table(length=25, is_public=True)
    table.sit(*Side).start_game()
    table.is_measured = True
    return table


async def run_commands(table: Any, statements: list[int]) -> float:
    """Return the CPU seconds of `EACH` commands; append the statement count of one more command."""
    from accounts.shared.database_threads import run_in_db_thread
    from games.services import actions

    used = 0.0
    for _ in range(EACH):
        await run_in_db_thread(table.act_simply)
        actor, command = table.next
        begun = time.process_time()
        await run_in_db_thread(actions.submit, table.public_id, actor, command, table.now)
        used += time.process_time() - begun
    statements.append(await run_in_db_thread(statements_of_next, table))
    return used


def statements_of_next(table: Any) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from games.services import actions

    table.act_simply()
    actor, command = table.next
    with CaptureQueriesContext(connection) as captured:
        actions.submit(table.public_id, actor, command, table.now)
    return len(captured)


def is_over(table: Any) -> bool:
    return table.state.outcome is not None


async def run_plain(match_id: int) -> float:
    from accounts.shared.database_threads import run_in_db_thread

    used = 0.0
    for number in range(EACH):
        begun = time.process_time()
        await run_in_db_thread(plain_transaction, match_id, number)
        used += time.process_time() - begun
    return used


def plain_transaction(match_id: int, number: int) -> None:
    from django.utils import timezone

    from accounts.shared.transactions import write_transaction
    from games.models import Action, Match

    with write_transaction():
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        match.seq += 1
        match.save(update_fields=["seq", "snapshot"])
        Action.objects.create(
            match=match, seq=match.seq, verb="roll", side="white", data={"dice": [1, 2]},
            created_at=timezone.now(),
        )  # fmt: skip


async def measure(rounds: int) -> str:
    from accounts.shared.database_threads import run_in_db_thread

    table, plain = await run_in_db_thread(new_table), await run_in_db_thread(new_table)
    statements: list[int] = []
    await run_commands(table, statements)
    await run_plain(plain.match.pk)
    commands, plains = [], []
    for _ in range(rounds):
        commands.append(await run_commands(table, statements))
        plains.append(await run_plain(plain.match.pk))
        if await run_in_db_thread(is_over, table):
            table = await run_in_db_thread(new_table)
    command_ms, plain_ms = (1000 * median(each) / EACH for each in (commands, plains))
    return (
        f"command {command_ms:.2f} ms of CPU, plain transaction {plain_ms:.2f} ms,"
        f" ratio {command_ms / plain_ms:.2f}; statements {min(statements)} to {max(statements)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        os.environ["DATABASE_URL"] = database.url
        os.environ["REDIS_URL"] = os.environ["TEST_REDIS_URL"]
        import django

        django.setup()
        print(asyncio.run(measure(given.rounds)))


if __name__ == "__main__":
    main()
