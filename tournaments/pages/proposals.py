"""The tournaments that a member proposed, and the answers of staff."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from tournaments import states
from tournaments.models import TimelineEntry, Tournament

MOST_SHOWN = 20
WAITING, LATE, APPROVED, REFUSED, TAKEN_BACK = (
    "waiting", "late", "approved", "refused", "taken_back",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal; `outcome` is one of the codes above, `reason` the text of staff."""

    tournament: Tournament
    outcome: str
    reason: str


def proposals_of(member: User, now: datetime) -> list[Proposal]:
    """Return the member's newest proposals, at most MOST_SHOWN. Two queries."""
    proposed = TimelineEntry.Event.PROPOSED
    found = Tournament.objects.filter(created_by=member, timeline__event=proposed)
    tournaments = list(found.order_by("-pk")[:MOST_SHOWN])
    events = (TimelineEntry.Event.ANNOUNCED, TimelineEntry.Event.REJECTED)
    answers = TimelineEntry.objects.filter(tournament__in=tournaments, event__in=events)
    by_tournament = {answer.tournament_id: answer for answer in answers}
    return [_proposal(each, by_tournament.get(each.pk), now) for each in tournaments]


def _proposal(tournament: Tournament, answer: TimelineEntry | None, now: datetime) -> Proposal:
    if answer is None:
        is_late = tournament.starts_at <= now
        return Proposal(tournament, LATE if is_late else WAITING, "")
    if tournament.state != states.REJECTED:
        return Proposal(tournament, APPROVED, answer.reason)
    is_by_member = answer.by_id is None  # a ruling names its staff member
    return Proposal(tournament, TAKEN_BACK if is_by_member else REFUSED, answer.reason)
