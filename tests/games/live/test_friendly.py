"""Guests in friendly matches: their chat, names and rematches, and guests who become members."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.sockets import CLOSE_SIGNED_OUT
from chat.models import Message, Report
from chat.services import messages
from games import broadcast
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.protocol import outgoing
from games.protocol.incoming import Say
from games.services import chat, guests, rematches
from tests.accounts.factories import UserFactory
from tests.games.factories import FriendlySitting, StakeSitting, command
from tests.games.table_client import PATIENCE_S, Client, signed_in
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def say(
    sitting: StakeSitting,
    side: Side | None,
    by: Actor,
    now: datetime | None = None,
    **content: str,
) -> None:
    (kind, body), id = next(iter(content.items())), uuid4()
    chat.say(sitting.public_id, side, by, Say(id, kind, body, str(id)), now or timezone.now())


def heard(sitting: StakeSitting, reader: int | None = None) -> list[tuple[str, str, str]]:
    room = sitting.public_id, Side.WHITE, reader
    frames = chat.recent_of_each({room})[room]
    return [(each["by"], each["name"], each.get("phrase") or each["emoji"]) for each in frames]


def test_guests_send_phrases_and_emoji_under_their_names() -> None:
    sitting = FriendlySitting()
    say(sitting, Side.WHITE, sitting.actors[Side.WHITE], phrase="hello")
    say(sitting, Side.BLACK, sitting.actors[Side.BLACK], emoji="smile")
    assert heard(sitting) == [("white", "White", "hello"), ("black", "Black", "smile")]


def test_guest_cannot_type_text() -> None:
    sitting = FriendlySitting()
    with pytest.raises(Refused, match="not_member"):
        say(sitting, Side.WHITE, sitting.actors[Side.WHITE], text="call me")
    assert not Message.objects.exists()


def test_the_database_refuses_typed_text_of_a_guest() -> None:
    fields = {"room": "x", "guest": uuid4(), "body": "hello", "created_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.create(kind="TEXT", **fields)
    Message.objects.create(kind="PHRASE", **fields)


def test_guest_who_watches_cannot_write() -> None:
    sitting = FriendlySitting(is_public=True)
    with pytest.raises(Refused, match="not_member"):
        say(sitting, None, Actor(guest=uuid4()), phrase="hello")


def test_guests_have_the_same_chat_limits_as_members() -> None:
    sitting = FriendlySitting()
    by, now = sitting.actors[Side.WHITE], timezone.now()
    for _ in range(messages.BURST):
        say(sitting, Side.WHITE, by, now, phrase="hello")
    with pytest.raises(Refused, match="too_fast"):
        say(sitting, Side.WHITE, by, now, phrase="hello")
    say(sitting, Side.BLACK, sitting.actors[Side.BLACK], now, phrase="hello")


def test_a_repeated_send_of_a_guest_is_one_message() -> None:
    sitting, what = FriendlySitting(), Say(uuid4(), "phrase", "hello", "")
    for _ in range(2):
        chat.say(sitting.public_id, Side.WHITE, sitting.actors[Side.WHITE], what, timezone.now())
    assert Message.objects.count() == 1


def test_unactivated_account_may_write_only_what_a_guest_may() -> None:
    newcomer = Actor(user_id=UserFactory(activated_at=None).pk)
    sitting = FriendlySitting(newcomer)
    say(sitting, Side.WHITE, newcomer, phrase="hello")
    with pytest.raises(Refused, match="not_member"):
        say(sitting, Side.WHITE, newcomer, text="hello")


def test_banned_member_cannot_write() -> None:
    user = player("white5")
    sitting = FriendlySitting(Actor(user_id=user.pk))
    User.objects.filter(pk=user.pk).update(is_active=False)
    with pytest.raises(Refused, match="not_member"):
        say(sitting, Side.WHITE, Actor(user_id=user.pk), phrase="hello")


def test_a_phrase_of_a_guest_cannot_be_reported() -> None:
    user = player("black5")
    sitting = FriendlySitting(black=Actor(user_id=user.pk))
    say(sitting, Side.WHITE, sitting.actors[Side.WHITE], phrase="hello")
    chat.report(sitting.public_id, Side.BLACK, user.pk, Message.objects.get().pk, timezone.now())
    assert not Report.objects.exists()


def test_a_player_cannot_report_their_own_message() -> None:
    user = player("black5")
    sitting = FriendlySitting(black=Actor(user_id=user.pk))
    say(sitting, Side.BLACK, Actor(user_id=user.pk), phrase="hello")
    chat.report(sitting.public_id, Side.BLACK, user.pk, Message.objects.get().pk, timezone.now())
    assert not Report.objects.exists()


def test_frames_name_a_guest_by_the_chosen_name() -> None:
    sitting = FriendlySitting()
    seats = sitting.match.seats_by_side
    info = outgoing.match_info(sitting.match, seats, None)
    assert info["seats"] == {
        "white": {"kind": "guest", "name": "White", "level": None},
        "black": {"kind": "guest", "name": "Black", "level": None},
    }
    assert info["kind"] == "friendly"


def test_a_rematch_of_guests_keeps_their_names_and_swaps_their_sides() -> None:
    sitting = FriendlySitting().sit().start_game().play_until(Phase.FINISHED)
    now = sitting.match.finished_at
    for side, t in ((Side.WHITE, "rematch_offer"), (Side.BLACK, "rematch_accept")):
        rematches.submit(
            sitting.public_id, sitting.actors[side], command(t, sitting.seq), now or sitting.now
        )
    again = Match.objects.get(rematch_of=sitting.match)
    seats = {seat.side: (seat.guest, seat.guest_name) for seat in again.seats.all()}
    assert seats == {
        "white": (sitting.actors[Side.BLACK].guest, "Black"),
        "black": (sitting.actors[Side.WHITE].guest, "White"),
    }


def test_a_guest_who_becomes_a_member_keeps_seat_and_messages() -> None:
    sitting = FriendlySitting()
    by = sitting.actors[Side.WHITE]
    say(sitting, Side.WHITE, by, phrase="hello")
    user = player("white5")
    assert by.guest is not None
    assert guests.adopt(by.guest, user.pk) == 1
    seat = sitting.match.seats.get(side="white")
    assert (seat.user, seat.guest, seat.guest_name) == (user, None, "")
    assert heard(sitting) == [("white", "white5", "hello")]


def test_the_chat_is_deleted_with_a_match_of_two_guests() -> None:
    sitting = FriendlySitting()
    say(sitting, Side.WHITE, sitting.actors[Side.WHITE], phrase="hello")
    assert guests.forget_guests(timezone.now(), timezone.now()) == 1
    assert not Message.objects.exists()


def test_a_guest_who_became_a_member_elsewhere_cannot_write_as_the_guest() -> None:
    sitting = FriendlySitting()
    by = sitting.actors[Side.WHITE]
    assert by.guest is not None
    guests.adopt(by.guest, player("white5").pk)
    with pytest.raises(Refused, match="not_seated"):
        say(sitting, Side.WHITE, by, phrase="hello")


async def _seated(sitting: StakeSitting, user: User) -> Client:
    client = await signed_in(sitting.public_id, user)
    await client.join()
    return client


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_a_guest_and_a_member_talk_over_sockets() -> None:
    user = await sync_to_async(player)("black5")
    guest = UUID(int=7)
    sitting: Any = await sync_to_async(FriendlySitting)(Actor(guest=guest), Actor(user_id=user.pk))
    visitor = Client(sitting.public_id, guest)
    await visitor.join()
    member = await _seated(sitting, user)
    await visitor.send(t="say", id=str(uuid4()), phrase="hello")
    said = await member.news("said")
    assert (said["by"], said["name"], said["phrase"]) == ("white", "White", "hello")
    await member.send(t="say", id=str(uuid4()), text="good luck")
    assert (await visitor.until(lambda frame: "text" in frame))["text"] == "good luck"
    for client in (visitor, member):
        await client.close()


async def _close_code(client: Client) -> int:
    """Read what the socket still sends; return the code with which it closes."""
    while True:
        event = await client.socket.receive_output(timeout=PATIENCE_S)
        if event["type"] == "websocket.close":
            return int(event["code"])


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_lost", [False, True])
async def test_the_table_of_a_guest_closes_when_they_become_a_member(
    is_lost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the message about the seat is lost, the guest's next command closes the table."""
    guest = UUID(int=7)
    user = await sync_to_async(player)("white5")
    sitting: Any = await sync_to_async(FriendlySitting)(Actor(guest=guest), is_public=True)
    table, opponent = (
        Client(sitting.public_id, sitting.actors[side].guest) for side in (Side.WHITE, Side.BLACK)
    )
    await table.join()
    await opponent.join()
    if is_lost:
        monkeypatch.setattr(broadcast, "seats_adopted", lambda public_ids: None)
    await sync_to_async(guests.adopt)(guest, user.pk)
    if is_lost:
        await table.send(t="entropy_hash", id=str(uuid4()), seq=table.seq, hash="0" * 64)
    assert await _close_code(table) == CLOSE_SIGNED_OUT
    await table.close()
    seat = await sitting.match.seats.aget(side="white")
    assert (seat.user_id, seat.holder, seat.is_absent) == (user.pk, None, True)
    await opponent.send(t="ping", seq=opponent.seq)
    await opponent.news("pong")
    await opponent.close()
