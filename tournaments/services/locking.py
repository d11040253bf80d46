"""The lock of a tournament, and the only place where its state changes."""

from datetime import datetime

from accounts.shared.refusals import Refused
from tournaments import broadcast, states
from tournaments.models import Schedule, Tournament


def lock(tournament_id: int) -> Tournament:
    """Lock a tournament for this transaction."""
    return Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)


def lock_public(public_id: str) -> Tournament:
    """Lock a tournament that was announced; raise `Refused("not_found")` if there is none."""
    rows = Tournament.objects.select_for_update(no_key=True)
    found = rows.filter(public_id=public_id).exclude(state__in=states.HIDDEN)
    tournament = found.first()
    if tournament is None:
        raise Refused("not_found")
    return tournament


def may_start_at(tournament: Tournament, starts_at: datetime) -> bool:
    """Return whether no other tournament of this one's schedule starts at `starts_at`.

    The caller has locked the tournament. The schedule is locked here, so that it announces no
    tournament for this start meanwhile.
    """
    if tournament.schedule_id is None:
        return True
    Schedule.objects.select_for_update(no_key=True).get(pk=tournament.schedule_id)
    others = Tournament.objects.exclude(pk=tournament.pk)
    return not others.filter(schedule=tournament.schedule_id, starts_at=starts_at).exists()


def move_to(tournament: Tournament, state: str, now: datetime) -> None:
    """Change the state of a locked tournament; raise `WrongTransition` if that is not allowed."""
    states.check(tournament.state, state)
    if states.RUNNING in (tournament.state, state):
        broadcast.running_changed()
    tournament.state = state
    if state == states.RUNNING:
        tournament.started_at = now
    if state in states.OVER:
        # Clocks of processes differ, but no tournament may end before it started.
        tournament.finished_at = max(now, tournament.started_at or now)
    tournament.save(update_fields=["state", "started_at", "finished_at", "secret", "entrant_ids"])
