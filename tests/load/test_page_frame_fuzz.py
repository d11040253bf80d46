"""Random and mutated frames at the socket of members' pages, with a guard that admits them all.

The site answers or ignores each frame; only the member's presence changes. 600 frames find, with a
probability of 99 %, a fault that one frame in 130 shows. The long form sends 20,000, which find a
fault of one in 4,340 as surely. The frames are the same in every run.
"""

import json
import logging
import random
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from config.sockets import guard
from tests.accounts.factories import member, sign_in
from tests.accounts.page_client import PageSocket
from tests.load.fuzzing import ODD_NUMBERS, ODD_TEXTS
from tests.load.test_form_fuzz import rows_by_table
from tests.support.lengths import length

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True), pytest.mark.slow]

FRAMES = length(600, 20_000)
PING = '{"t": "ping"}'
VALID: tuple[dict[str, Any], ...] = (
    {"t": "ping"},
    {"t": "listen", "to": "seeks"},
    {"t": "listen", "to": "nowhere"},
    {"t": "here", "id": "AbCdEf123456"},
)
ODD = (*ODD_NUMBERS, *(text for text in ODD_TEXTS if "\ud800" not in text), None, [], {}, [[]])


def frame_of(rng: random.Random) -> str:
    """Return a frame: valid, with a changed, missing or further field, in a list, or cut short."""
    frame: Any = dict(rng.choice(VALID))
    if rng.random() < 0.8:
        frame[rng.choice(["t", "to", "id", "__class__", "what"])] = rng.choice(ODD)
    if rng.random() < 0.2:
        frame.pop(rng.choice(list(frame)))
    text = json.dumps(rng.choice([frame, [frame], frame]))
    return text[: rng.randint(0, len(text))] if rng.random() < 0.15 else text


async def answers(page: PageSocket, text: str) -> list[dict[str, Any]] | None:
    """Send the frame and a ping; return the frames up to the pong, None if the socket closed."""
    await page.send(text)
    await page.send(PING)
    found: list[dict[str, Any]] = []
    while True:
        event = await page.socket.receive_output()
        if event["type"] == "websocket.close":
            assert event["code"] == 4009, event
            return None
        found.append(json.loads(event["text"]))
        # If the frame itself is a ping, the first pong answers it.
        if found[-1] == {"t": "pong"} and len(found) > (text == PING):
            return found


async def test_random_frames_of_a_page_break_nothing_and_change_only_the_presence(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(guard, "FRAME_BURST", 3 * FRAMES)
    monkeypatch.setattr(guard, "OPENING_BURST", FRAMES)
    settings.SOCKETS_PER_USER = FRAMES
    rng = random.Random(20261126)
    browser = await sync_to_async(lambda: sign_in(Client(), member("annika")))()
    page = await PageSocket(browser).greeted()
    before, codes = await sync_to_async(rows_by_table)(), set()
    with caplog.at_level(logging.ERROR):
        for _ in range(FRAMES):
            found = await answers(page, frame_of(rng))
            if found is None:
                page = await PageSocket(browser).greeted()
                continue
            codes |= {each.get("code", each["t"]) for each in found}
    await page.leave()
    after = await sync_to_async(rows_by_table)()
    assert [table for table in after if after[table] != before[table]] in (
        [],
        ["accounts_presence"],
    )
    assert codes == {"pong", "unreadable"}
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
