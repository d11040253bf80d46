"""The two chat rooms of a match: the players' and the spectators'."""

import asyncio
from collections import deque
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from accounts.people import blocks
from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import SharedRead
from chat.models import Message, Report, Silence
from chat.services import messages, moderation
from games import broadcast
from games.engine.sides import Side
from games.live import chat as live_chat
from games.live.audiences import AUDIENCES
from games.live.chat import ChatSession
from games.live.open_tables import CHECKS_OF_A_MESSAGE, OPEN_TABLES
from games.live.shared_reads import read_hearing
from games.models.actor import Actor
from games.protocol import outgoing
from games.services import chat
from tests.games.factories import StakeSitting
from tests.games.table_client import Client, signed_in
from tests.support.patience import PATIENCE_S
from tests.wallet.factories import player

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


def sitting_and_people() -> tuple[StakeSitting, list[User]]:
    white, black = player("white5"), player("black5")
    return StakeSitting(white, black), [white, black, player("spectator"), player("other5")]


async def seated(sitting: StakeSitting, user: User | None) -> Client:
    if user is None:
        client = Client(sitting.public_id, None)
    else:
        client = await signed_in(sitting.public_id, user)
    await client.join()
    return client


async def wait_for_history(client: Client) -> None:
    """Wait until a client has got the messages that were written before it joined."""
    await client.send(t="ping", seq=client.seq)
    await client.news("pong")


async def say(client: Client, **content: Any) -> dict[str, Any]:
    id = str(uuid4())
    await client.send(t="say", id=id, **content)
    return await client.until(lambda frame: frame.get("id") == id)


async def test_players_and_spectators_have_separate_rooms() -> None:
    sitting, (white, black, spectator, other) = await sync_to_async(sitting_and_people)()
    clients = [await seated(sitting, user) for user in (white, black, spectator, other)]
    assert (await say(clients[0], phrase="hello"))["t"] == "heard"
    message = await clients[1].news("said")
    assert (message["by"], message["name"], message["phrase"]) == ("white", "white5", "hello")
    assert (await say(clients[2], text="<i>who wins?</i>"))["t"] == "heard"
    message = await clients[3].news("said")
    assert (message["by"], message["text"]) == (spectator.public_id, "<i>who wins?</i>")
    late = await seated(sitting, black)
    assert (await late.news("said"))["phrase"] == "hello"
    for client in (*clients, late):
        await client.close()


async def test_guest_reads_chat_and_cannot_write() -> None:
    sitting, (_white, _black, spectator, _other) = await sync_to_async(sitting_and_people)()
    member, guest = await seated(sitting, spectator), await seated(sitting, None)
    await say(member, phrase="hello")
    assert (await guest.news("said"))["phrase"] == "hello"
    assert (await say(guest, phrase="hello"))["code"] == "not_member"
    for client in (member, guest):
        await client.close()


async def test_mute_applies_on_every_device() -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    await reader.send(t="mute", player="white")
    await reader.send(t="ping", seq=reader.seq)
    await reader.news("pong")
    await say(speaker, phrase="lucky")
    await say(reader, phrase="thanks")
    assert (await reader.news("said"))["phrase"] == "thanks"
    phone = await seated(sitting, black)
    assert (await phone.news("said"))["phrase"] == "thanks"
    for client in (speaker, reader, phone):
        await client.close()


async def test_mute_of_text_only_keeps_phrases_and_can_be_undone() -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    await reader.send(t="mute", player="white", only_text=True)
    await reader.send(t="ping", seq=reader.seq)
    await reader.news("pong")
    await say(speaker, text="rude")
    await say(speaker, phrase="lucky")
    assert (await reader.news("said"))["phrase"] == "lucky"
    phone = await seated(sitting, black)
    assert (await phone.news("said"))["phrase"] == "lucky"
    await reader.send(t="unmute", player="white")
    await reader.send(t="ping", seq=reader.seq)
    await reader.news("pong")
    await say(speaker, text="sorry")
    assert (await reader.news("said"))["text"] == "sorry"
    for client in (speaker, reader, phone):
        await client.close()


async def test_phrase_can_be_reported() -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    await say(speaker, phrase="lucky")
    await reader.send(t="report", id=(await reader.news("said"))["id"])
    await reader.send(t="ping", seq=reader.seq)
    await reader.news("pong")
    report = await Report.objects.select_related("message").aget()
    assert (report.message.kind, report.message.body) == ("PHRASE", "lucky")
    for client in (speaker, reader):
        await client.close()


async def test_mutes_that_cannot_be_read_at_connecting_are_read_at_joining(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    await sync_to_async(messages.mute)(black, white.pk, CLOCK.now())
    speaker = await seated(sitting, white)
    reader = await signed_in(sitting.public_id, black)
    asked: list[set[int]] = []

    def fail_at_first(reader_ids: set[int]) -> dict[int, Any]:
        asked.append(reader_ids)
        if len(asked) == 1:
            raise OperationalError
        return read_hearing(reader_ids)

    monkeypatch.setattr(live_chat, "HEARING", SharedRead(fail_at_first))
    await reader.join()
    await wait_for_history(reader)
    assert asked == 2 * [{black.pk}]
    await say(speaker, phrase="lucky")
    await say(reader, phrase="thanks")
    assert (await reader.news("said"))["phrase"] == "thanks"
    for client in (speaker, reader):
        await client.close()


async def test_history_that_cannot_be_read_at_joining_comes_with_the_next_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    speaker = await seated(sitting, white)
    await say(speaker, phrase="lucky")
    asked: list[Any] = []

    def fail_at_first(readers: Any) -> Any:
        asked.append(readers)
        if len(asked) == 1:
            raise OperationalError
        return chat.recent_of_each(readers)

    monkeypatch.setattr(live_chat, "RECENT", SharedRead(fail_at_first))
    reader = await seated(sitting, black)
    await reader.news("error")
    await say(speaker, phrase="thanks")
    assert [(await reader.news("said"))["phrase"] for _ in range(2)] == ["lucky", "thanks"]
    await say(speaker, phrase="bye")
    assert (await reader.news("said"))["phrase"] == "bye"
    assert len(asked) == 2
    for client in (speaker, reader):
        await client.close()


@pytest.mark.parametrize(
    "content", [{"phrase": "no_such"}, {"text": " \u202e "}, {"emoji": "hello"}]
)
async def test_invalid_message_is_refused(content: dict[str, str]) -> None:
    sitting, (white, *_) = await sync_to_async(sitting_and_people)()
    client = await seated(sitting, white)
    assert (await say(client, **content))["code"] == "unreadable"
    assert await Message.objects.acount() == 0
    await client.close()


async def test_refused_report_has_no_id() -> None:
    """A report's `id` numbers a message, so the error does not repeat it as a command's id."""
    sitting, _people = await sync_to_async(sitting_and_people)()
    guest = await seated(sitting, None)
    await guest.send(t="report", id=7)
    frame = await guest.news("error")
    assert frame == {"t": "error", "id": None, "code": "not_member"}
    await guest.close()


async def test_report_counts_only_from_the_same_room() -> None:
    sitting, (white, black, spectator, _other) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    outside = await seated(sitting, spectator)
    await say(speaker, text="rude words")
    message = await reader.news("said")
    for client in (outside, reader):
        await client.send(t="report", id=message["id"])
        await client.send(t="ping", seq=client.seq)
        await client.news("pong")
    assert [report.reporter_id async for report in Report.objects.all()] == [black.pk]
    for client in (speaker, reader, outside):
        await client.close()


async def test_hidden_message_is_removed_from_tables_and_later_joins() -> None:
    """The frame `hidden` names the message, but neither the reporter nor the staff member."""
    sitting, (white, black, spectator, _other) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    outside = await seated(sitting, spectator)
    await say(speaker, text="rude words")
    message = await reader.news("said")
    await sync_to_async(messages.report)(black, message["id"], timezone.now())
    report = await Report.objects.select_related("message").aget()
    await sync_to_async(moderation.hide)(report, spectator, timezone.now())
    for client in (speaker, reader):
        assert await client.news("hidden") == {"t": "hidden", "id": message["id"]}
    await say(speaker, phrase="sorry")
    late = await seated(sitting, black)
    assert (await late.news("said"))["phrase"] == "sorry"
    # Do not use `say`: it skips messages that arrive before the answer `heard`.
    await outside.send(t="say", id=str(uuid4()), phrase="hello")
    assert (await outside.news("said"))["phrase"] == "hello"  # the spectator's first message
    for client in (speaker, reader, outside, late):
        await client.close()


async def test_news_of_a_hidden_message_passes_a_mute() -> None:
    sitting, (white, black, spectator, _other) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    await say(speaker, text="rude words")
    message = await reader.news("said")
    await sync_to_async(messages.report)(black, message["id"], timezone.now())
    await reader.send(t="mute", player="white")
    await reader.send(t="ping", seq=reader.seq)
    await reader.news("pong")
    report = await Report.objects.select_related("message").aget()
    await sync_to_async(moderation.hide)(report, spectator, timezone.now())
    assert await reader.news("hidden") == {"t": "hidden", "id": message["id"]}
    for client in (speaker, reader):
        await client.close()


@pytest.mark.parametrize("is_watching", [False, True])
async def test_lost_news_of_a_hidden_message_comes_once_with_the_next_check(
    is_watching: bool,
) -> None:
    sitting, everybody = await sync_to_async(sitting_and_people)()
    one, other, clerk = everybody[2:] + everybody[:1] if is_watching else everybody[:3]
    speaker, reader = await seated(sitting, one), await seated(sitting, other)
    await say(speaker, text="rude words")
    message = await reader.news("said")
    await sync_to_async(messages.report)(other, message["id"], timezone.now())
    report = await Report.objects.select_related("message").aget()
    with pytest.MonkeyPatch.context() as without_sending:
        without_sending.setattr(broadcast, "send", lambda *messages: None)
        await sync_to_async(moderation.hide)(report, clerk, CLOCK.now())
    await OPEN_TABLES.check_chats()
    await OPEN_TABLES.check_chats()
    assert await reader.news("hidden") == {"t": "hidden", "id": message["id"]}
    await say(speaker, phrase="sorry")
    later = await reader.until(lambda frame: frame["t"] in ("said", "hidden"))
    assert later["t"] == "said"
    for client in (speaker, reader):
        await client.close()


async def test_lost_message_comes_once_with_the_next_check() -> None:
    sitting, (white, black, spectator, other) = await sync_to_async(sitting_and_people)()
    speakers = [await seated(sitting, user) for user in (white, spectator)]
    readers = [await seated(sitting, user) for user in (black, other)]
    for reader in readers:
        await wait_for_history(reader)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(OPEN_TABLES, "_newest_messages", deque(maxlen=CHECKS_OF_A_MESSAGE))
        await OPEN_TABLES.check_chats()
        with pytest.MonkeyPatch.context() as without_sending:
            without_sending.setattr(broadcast, "send", lambda *messages: None)
            for speaker in speakers:
                await say(speaker, phrase="hello")
        await OPEN_TABLES.check_chats()
        await OPEN_TABLES.check_chats()
    first = [await reader.news("said") for reader in readers]
    assert [frame["by"] for frame in first] == ["white", spectator.public_id]
    for speaker, reader, frame in zip(speakers, readers, first, strict=True):
        await say(speaker, phrase="thanks")
        later = await reader.news("said")
        assert (later["phrase"], later["id"] > frame["id"]) == ("thanks", True)
    for client in (*speakers, *readers):
        await client.close()


async def test_message_lost_after_the_first_check_comes_with_the_second() -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    speaker, reader = await seated(sitting, white), await seated(sitting, black)
    await wait_for_history(reader)
    async with asyncio.timeout(PATIENCE_S):
        while not OPEN_TABLES._newest_messages:
            await asyncio.sleep(0.01)
    with pytest.MonkeyPatch.context() as without_sending:
        without_sending.setattr(broadcast, "send", lambda *messages: None)
        await say(speaker, phrase="hello")
    await OPEN_TABLES.check_chats()
    assert (await reader.news("said"))["phrase"] == "hello"
    for client in (speaker, reader):
        await client.close()


async def test_message_committed_after_a_newer_one_comes_too() -> None:
    """A message gets its id before the commit, so a check may see a higher id first."""
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    reader = await seated(sitting, black)
    await wait_for_history(reader)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(OPEN_TABLES, "_newest_messages", deque(maxlen=CHECKS_OF_A_MESSAGE))
        await OPEN_TABLES.check_chats()
        await sync_to_async(write)(sitting, white, "bye", id=9)
        await OPEN_TABLES.check_chats()
        await sync_to_async(write)(sitting, white, "hello", id=8)
        await OPEN_TABLES.check_chats()
    assert [(await reader.news("said"))["phrase"] for _ in range(2)] == ["bye", "hello"]
    await reader.close()


def write(sitting: StakeSitting, author: User, body: str, **fields: Any) -> Message:
    """Store a message of the players' room without sending it."""
    room = chat.room(sitting.public_id, Side.WHITE)
    kind, now = Message.Kind.PHRASE, timezone.now()
    return Message.objects.create(
        room=room, author=author, kind=kind, body=body, created_at=now, **fields
    )


async def test_check_reads_many_rooms_at_once_and_only_the_newest_messages() -> None:
    def read(sittings: list[StakeSitting]) -> tuple[list[int], int]:
        rooms = {chat.room(sitting.public_id, Side.WHITE) for sitting in sittings}
        with CaptureQueriesContext(connection) as queries:
            _, found = chat.written_after(0, rooms)
        return [len(found.get(room, ())) for room in rooms], len(queries)

    def measure() -> None:
        sittings = [
            StakeSitting(player(f"white{number}"), player(f"black{number}")) for number in range(3)
        ]
        for sitting in sittings:
            white = User.objects.get(username=f"white{sittings.index(sitting)}")
            for _ in range(chat.MOST_OF_ROOM + 1):
                write(sitting, white, "hello")
        (one, queries), (three, of_three) = read(sittings[:1]), read(sittings)
        assert (one, three) == ([chat.MOST_OF_ROOM], [chat.MOST_OF_ROOM] * 3)
        assert queries == of_three
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(chat, "MOST_CHECKED", 7)
            assert sum(read(sittings)[0]) == 7

    await sync_to_async(measure)()


async def test_no_message_is_sent_before_the_mutes_are_read() -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    message = await sync_to_async(write)(sitting, white, "hello")
    said = broadcast.said_message(white.pk, outgoing.said(message, Side.WHITE))
    frames: list[dict[str, Any]] = []

    async def send(frame: dict[str, Any]) -> None:
        frames.append(frame)

    session = ChatSession(sitting.public_id, Side.BLACK, Actor(user_id=black.pk), send)
    await session.handle(said)
    assert frames == []
    await session.catch_up()
    await session.handle(said)
    assert frames == [said["frame"]]
    await sync_to_async(messages.mute)(black, white.pk, timezone.now())
    frames.clear()
    session = ChatSession(sitting.public_id, Side.BLACK, Actor(user_id=black.pk), send)
    await session.handle(said)
    await session.catch_up()
    assert frames == []


async def test_silenced_member_is_refused() -> None:
    sitting, (white, black, *_) = await sync_to_async(sitting_and_people)()
    client = await seated(sitting, white)
    await say(client, text="rude words")
    message = await client.news("said")
    await sync_to_async(messages.report)(black, message["id"], timezone.now())
    report = await Report.objects.select_related("message").aget()
    now = timezone.now()
    await sync_to_async(moderation.silence)(report, black, timedelta(days=1), now, "Insults")
    told = await client.news("silenced")
    assert told["note"] == "Insults"
    refused = await say(client, phrase="hello")
    assert (refused["code"], refused["note"]) == ("silenced", "Insults")
    assert refused["until"][:19] == told["until"][:19]
    late = await seated(sitting, white)
    assert (await late.news("silenced"))["until"] == told["until"]
    silence = await Silence.objects.aget()
    await sync_to_async(moderation.end_silence)(silence, timezone.now())
    assert (await late.news("silenced"))["until"] is None
    assert (await say(late, phrase="hello"))["t"] == "heard"
    for each in (client, late):
        await each.close()


async def phrases_until_own(client: Client, phrase: str) -> list[str]:
    """Say a phrase; return the phrases that the client receives up to and including it.

    A message may reach a newcomer twice, live and as history, so messages are counted by id.
    """
    await client.send(t="say", id=str(uuid4()), phrase=phrase)
    phrases: dict[int, str] = {}
    while phrase not in phrases.values():
        message = await client.news("said")
        phrases[message["id"]] = message["phrase"]
    return list(phrases.values())


@pytest.mark.parametrize("is_watching", [False, True])
async def test_block_hides_chat_messages_both_ways(is_watching) -> None:
    """A block takes effect at once at open tables, and for players who join later."""
    sitting, everybody = await sync_to_async(sitting_and_people)()
    one, other = everybody[2:] if is_watching else everybody[:2]
    first, second = [await seated(sitting, user) for user in (one, other)]
    await phrases_until_own(first, "hello")
    assert await phrases_until_own(second, "bye") == ["hello", "bye"]
    await sync_to_async(blocks.block)(other.pk, one.pk, timezone.now())
    if is_watching:
        await until_spectators_have_read_the_block(sitting)
    assert await phrases_until_own(first, "lucky") == ["bye", "lucky"]
    assert await phrases_until_own(second, "thanks") == ["thanks"]
    assert await phrases_until_own(first, "oops") == ["oops"]
    late = await seated(sitting, one)
    assert [(await late.news("said"))["phrase"] for _ in range(3)] == ["hello", "lucky", "oops"]
    for client in (first, second, late):
        await client.close()


async def until_spectators_have_read_the_block(sitting: StakeSitting) -> None:
    """Wait until both spectators have read the block.

    Their messages come through the audience, and may overtake the message about the block.
    """
    spectators = AUDIENCES._by_match[sitting.public_id].spectators
    assert len(spectators) == 2
    async with asyncio.timeout(PATIENCE_S):
        while not all(spectator.chat._unheard for spectator in spectators):
            await asyncio.sleep(0.01)


async def test_message_of_a_closed_account_has_no_name() -> None:
    def named() -> list[str]:
        sitting, (white, *_) = sitting_and_people()
        message = write(sitting, white, "hello")
        return [
            outgoing.said(message, Side.WHITE)["name"],
            outgoing.said(_of_closed_author(message), Side.WHITE)["name"],
        ]

    assert await sync_to_async(named)() == ["white5", ""]


def _of_closed_author(message: Message) -> Message:
    """Return the message as it is read after its author has closed the account."""
    User.objects.filter(pk=message.author_id).update(closed_at=timezone.now())
    return Message.objects.select_related("author").get(pk=message.pk)
