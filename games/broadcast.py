"""The only module that sends to the groups of matches.

A message may be lost, so its receivers rely on the database alone.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from prometheus_client import Counter

from accounts.broadcast import Message, nudge, send, send_from_loop
from accounts.shared.transactions import announce_after_commit
from games.engine.match.action_codec import action_to_dict
from games.models import Match, Seat
from games.models.logged_action import LoggedAction
from games.protocol import outgoing

ACTIONS = Counter("gammon_actions", "Actions logged in matches, bots' included", ["kind"])


def match_group(public_id: str) -> str:
    """Return the name of the group of a match's player connections."""
    return f"match.{public_id}"


def watch_group(public_id: str) -> str:
    """Return the name of the group of a match's audiences, one for each process."""
    return f"match.{public_id}.watch"


def actions_logged(
    match: Match,
    done: Sequence[LoggedAction],
    now_ms: int,
    shown: Sequence[LoggedAction],
    shown_ms: int,
) -> None:
    """Send the actions `done` to the players, then the actions `shown` to the spectators.

    `now_ms` and `shown_ms` are the match times that these messages show. Call after the commit. The
    messages are built after the client of the command is answered.
    """
    send(lambda: _action_messages(match, done, now_ms, shown, shown_ms))


def _action_messages(
    match: Match,
    done: Sequence[LoggedAction],
    now_ms: int,
    shown: Sequence[LoggedAction],
    shown_ms: int,
) -> list[Message]:
    events = _events(match, done, now_ms)
    seen = events if shown is done else _events(match, shown, shown_ms)
    for event in events:
        ACTIONS.labels(event["action"]["kind"]).inc()
    players, watchers = match_group(match.public_id), watch_group(match.public_id)
    messages: list[Message] = [
        (players, {"type": "match.event", "event": event}) for event in events
    ]
    for event in seen:
        frame = outgoing.trimmed(event, None)
        messages.append((watchers, {"type": "watch.event", "frame": frame}))
    return messages


def _events(match: Match, done: Sequence[LoggedAction], now_ms: int) -> list[dict[str, Any]]:
    return [
        outgoing.event(
            match,
            logged.seq,
            action_to_dict(logged.action),
            logged.state,
            now_ms,
            is_last=logged is done[-1],
        )
        for logged in done
    ]


def holder_changed(public_id: str, side: str, holder: str) -> None:
    message = {"type": "match.holder", "side": side, "holder": holder}
    send((match_group(public_id), message))


def premove_changed(public_id: str, side: str) -> None:
    """Notify the player's connections; those of the opponent drop the message."""
    send((match_group(public_id), {"type": "match.premove", "side": side}))


def seats_adopted(public_ids: Iterable[str]) -> None:
    """Close the tables of a guest whose seats in these matches now belong to a member."""
    send(*((match_group(public_id), {"type": "match.adopted"}) for public_id in public_ids))


def presence_changed(public_id: str) -> None:
    _send_all(public_id, {"type": "match.presence"})


def rematch_changed(public_id: str) -> None:
    _send_all(public_id, {"type": "match.rematch"})


def said(
    public_id: str, is_among_players: bool, author_id: int | None, frame: dict[str, Any]
) -> None:
    """Send the frame of a new or hidden chat message to the players' or the spectators' room."""
    group = match_group(public_id) if is_among_players else watch_group(public_id)
    send((group, said_message(author_id, frame)))


def said_message(author_id: int | None, frame: dict[str, Any]) -> dict[str, Any]:
    return {"type": "match.said", "author": author_id, "frame": frame}


async def watchers(public_id: str, audience: str, count: int) -> None:
    """Send everybody at the table the number of spectators of the audience with this id."""
    message = {"type": "match.watchers", "audience": audience, "count": count}
    for group in (match_group(public_id), watch_group(public_id)):
        await send_from_loop(group, message)


async def ask_watchers(public_id: str) -> None:
    """Ask every audience to send its number of spectators."""
    await send_from_loop(watch_group(public_id), {"type": "watch.ask"})


def nudge_players(seats: Iterable[Seat], public_id: str) -> None:
    """Send the members in these seats a nudge about the match, on all their pages, on commit."""
    for seat in seats:
        if seat.user_id is not None:
            announce_after_commit(partial(nudge, seat.user_id, "match", public_id))


def _send_all(public_id: str, message: dict[str, Any]) -> None:
    send((match_group(public_id), message), (watch_group(public_id), message))
