"""Everything that is known about a match, for one page of the admin.

Members of the staff see the parts that their role allows. The number of queries does not depend on
the amount of data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q

from accounts.models import Origin, User
from accounts.sessions import origins
from chat.models import Message, PlayerReport, Report, Ticket
from config.staff.steps import Step, steps_of
from games.engine.sides import Side
from games.models import Game, Interruption, Match, Seat, Strike
from games.services import chat
from games.stakes.escrow import reference
from tournaments.models import Fixture
from wallet.models import Transfer


@dataclass(frozen=True, slots=True)
class Shared:
    """Each field is True if both members used the same device or network in the last month."""

    device: bool
    network: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat and the reserve that its clock had left at the last action, in seconds."""

    seat: Seat
    reserve_s: int | None


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The parts of the page; None for one that the role may not see or the match does not have.

    Reports about the reader are left out, and the spectators' chat while the reader is a player.
    """

    match: Match
    seats: list[Placed]
    games: list[Game]
    steps: list[Step]
    strikes: list[Strike]
    interruption: Interruption | None
    fixture: Fixture | None
    log: list[LogEntry]
    messages: list[Message] | None = None
    reports: list[Report] | None = None
    player_reports: list[PlayerReport] | None = None
    tickets: list[Ticket] | None = None
    transfers: list[Transfer] | None = None
    shared: Shared | None = None
    revealed: str = ""  # the dice secret, once the log has it


def case_file_of(match: Match, reader: User, now: datetime) -> CaseFile:
    """Return the case file; the match must have its seats and their users prefetched."""
    seats = match.ordered_seats
    strikes = list(match.strikes.select_related("user", "lifted_by"))
    interruption = Interruption.objects.filter(match=match).select_related("voided_by").first()
    fixture = _fixture_of(match)
    actions = list(match.actions.all())
    may = reader.has_perm
    transfers = _transfers_of(match) if may("wallet.view_transfer") else None
    rooms = _rooms_of(match, reader)
    reports = _reports_of(rooms, reader) if may("chat.view_report") else None
    rows: list[Model | None] = [match, interruption, fixture, *strikes, *(reports or ())]
    return CaseFile(
        match=match,
        seats=_with_clocks(match, seats),
        games=list(match.games.all()),
        steps=steps_of(actions),
        strikes=strikes,
        interruption=interruption,
        fixture=fixture,
        log=_log_of([*rows, *(transfers or ())]),
        messages=_messages_of(rooms) if may("chat.view_message") else None,
        reports=reports,
        player_reports=(
            _player_reports_of(match, reader) if may("chat.view_playerreport") else None
        ),
        tickets=_tickets_of(match) if may("chat.view_ticket") else None,
        transfers=transfers,
        shared=_shared(seats, now) if may("accounts.view_user") else None,
        revealed=next((each.data["secret"] for each in actions if each.verb == "reveal"), ""),
    )


def _with_clocks(match: Match, seats: Sequence[Seat]) -> list[Placed]:
    clock = match.state.clock
    return [
        Placed(seat, clock.reserve_ms[seat.engine_side] // 1000 if clock else None)
        for seat in seats
    ]


def _fixture_of(match: Match) -> Fixture | None:
    decided = Fixture.objects.filter(Q(match=match) | Q(drawn_match=match))
    return decided.select_related("round__tournament").first()


def _rooms_of(match: Match, reader: User) -> list[str]:
    """Return the players' and the spectators' chat, without one that is closed to the reader."""
    closed = chat.closed_to(reader.pk)
    rooms = [chat.room(match.public_id, side) for side in (Side.WHITE, None)]
    return [each for each in rooms if each not in closed]


def _messages_of(rooms: Sequence[str]) -> list[Message]:
    """Return the messages of the chats, including hidden ones."""
    messages = Message.objects.filter(room__in=rooms)
    return list(messages.select_related("author").order_by("id"))


def _reports_of(rooms: Sequence[str], reader: User) -> list[Report]:
    found = Report.objects.filter(message__room__in=rooms)
    found = found.exclude(message__author=reader)
    return list(found.select_related("message__author", "reporter").order_by("created_at"))


def _player_reports_of(match: Match, reader: User) -> list[PlayerReport]:
    found = PlayerReport.objects.filter(room__startswith=reference(match)).exclude(about=reader)
    return list(found.select_related("about", "reporter").order_by("created_at"))


def _tickets_of(match: Match) -> list[Ticket]:
    found = Ticket.objects.filter(room__startswith=reference(match))
    return list(found.select_related("user").order_by("created_at"))


def _transfers_of(match: Match) -> list[Transfer]:
    """Return the transfers of the match and their reversals."""
    own = Q(reference=reference(match)) | Q(reverses__reference=reference(match))
    found = Transfer.objects.filter(own).select_related("by", "reverses", "reversal")
    return list(found.prefetch_related("entries__account__user").order_by("pk"))


def _shared(seats: Sequence[Seat], now: datetime) -> Shared | None:
    ids = [seat.user_id for seat in seats if seat.user_id]
    if len(ids) != len(Side):
        return None
    one, other = ids
    return Shared(
        device=origins.are_together(one, other, now, Origin.Kind.DEVICE),
        network=origins.are_together(one, other, now, Origin.Kind.NETWORK),
    )


def _log_of(rows: Sequence[Model | None]) -> list[LogEntry]:
    """Return the lines of the staff's log about these rows, oldest first."""
    about = Q(pk__in=[])
    for row in rows:
        if row is not None:
            kind = ContentType.objects.get_for_model(row)
            about |= Q(content_type=kind, object_id=str(row.pk))
    return list(LogEntry.objects.filter(about).select_related("user").order_by("action_time"))
