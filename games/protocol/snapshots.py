"""Frames built from the stored match: the whole state, presence, the rematch."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games import match_rows
from games.engine.match.public_view import public_view
from games.engine.sides import Side
from games.models import Match, RematchOffer, Seat
from games.models.match import match_ms
from games.protocol import outgoing

Frame = dict[str, Any]
# The news of a match by kind, without the times that pass: "presence" says by side whether the
# player is absent, "rematch" is that of the frame.
News = dict[str, Any]
# A client that missed more actions gets the state without them.
MAX_MISSED = 50
# Time after the end of a match in which `newest_news` still reads its rematch: longer than any
# kind's `rematch_time`, after which nothing changes.
REMATCH_NEWS_FOR = timedelta(minutes=2)


def state_frame(public_id: str, side: Side | None, since: int, now: datetime) -> dict[str, Any]:
    """Return the `state` frame without `you` and `watchers`, with the actions after `since`."""
    match, seats = _read(public_id)
    seq, state = match.seq, match.state
    now_ms = max(match.ms_at(now), state.at_ms)
    if side is None and match.is_delayed and not match.is_finished:
        shown = match.delayed_view
        seq, state, now_ms = shown.shown_seq, shown.state, shown.now_ms(now)
    return {
        "t": "state",
        "seq": seq,
        "now": now_ms,
        "match": outgoing.match_info(match, seats, side),
        "view": public_view(state, now_ms),
        "plays": outgoing.plays(state) if side and state.turn is side else None,
        "may": outgoing.may(match, state, side) if side else None,
        "actions": _missed(match, since),
        "seating": outgoing.seating(state, seats),
        "premove": outgoing.premove(seats[side], state) if side else None,
        "presence": outgoing.presence(match, seats, now),
        "rematch": _rematch(match),
    }


def premove_frame(public_id: str, side: Side, id: str | None = None) -> dict[str, Any]:
    """Return the `premove` frame of a side; `id` is that of the frame answered, if any."""
    match, seats = _read(public_id)
    premove = outgoing.premove(seats[side], match.state)
    return {"t": "premove", "id": id, "premove": premove}


def presence_frames(public_ids: Collection[str], now: datetime) -> dict[str, Frame | None]:
    """Return the `presence` frame of each match, None where `outgoing.presence` returns None."""
    found = match_rows.read_matches(public_ids)
    presences = {key: outgoing.presence(*found[key], now) for key in found}
    return {
        key: None if presence is None else {"t": "presence", "presence": presence}
        for key, presence in presences.items()
    }


def rematch_frame(public_id: str, now: datetime) -> dict[str, Any] | None:
    """Return the `rematch` frame; None before the end, and in a kind of match without rematches."""
    rematch = _rematch(_read(public_id)[0])
    return None if rematch is None else {"t": "rematch", "rematch": rematch}


def newest_news(public_ids: Collection[str], now: datetime) -> dict[str, News]:
    """Return the news of the matches that have any, in two small queries.

    Two more read the rematches if some of the matches have just ended.
    """
    found: dict[str, News] = {}
    counted = Seat.objects.filter(match__public_id__in=list(public_ids), absence_at__isnull=False)
    playing = counted.filter(match__finished_at__isnull=True)
    for public_id, side, is_absent in playing.values_list("match__public_id", "side", "is_absent"):
        found.setdefault(public_id, {"presence": {}})["presence"][side] = is_absent
    ended_since = now - REMATCH_NEWS_FOR
    ended = Match.objects.filter(public_id__in=list(public_ids), finished_at__gt=ended_since)
    for public_id, rematch in _rematches(ended).items():
        found[public_id] = {"rematch": rematch}
    return found


def news_in(frame: Frame) -> News:
    """Return the news in a `state`, `presence` or `rematch` frame."""
    news: News = {}
    if presence := frame.get("presence"):
        news["presence"] = {side: seat["is_absent"] for side, seat in presence.items()}
    if rematch := frame.get("rematch"):
        news["rematch"] = rematch
    return news


@dataclass(frozen=True, slots=True)
class Progress:
    """The last seq of a match, and the milliseconds since the match was created."""

    seq: int
    now_ms: int


def progress(public_ids: Iterable[str], now: datetime) -> dict[str, Progress]:
    """Return the contents of a `pong` frame for each match that exists; one small query."""
    matches = Match.objects.filter(public_id__in=list(public_ids))
    return {
        public_id: Progress(seq, match_ms(created_at, now))
        for public_id, created_at, seq in matches.values_list("public_id", "created_at", "seq")
    }


def _read(public_id: str) -> tuple[Match, dict[Side, Seat]]:
    found = match_rows.read_match(public_id)
    assert found is not None
    return found


def _rematch(match: Match) -> dict[str, Any] | None:
    return _rematches([match]).get(match.public_id)


def _rematches(matches: Iterable[Match]) -> dict[str, dict[str, Any]]:
    """Return the rematch of each match that has ended and may have one, by public id."""
    ended = {m.pk: m for m in matches if m.is_finished and m.policy.rematch_time is not None}
    offers = RematchOffer.objects.filter(match__in=ended).order_by("created_at", "pk")
    newest = {offer.match_id: offer for offer in offers}
    following = Match.objects.filter(rematch_of__in=ended).only("public_id", "rematch_of")
    next_matches = {match.rematch_of_id: match for match in following}
    return {
        match.public_id: outgoing.rematch(match, newest.get(pk), next_matches.get(pk))
        for pk, match in ended.items()
    }


def _missed(match: Match, since: int) -> list[dict[str, Any]]:
    """Return the actions after `since`, none of them if there are more than MAX_MISSED."""
    if not 0 <= since < match.seq or match.seq - since > MAX_MISSED:
        return []
    missed = match.actions.filter(seq__gt=since, seq__lte=match.seq).order_by("seq")
    return list(missed.values_list("data", flat=True))
