"""Many callers share a read: each gets the answer, or the failure, of one query."""

import asyncio
import threading

import pytest

from accounts.shared import database_threads
from accounts.shared.database_threads import SharedRead, Stage, Turnstile
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio


class Doubling:
    """A query that doubles numbers once `may_answer` is set.

    It fails if 13 is among the numbers, and finds nothing for a negative number.
    """

    def __init__(self) -> None:
        self.queries: list[set[int]] = []
        self.may_answer = threading.Event()

    def __call__(self, numbers: set[int]) -> dict[int, int]:
        self.queries.append(numbers)
        assert self.may_answer.wait(60)
        if 13 in numbers:
            raise ConnectionError
        return {number: 2 * number for number in numbers if number >= 0}


async def begin(read: SharedRead[int, int], numbers: range | list[int]) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(read.read(number)) for number in numbers]
    await asyncio.sleep(0)
    return tasks


async def test_a_query_answers_a_limited_number_of_keys_the_first_ones_first() -> None:
    query = Doubling()
    query.may_answer.set()
    answers = await begin(SharedRead(query, most=3), range(7))
    assert await asyncio.gather(*answers) == [0, 2, 4, 6, 8, 10, 12]
    assert query.queries == [{0, 1, 2}, {3, 4, 5}, {6}]


async def test_a_failed_query_fails_for_its_callers_only() -> None:
    query = Doubling()
    query.may_answer.set()
    answers = await begin(SharedRead(query, most=2), [12, 13, 14])
    found = await asyncio.gather(*answers, return_exceptions=True)
    assert [type(each) for each in found] == [ConnectionError, ConnectionError, int]


async def test_reading_goes_on_after_a_failed_query() -> None:
    query = Doubling()
    query.may_answer.set()
    read = SharedRead(query)
    with pytest.raises(ConnectionError):
        await read.read(13)
    with pytest.raises(KeyError):
        await read.read(-1)
    assert await read.read(4) == 8


async def test_a_query_waits_for_a_turn_and_answers_all_who_came_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turnstile = Turnstile(most=1)
    monkeypatch.setattr(database_threads, "TURNSTILE", turnstile)
    query = Doubling()
    query.may_answer.set()
    read = SharedRead(query, Stage.TABLE)
    async with turnstile.turn(Stage.JOIN):
        answers = await begin(read, range(2))
        answers += await begin(read, range(2, 4))
        assert query.queries == []
    assert await asyncio.gather(*answers) == [0, 2, 4, 6]
    assert query.queries == [{0, 1, 2, 3}]


async def test_a_caller_during_a_query_gets_the_answer_of_the_next() -> None:
    query = Doubling()
    read = SharedRead(query)
    first = await begin(read, [1])
    async with asyncio.timeout(PATIENCE_S):
        while not query.queries:
            await asyncio.sleep(0.001)
    second = await begin(read, [1])
    query.may_answer.set()
    await asyncio.gather(*first, *second)
    assert query.queries == [{1}, {1}]
