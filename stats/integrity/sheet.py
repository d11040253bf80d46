"""The page of a case: its members, their sanctions and appeals, the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, Q, Sum

from chat.models import Silence, Ticket
from chat.support.selectors import belonging_to
from games.models import Strike
from stats.integrity.findings import for_credits, since
from stats.integrity.selectors import cases_with
from stats.integrity.strength import DAYS
from stats.integrity.texts import Shown, shown
from stats.models import Case, CasePerson, Evidence, PlayedMatch


@dataclass(frozen=True, slots=True)
class Person:
    """A member of a case with what the page shows about them.

    `lost_matches` is the number of matches that a victim has lost to suspects since DAYS before the
    case was opened, and `lost_credits` the credits lost in them.

    `refunded` are the member's rows in other cases in which they got a refund, perhaps for the same
    matches; it may have been reversed.
    """

    row: CasePerson
    lost_matches: int
    lost_credits: int
    silences: list[Silence]
    strikes: list[Strike]
    tickets: list[Ticket]
    refunded: list[CasePerson]


@dataclass(frozen=True, slots=True)
class Sheet:
    people: list[Person]
    evidence: list[Shown]
    log: list[LogEntry]
    days: int = DAYS


def sheet_of(case: Case, reader_id: int) -> Sheet:
    """Return the page for a member of staff, without refunds in cases about the reader."""
    rows = list(case.people.select_related("user", "refund__reversal").order_by("role", "pk"))
    return Sheet(
        people=_people(case, rows, reader_id),
        evidence=shown(list(Evidence.objects.filter(case=case).order_by("-taken_at", "pk"))),
        log=_log_of([case, *rows]),
    )


def _people(case: Case, rows: Sequence[CasePerson], reader_id: int) -> list[Person]:
    ids = [row.user_id for row in rows]
    lost = _lost_to_suspects(case, rows)
    silences = list(Silence.objects.filter(user__in=ids))
    strikes = list(Strike.objects.filter(user__in=ids).select_related("match"))
    elsewhere = CasePerson.objects.filter(user__in=ids, refund__isnull=False).exclude(case=case)
    elsewhere = elsewhere.exclude(case__in=cases_with(reader_id))
    refunded = list(elsewhere.select_related("case", "refund__reversal"))
    return [
        Person(
            row,
            *lost.get(row.user_id, (0, 0)),
            [each for each in silences if each.user_id == row.user_id],
            [each for each in strikes if each.user_id == row.user_id],
            _tickets(case, row),
            [each for each in refunded if each.user_id == row.user_id],
        )
        for row in rows
    ]


def _tickets(case: Case, row: CasePerson) -> list[Ticket]:
    """Return the requests to support with messages since the case's end; one may be an appeal."""
    if case.closed_at is None:
        return []
    written = Ticket.objects.filter(belonging_to(row.user), merged_into__isnull=True)
    return list(written.filter(last_at__gte=case.closed_at))


def _lost_to_suspects(case: Case, rows: Sequence[CasePerson]) -> dict[int, tuple[int, int]]:
    suspects = [row.user_id for row in rows if row.role == CasePerson.Role.SUSPECT]
    victims = [row.user_id for row in rows if row.role == CasePerson.Role.VICTIM]
    found = for_credits(since(case.opened_at, DAYS)).filter(
        user__in=victims, opponent__in=suspects, result=PlayedMatch.Result.LOST
    )
    sums = found.order_by().values_list("user").annotate(Count("pk"), Sum("net_credits"))
    return {user_id: (count, -credits) for user_id, count, credits in sums}


def _log_of(rows: Sequence[Case | CasePerson]) -> list[LogEntry]:
    about = Q(pk__in=[])
    for row in rows:
        kind = ContentType.objects.get_for_model(row)
        about |= Q(content_type=kind, object_id=str(row.pk))
    return list(LogEntry.objects.filter(about).select_related("user").order_by("action_time"))
