"""Access by sockets: every frame that a table understands, from every role, and a page's events.

The kinds of frames are those of the protocol. A test fails for a kind without an example in FRAMES.
"""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings as site_settings
from django.test import Client

from accounts.broadcast import user_group
from config.sockets.guard import FRAME_BURST
from games.broadcast import match_group
from games.models import Seat
from games.protocol import incoming
from games.protocol.incoming import COMMANDS
from tests.accounts.page_client import PageSocket
from tests.config.access import GUEST, OWNER, ROLES, STAFF, STRANGER, World, make_world

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

OUTSIDERS = (GUEST, STRANGER, STAFF)

# Fields of each frame besides its name; commands also have an id and a seq.
FRAMES: dict[str, dict[str, Any]] = {
    "join": {"v": 1, "since": -1, "hold": True},
    "sync": {"since": -1},
    "ping": {"seq": -1},
    "why": {"d": "", "from": 13, "to": 7},
    "hint": {"seq": 0},
    "premove": {"game": 1, "roll": True, "cube": "take"},
    "take_seat": {},
    "entropy_hash": {"hash": "0" * 64},
    "entropy": {"entropy": "00"},
    "roll": {},
    "play": {"d": "13/7 8/7"},
    "double": {},
    "take": {},
    "drop": {},
    "beaver": {},
    "resign": {"factor": 1},
    "accept": {},
    "refuse": {},
    "resign_match": {},
    "next": {},
    "pause": {},
    "resume": {},
    "leave": {},
    "claim": {},
    "rematch_offer": {},
    "rematch_accept": {},
    "rematch_refuse": {},
    "lag": {"n": 1},
    "say": {"phrase": "hello"},
    "mute": {"player": "black"},
    "unmute": {"player": "black"},
    "report": {"id": 1},
}


WITHOUT_ANSWER = {"lag", "mute", "unmute", "report"}


@pytest.fixture
def world(transactional_db: None, settings: Any, tmp_path: Any) -> World:
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.MEDIA_ROOT = str(tmp_path)
    return make_world()


def frame(kind: str) -> dict[str, Any]:
    more = {"id": str(uuid4()), "seq": 0} if kind in COMMANDS else {}
    if kind in ("say", "hint", "premove"):
        more = {"id": str(uuid4())}
    return {"t": kind, **FRAMES[kind], **more}


def table(world: World, role: str) -> PageSocket:
    return PageSocket(world.browsers[role], f"/ws/match/{world.match.public_id}/")


belongings = sync_to_async(lambda world: world.belongings())


async def test_every_frame_of_a_table_has_an_example() -> None:
    assert set(FRAMES) == COMMANDS | set(incoming._READERS)


@pytest.mark.parametrize("role", OUTSIDERS)
async def test_outsider_cannot_open_or_change_a_table(world: World, role: str) -> None:
    before = await belongings(world)
    for kinds in in_bursts(FRAMES):
        socket = await table(world, role).open()
        assert await socket.close_code() == 4004
        for kind in kinds:
            await socket.say(**frame(kind))
        layer: Any = get_channel_layer()
        await layer.group_send(match_group(world.match.public_id), {"type": "match.event"})
        assert await socket.socket.receive_nothing()
    assert await belongings(world) == before


def in_bursts(kinds: Iterable[str]) -> list[list[str]]:
    """Split the kinds of frames into batches that the guard's rate limit lets through."""
    left = sorted(kinds)
    return [left[at : at + FRAME_BURST] for at in range(0, len(left), FRAME_BURST)]


async def test_frames_before_join_are_refused_even_for_the_player(world: World) -> None:
    before = await belongings(world)
    for kinds in in_bursts(set(FRAMES) - {"join"}):
        socket = await table(world, OWNER).open()
        for kind in kinds:
            await socket.say(**frame(kind))
            assert (await socket.receive())["code"] == "forbidden", kind
        await socket.leave()
    assert await belongings(world) == before


async def test_every_frame_of_the_player_passes_access_checks(world: World, settings: Any) -> None:
    settings.SOCKETS_PER_USER = len(FRAMES)  # the test opens a socket for each kind
    for kind in sorted(FRAMES):
        socket = await table(world, OWNER).open()
        await socket.say(**frame("join"))
        you = (await socket.receive())["you"]
        assert (you["side"], you["holder"]) == ("white", True)
        await socket.say(**frame(kind))
        if kind in WITHOUT_ANSWER:
            await socket.say(t="ping", seq=0)
        answer = await socket.receive()
        turned_away = ("forbidden", "not_seated", "unreadable", "unknown_type")
        assert answer.get("code") not in turned_away, kind
        await socket.leave()


async def test_opponent_seat_cannot_be_taken(world: World) -> None:
    socket = await table(world, OWNER).open()
    await socket.say(**frame("join"))
    await socket.receive()
    await socket.say(**frame("take_seat"))
    await socket.receive()
    assert (
        not await Seat.objects.filter(match=world.match, bot="casual")
        .exclude(holder=None)
        .aexists()
    )
    await socket.leave()


async def test_page_gets_its_own_events_only(world: World) -> None:
    guest = await PageSocket(world.browsers[GUEST]).open()
    assert await guest.close_code() == 4001
    pages = {role: await PageSocket(world.browsers[role]).greeted() for role in ROLES[1:]}
    layer: Any = get_channel_layer()
    news = {"type": "site.nudge", "what": "balance"}
    await layer.group_send(user_group(world.owner.pk), news)
    assert (await pages[OWNER].receive())["what"] == "balance"
    for page in pages.values():
        assert await page.is_open()
        await page.leave()


async def test_invented_session_opens_no_socket(world: World) -> None:
    browser = Client()
    browser.cookies[site_settings.SESSION_COOKIE_NAME] = "a" * 32
    for path in ("/ws/site/", f"/ws/match/{world.match.public_id}/"):
        socket = await PageSocket(browser, path).open()
        assert await socket.close_code() == 4001
