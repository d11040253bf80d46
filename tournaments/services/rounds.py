"""Rounds: pair the entrants, and go on when every fixture of a round is decided."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from tournaments import broadcast, states
from tournaments.draw import DrawStream
from tournaments.formats import FORMATS, Pairing
from tournaments.models import Entrant, Fixture, Round, Tournament
from tournaments.selectors import played_rounds
from tournaments.services import ending, timeline
from tournaments.services.due import DueWork
from tournaments.services.locking import lock
from tournaments.services.tables import ROUNDS, TABLES
from tournaments.services.timeline import Event

# An entrant absent from this many fixtures in a row is out, in formats without elimination.
OUT_AFTER_ABSENCES = 2
# In these formats an entrant who loses is out.
ELIMINATING = frozenset({Tournament.Format.KNOCKOUT})
Cause = Fixture.Cause


def begin_first(tournament: Tournament, now: datetime) -> None:
    """Draw the first round of a locked tournament that has just started."""
    entrants = tournament.entrant_ids
    drawn = FORMATS[tournament.format].first_round(entrants, _stream(tournament, 1))
    _begin(tournament, 1, drawn, now)


def advance(round_id: int, now: datetime) -> None:
    """Begin the next round or end the tournament, if all fixtures of this round are decided."""
    tournament_id = Round.objects.values_list("tournament", flat=True).get(pk=round_id)
    with write_transaction():
        tournament = lock(tournament_id)
        last = finished().filter(pk=round_id, tournament__state=states.RUNNING).first()
        if last is None:
            return
        last.advanced_at = now
        last.save(update_fields=["advanced_at"])
        rounds = played_rounds(tournament)
        if tournament.format not in ELIMINATING:
            _leave_out_absent(tournament, now)
        rules, number = FORMATS[tournament.format], last.number + 1
        staying = _staying(tournament)
        following = rules.next_round(staying, rounds, _stream(tournament, number))
        if following is None:
            ending.finish(tournament, rounds, now)
        else:
            _begin(tournament, number, following, now)
        broadcast.members_changed(_user_ids(tournament), tournament.public_id)


def _stream(tournament: Tournament, number: int) -> DrawStream:
    return DrawStream(bytes.fromhex(tournament.secret), tournament.public_id, number)


def _staying(tournament: Tournament) -> list[int]:
    found = Entrant.objects.filter(pk__in=tournament.entrant_ids, state=Entrant.State.ENTERED)
    present = set(found.values_list("pk", flat=True))
    return [entrant for entrant in tournament.entrant_ids if entrant in present]


def _user_ids(tournament: Tournament) -> Iterable[int]:
    drawn = Entrant.objects.filter(pk__in=tournament.entrant_ids)
    return drawn.values_list("user", flat=True)


def _begin(tournament: Tournament, number: int, pairings: Sequence[Pairing], now: datetime) -> None:
    begun = Round.objects.create(tournament=tournament, number=number, started_at=now)
    staying = set(_staying(tournament))
    fixtures = [
        Fixture(
            round=begun,
            number=place,
            first_id=pairing.first,
            second_id=pairing.second,
            **_known_result(pairing, staying, now),
        )
        for place, pairing in enumerate(pairings, 1)
    ]
    Fixture.objects.bulk_create(fixtures)
    timeline.add(tournament, Event.ROUND_STARTED, now, round=number, fixtures=len(fixtures))
    _note_walkovers(tournament, number, fixtures, now)
    # A round without any table to play at is over at once.
    deadlines.note(TABLES, now)
    deadlines.note(ROUNDS, now)


def _known_result(pairing: Pairing, staying: set[int], now: datetime) -> dict[str, object]:
    """Return the fields of a result that needs no match: a free place, or an entrant who is out.

    The result is empty for a fixture that must be played.
    """
    here = [each for each in (pairing.first, pairing.second) if each in staying]
    if len(here) == 2:
        return {}
    cause = Cause.FREE if here and pairing.second is None else Cause.WITHDRAWN
    return {"winner_id": here[0] if here else None, "cause": cause, "finished_at": now}


def _note_walkovers(
    tournament: Tournament, number: int, fixtures: Sequence[Fixture], now: datetime
) -> None:
    """Note on the timeline the fixtures of a new round in which an entrant no longer takes part."""
    walkovers = [each for each in fixtures if each.second_id and each.finished_at]
    if not walkovers:
        return
    users = dict(Entrant.objects.filter(tournament=tournament).values_list("pk", "user"))
    for each in walkovers:
        timeline.add(
            tournament,
            Event.RESULT,
            now,
            round=number,
            users=[users[each.first_id], users.get(each.second_id or 0)],
            winner=users.get(each.winner_id or 0),
            cause=each.cause,
        )


def _leave_out_absent(tournament: Tournament, now: datetime) -> None:
    """Leave out entrants who were absent from their last OUT_AFTER_ABSENCES fixtures.

    A fixture counts only if it shows who came. One that was decided before its match began, by
    staff or because an entrant is out, does not.
    """
    missed: dict[int, int] = {}
    fixtures = Fixture.objects.filter(round__tournament=tournament, second__isnull=False)
    shows_who_came = (
        Q(cause__in=(Cause.ABSENT, Cause.BOTH_ABSENT, Cause.GAVE_UP))
        | Q(match__started_at__isnull=False)
        | Q(drawn_match__isnull=False)
    )
    for fixture in fixtures.filter(shows_who_came).order_by("round__number"):
        for entrant_id in (fixture.first_id, fixture.second_id):
            assert entrant_id is not None
            is_absent = fixture.cause in (Cause.ABSENT, Cause.BOTH_ABSENT)
            is_missed = is_absent and fixture.winner_id != entrant_id
            missed[entrant_id] = missed.get(entrant_id, 0) + 1 if is_missed else 0
    leaving = [entrant for entrant, count in missed.items() if count >= OUT_AFTER_ABSENCES]
    for entrant in Entrant.objects.filter(pk__in=leaving, state=Entrant.State.ENTERED):
        ending.leave_out(tournament, entrant, now, "absent")


def finished() -> QuerySet[Round]:
    """Return the rounds that wait for `advance`: all their fixtures are decided."""
    undecided = Fixture.objects.filter(round=OuterRef("pk"), finished_at__isnull=True)
    running = Round.objects.filter(advanced_at__isnull=True, tournament__state=states.RUNNING)
    return running.filter(~Exists(undecided))


WORK = DueWork(ROUNDS, finished, "started_at", advance)
