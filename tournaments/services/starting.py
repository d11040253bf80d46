"""The moment of the start: extend entry once, cancel and refund everyone, or draw and begin."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from games.conduct import commitments
from games.services.dice import SecretLost, open_secret
from tournaments import broadcast, states
from tournaments.models import Entrant, Schedule, Tournament
from tournaments.services import purse, reminders, rounds, timeline
from tournaments.services.announcing import OFTEN_EVERY, STARTS
from tournaments.services.due import DueWork
from tournaments.services.entering import entered
from tournaments.services.locking import may_start_at, move_to
from tournaments.services.timeline import Event, Ruling

# Causes of a cancellation, stored in the detail of its timeline entry.
TOO_FEW, NO_DRAW, BY_STAFF = "too_few", "no_draw", "by_staff"
# Cause of a start that moves on until a person enters; the timeline notes it once.
NOBODY = "nobody"


def start_or_cancel(tournament_id: int, now: datetime) -> None:
    """Start a tournament whose start has come, or cancel it, extend its entry or move its start.

    Does nothing if another process has done so.
    """
    with write_transaction():
        rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
        due = rows.filter(pk=tournament_id, state=states.ANNOUNCED, starts_at__lte=now)
        tournament = due.first()
        if tournament is None:
            return
        entrants = list(entered(tournament).order_by("pk"))
        people = sum(not entrant.bot for entrant in entrants)
        if people == 0 and waits_for_people(tournament):
            _wait(tournament, now)
        elif people and len(entrants) >= tournament.min_entrants:
            _start(tournament, entrants, now)
        elif tournament.extend_minutes and tournament.extended_at is None:
            _extend(tournament, entrants, now)
        else:
            cancel(tournament, entrants, now, TOO_FEW)


def waits_for_people(tournament: Tournament) -> bool:
    """Return whether the start moves on until the first person has entered."""
    schedule = tournament.schedule
    return schedule is not None and schedule.repeats == Schedule.Repeats.OFTEN


def _wait(tournament: Tournament, now: datetime) -> None:
    """Move the start without notifying anyone: only computer opponents have entered."""
    while tournament.starts_at <= now or not may_start_at(tournament, tournament.starts_at):
        tournament.starts_at += OFTEN_EVERY
    tournament.save(update_fields=["starts_at"])
    noted = tournament.timeline.filter(event=Event.POSTPONED, detail__cause=NOBODY)
    if not noted.exists():
        timeline.add(tournament, Event.POSTPONED, now, cause=NOBODY)
    deadlines.note(STARTS, tournament.starts_at)
    broadcast.lists_changed()


def _extend(tournament: Tournament, entrants: Collection[Entrant], now: datetime) -> None:
    assert tournament.extend_minutes is not None
    tournament.starts_at = now + timedelta(minutes=tournament.extend_minutes)
    tournament.extended_at = now
    tournament.save(update_fields=["starts_at", "extended_at"])
    commitments.postpone(tournament.reference, tournament.starts_at)
    reminders.move(tournament, entrants, now)
    starts_at = tournament.starts_at.isoformat()
    timeline.add(tournament, Event.EXTENDED, now, starts_at=starts_at, entrants=len(entrants))
    deadlines.note(STARTS, tournament.starts_at)
    reminders.tell_news(tournament, entrants, now)
    broadcast.members_changed((each.user_id for each in entrants), tournament.public_id)


def _start(tournament: Tournament, entrants: list[Entrant], now: datetime) -> None:
    """Take the fees, reveal the secret and draw the first round; cancel if the secret is lost."""
    try:
        secret = open_secret(tournament.sealed_secret, tournament.created_at)
    except SecretLost:
        cancel(tournament, entrants, now, NO_DRAW)
        return
    tournament.secret = secret.hex()
    tournament.entrant_ids = [entrant.pk for entrant in entrants]
    move_to(tournament, states.RUNNING, now)
    commitments.remove(tournament.reference)
    timeline.add(tournament, Event.DRAWN, now, entrants=len(entrants))
    rounds.begin_first(tournament, now)
    purse.gather(tournament, entrants, now)
    broadcast.members_changed((each.user_id for each in entrants), tournament.public_id)


def cancel(
    tournament: Tournament,
    entrants: Collection[Entrant],
    now: datetime,
    cause: str,
    ruling: Ruling | None = None,
) -> None:
    """Cancel a locked tournament that has not started; give every fee back."""
    move_to(tournament, states.CANCELED, now)
    commitments.remove(tournament.reference)
    reminders.drop(tournament)
    timeline.add(tournament, Event.CANCELED, now, ruling, cause=cause, entrants=len(entrants))
    reminders.tell_news(tournament, entrants, now)
    purse.release_fees(entrants, now)
    broadcast.members_changed((each.user_id for each in entrants), tournament.public_id)


def _announced() -> QuerySet[Tournament]:
    return Tournament.objects.filter(state=states.ANNOUNCED)


WORK = DueWork(STARTS, _announced, "starts_at", start_or_cancel)
