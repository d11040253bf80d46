"""The two chats of a match, for its players and for its spectators; no message is in both."""

from collections.abc import Collection, Set
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from chat import selectors as chats
from chat.models import Message
from chat.services import messages
from games import broadcast
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.actor import Actor
from games.protocol import outgoing
from games.protocol.incoming import Mute, Say

ROOMS = "match"
PLAYERS, WATCHERS = "players", "watchers"
# Most messages that `written_after` looks at in all rooms together, and most that it returns of one
# room. A connection remembers more than that (games/live/chat.py), so it sends no message twice.
MOST_CHECKED, MOST_OF_ROOM = 2000, 50
# Time for which every check of open tables repeats the frame that hides a message: long enough for
# several checks.
HIDDEN_AGAIN_FOR = timedelta(seconds=20)
# The public id of a match, the reader's side (None: a spectator), and the reader's user id (None:
# no account).
RoomOfReader = tuple[str, Side | None, int | None]
# The two sets of `chat.selectors.unheard_by_each`, and the `silenced` frame.
Hearing = tuple[set[int], set[int], dict[str, Any]]


def room(public_id: str, side: Side | None) -> str:
    return f"{ROOMS}:{public_id}:{WATCHERS if side is None else PLAYERS}"


def staff_links(rooms: Collection[str]) -> dict[str, str]:
    """Return the address of the case file of the match that each room belongs to."""
    ids = {each: each.split(":")[1] for each in rooms}
    matches = Match.objects.filter(public_id__in=set(ids.values()))
    known = dict(matches.values_list("public_id", "pk"))
    return {
        each: reverse("admin:case_file", args=[known[public_id]])
        for each, public_id in ids.items()
        if public_id in known
    }


def took_part(room_name: str, user_id: int) -> bool:
    """Return whether the member plays in the room's match or wrote in one of its two chats."""
    public_id = room_name.split(":")[1]
    if Seat.objects.filter(match__public_id=public_id, user_id=user_id).exists():
        return True
    rooms = [room(public_id, side) for side in (Side.WHITE, None)]
    return Message.objects.filter(room__in=rooms, author_id=user_id).exists()


def closed_to(user_id: int) -> list[str]:
    """Return the spectators' rooms of the member's unfinished matches: a player reads no advice."""
    running = Match.objects.filter(seats__user=user_id, finished_at__isnull=True)
    return [room(public_id, None) for public_id in running.values_list("public_id", flat=True)]


def withdraw(message_id: int) -> None:
    """Let open pages hide a message that staff have removed, after the commit."""
    message = Message.objects.get(pk=message_id)
    if not message.room.startswith(f"{ROOMS}:"):
        return  # a room of another app
    _, public_id, readers = message.room.split(":")
    frame = outgoing.hidden(message)
    author_id, is_among_players = message.author_id, readers == PLAYERS
    announce_after_commit(lambda: broadcast.said(public_id, is_among_players, author_id, frame))


def say(public_id: str, side: Side | None, actor: Actor, what: Say, now: datetime) -> None:
    """Store a message in the author's own room and send it to the room's readers on commit.

    A message sent again with the same id is ignored. A guest may write as a player, not as a
    spectator. Raises `Refused` with the chat's codes.
    """
    author = _author(public_id, side, actor)
    kind = Message.Kind[what.kind.upper()]
    with write_transaction():
        message = messages.say(
            room(public_id, side), author, kind, what.body, now, what.id,
            admits_guests=side is not None,
        )  # fmt: skip
        if message is None:
            return
        frame, author_id = outgoing.said(message, side), message.author_id
        announce_after_commit(lambda: broadcast.said(public_id, side is not None, author_id, frame))


def _author(public_id: str, side: Side | None, actor: Actor) -> User | messages.Guest:
    if actor.user_id is not None:
        return User.objects.get(pk=actor.user_id)
    if actor.guest is None or side is None:
        raise Refused("not_member")
    own = Seat.objects.filter(match__public_id=public_id, guest=actor.guest)
    seat = own.filter(side=side.value).first()
    if seat is None:  # the seat belongs to the member whom the guest became
        raise Refused("not_seated")
    return messages.Guest(actor.guest, seat.guest_name)


def recent_of_each(wanted: Set[RoomOfReader]) -> dict[RoomOfReader, list[dict[str, Any]]]:
    """Return each room's latest messages that its reader has not muted, as `said` frames.

    Most rooms have no messages and need no query of their own.
    """
    rooms = {each: room(each[0], each[1]) for each in wanted}
    written = chats.rooms_with_messages(set(rooms.values()))
    return {each: _recent(*each) if rooms[each] in written else [] for each in wanted}


def _recent(public_id: str, side: Side | None, reader_id: int | None) -> list[dict[str, Any]]:
    reader = User.objects.filter(pk=reader_id).first() if reader_id else None
    sides = _sides([public_id]) if side else {}
    return [
        outgoing.said(message, sides.get((public_id, message.author_id or message.guest)))
        for message in chats.recent(room(public_id, side), reader)
    ]


def written_after(
    message_id: int | None, rooms: Collection[str]
) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """Return the newest message's id (0: none), and the rooms' messages after the one given.

    The messages have the form in which the room's group gets them, the oldest first. If there are
    very many, the oldest are left out.
    """
    newest = Message.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    found: dict[str, list[dict[str, Any]]] = {}
    ids = [] if message_id is None or newest <= message_id else _ids_after(message_id, rooms)
    if not ids:
        return newest, found
    written = Message.objects.filter(pk__in=ids).select_related("author").order_by("pk")
    room_parts = {message: message.room.split(":")[1:] for message in written}
    sides = _sides({public_id for public_id, readers in room_parts.values() if readers == PLAYERS})
    for message, (public_id, readers) in room_parts.items():
        author = message.author_id or message.guest
        side = sides.get((public_id, author)) if readers == PLAYERS else None
        sent = broadcast.said_message(message.author_id, outgoing.said(message, side))
        found.setdefault(message.room, []).append(sent)
    return newest, found


def hidden_lately(now: datetime, rooms: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the `hidden` frames of the rooms' messages that staff hid within HIDDEN_AGAIN_FOR.

    The frames have the form in which the room's group gets them.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for message in Message.objects.filter(hidden_at__gt=now - HIDDEN_AGAIN_FOR):
        if message.room in rooms:
            sent = broadcast.said_message(message.author_id, outgoing.hidden(message))
            found.setdefault(message.room, []).append(sent)
    return found


def _ids_after(message_id: int, rooms: Collection[str]) -> list[int]:
    written = Message.objects.filter(
        pk__gt=message_id, room__startswith=f"{ROOMS}:", hidden_at__isnull=True
    )
    by_room: dict[str, list[int]] = {room: [] for room in rooms}
    for id, room in written.order_by("-pk").values_list("pk", "room")[:MOST_CHECKED]:
        if room in by_room and len(by_room[room]) < MOST_OF_ROOM:
            by_room[room].append(id)
    return [id for ids in by_room.values() for id in ids]


def _sides(public_ids: Collection[str]) -> dict[tuple[str, int | UUID | None], Side]:
    """Return the players' sides by the match's public id and the id of the member or guest."""
    seats = Seat.objects.filter(match__public_id__in=public_ids)
    rows = seats.values_list("match__public_id", "user_id", "guest", "side")
    return {(public_id, user_id or guest): Side(side) for public_id, user_id, guest, side in rows}


def hearing_of_each(reader_ids: Collection[int], now: datetime) -> dict[int, Hearing]:
    """Return the mutes and blocks of each reader, and the end of their own silence, if any."""
    silences = chats.silences_of(reader_ids, now)
    return {
        reader_id: (*unheard, outgoing.silenced(silences.get(reader_id)))
        for reader_id, unheard in chats.unheard_by_each(reader_ids).items()
    }


def mute(public_id: str, owner_id: int, what: Mute, now: datetime) -> None:
    """Mute the player whom the frame names, by side or public id; ignore an unknown one."""
    muted_id = _user_of(public_id, what.player)
    if muted_id is not None:
        owner = User.objects.get(pk=owner_id)
        messages.mute(owner, muted_id, now, only_text=what.only_text)


def unmute(public_id: str, owner_id: int, player: str) -> None:
    """End the mute of a player named by side or public id; ignore an unknown one."""
    muted_id = _user_of(public_id, player)
    if muted_id is not None:
        messages.unmute(User.objects.get(pk=owner_id), muted_id)


def report(public_id: str, side: Side | None, reporter_id: int, id: int, now: datetime) -> None:
    """Report a message of the reporter's room.

    A message of another room, of a guest or of the reporter is ignored.
    """
    said_there = Message.objects.filter(pk=id, room=room(public_id, side), author__isnull=False)
    if said_there.exclude(author=reporter_id).exists():
        messages.report(User.objects.get(pk=reporter_id), id, now)


def forget(public_ids: Collection[str]) -> None:
    """Delete the chats of matches that are deleted, in the caller's transaction."""
    sides = (Side.WHITE, None)  # the room of both players, and that of the spectators
    messages.forget_rooms([room(public_id, side) for public_id in public_ids for side in sides])


def forget_old(before: datetime) -> int:
    """Delete the chat messages written at tables before a time, except reported ones."""
    return messages.forget_written(f"{ROOMS}:", before)


def _user_of(public_id: str, player: str) -> int | None:
    """Return the id of a member named by their side in the match or by their own public id."""
    if player in set(Side):
        seat = Seat.objects.filter(match__public_id=public_id, side=player).first()
        return seat.user_id if seat else None
    return User.objects.filter(public_id=player).values_list("pk", flat=True).first()
