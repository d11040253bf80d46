"""Withdraw members who close their account, take a break or are banned.

Only a ban takes them out of running tournaments too.
"""

from datetime import datetime

from accounts.shared.transactions import write_transaction
from tournaments import states
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.services import forfeits
from tournaments.services.entering import entered, take_back


def withdraw_everywhere(user_id: int, now: datetime) -> None:
    """Withdraw a member from every tournament that has not started; give every fee back."""
    with write_transaction():
        for tournament in lock_all(user_id):
            if tournament.state == states.ANNOUNCED:
                take_back(tournament, entered(tournament).filter(user_id=user_id), now)


def exclude_banned(user_id: int, now: datetime) -> None:
    """Take a banned member out of every running tournament; they lose their open fixtures.

    Locks all tournaments of the member first, then matches and fixtures, but no wallet account:
    later in the same transaction, `withdraw_everywhere` gives back the fees of the tournaments
    that have not started.
    """
    with write_transaction():
        for tournament in lock_all(user_id):
            entrant = entered(tournament).filter(user_id=user_id).first()
            if tournament.state == states.RUNNING and entrant is not None:
                cause = Fixture.Cause.WITHDRAWN
                forfeits.exclude(tournament, entrant, now, "banned", cause)


def lock_all(user_id: int) -> list[Tournament]:
    """Lock a member's announced and running tournaments, in ascending order of id."""
    entrants = Entrant.objects.filter(user_id=user_id, state=Entrant.State.ENTERED)
    alive = entrants.filter(tournament__state__in=(states.ANNOUNCED, states.RUNNING))
    ids = list(alive.values_list("tournament", flat=True))
    rows = Tournament.objects.select_for_update(no_key=True).filter(pk__in=ids)
    return list(rows.order_by("pk"))
