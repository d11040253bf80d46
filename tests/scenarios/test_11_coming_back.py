"""Scenario 11: a page that reconnects or repeats commands never moves twice."""

import asyncio
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from games.engine.sides import Side
from games.models import Action
from tests.games.factories import StakeSitting, stake_on_move
from tests.games.table_client import MemberClient, signed_in

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True), pytest.mark.both]


on_move = sync_to_async(stake_on_move)


async def page_of(sitting: StakeSitting, side: Side) -> MemberClient:
    return await signed_in(sitting.public_id, sitting.users[side])


@sync_to_async
def seqs_of_plays(sitting: StakeSitting, side: Side) -> list[int]:
    """Return the seqs of this side's plays."""
    made = Action.objects.filter(match=sitting.match, verb="play", side=side.value)
    return list(made.order_by("seq").values_list("seq", flat=True))


async def test_11_outdated_repeated_and_duplicated_commands_never_move_twice() -> None:
    sitting, side, play = await on_move()
    made_before = await seqs_of_plays(sitting, side)

    # A page of an older release gets `reload` and no seat.
    old = await (await page_of(sitting, side)).open()
    await old.send(t="join", v=0, since=-1, hold=True)
    assert (await old.receive())["code"] == "reload"
    await old.send(t="play", id=str(uuid4()), seq=sitting.match.seq, d=play)
    assert (await old.receive())["code"] == "forbidden"
    await old.close()

    # The same command sent twice: one move, the same answer twice.
    first = await page_of(sitting, side)
    await first.join()
    at, id = first.seq, str(uuid4())
    for _ in range(2):
        await first.send(t="play", id=id, seq=at, d=play)
    answers = [await first.until(lambda frame: frame.get("id") == id) for _ in range(2)]
    assert answers[0] == answers[1] == {"t": "ack", "id": id, "seq": at + 1}
    await first.close()

    # The connection broke before the answer, so the page repeats the command.
    back = await page_of(sitting, side)
    state = await back.join(since=at)
    assert state["actions"][0]["kind"] == "play"
    assert len(state["actions"]) == state["seq"] - at
    await back.send(t="play", id=id, seq=at, d=play)
    assert await back.until(lambda frame: frame.get("id") == id) == answers[0]
    # Under a new id it is another command, for a position that has passed.
    await back.send(t="play", id=(new := str(uuid4())), seq=at, d=play)
    assert (await back.until(lambda frame: frame.get("id") == new))["code"] == "stale"

    # A second device sends the same command at the same time: still one move.
    second = await page_of(sitting, side)
    await second.join(since=at)
    for page in (back, second):
        await page.send(t="play", id=id, seq=at, d=play)
    heard = await asyncio.gather(
        *[page.until(lambda frame: frame.get("id") == id) for page in (back, second)]
    )
    assert heard == [answers[0]] * 2
    # The other side cannot repeat it.
    enemy = await page_of(sitting, side.other)
    await enemy.join()
    await enemy.send(t="play", id=id, seq=enemy.seq, d=play)
    assert (await enemy.until(lambda frame: frame.get("id") == id))["code"] == "unreadable"
    assert await seqs_of_plays(sitting, side) == [*made_before, at + 1]
    for page in (back, second, enemy):
        await page.close()


async def test_11_page_that_missed_a_turn_is_refused_and_catches_up() -> None:
    sitting, side, play = await on_move()
    sleeper = await page_of(sitting, side)
    await sleeper.join()
    seen = sleeper.seq

    @sync_to_async
    def another_device_plays() -> int:
        sitting.sit(side).do("play", side=side, d=play)
        return sitting.seq

    newest = await another_device_plays()
    await sleeper.send(t="play", id=(id := str(uuid4())), seq=seen, d=play)
    assert (await sleeper.until(lambda frame: frame.get("id") == id))["code"] == "passive"
    await sleeper.close()
    awake = await page_of(sitting, side)
    state = await awake.join(since=seen)
    assert state["seq"] == newest
    assert state["actions"][0]["kind"] == "play"
    assert len(await seqs_of_plays(sitting, side)) == 1
    await awake.close()
