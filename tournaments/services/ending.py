"""The end of a tournament, and its prizes."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from tournaments import broadcast, states
from tournaments.formats import PlayedRound
from tournaments.models import Entrant, Fixture, Prize, Round, Tournament
from tournaments.selectors import final_standings, staying_in
from tournaments.services import purse, season, timeline
from tournaments.services.due import DueWork
from tournaments.services.locking import lock, move_to
from tournaments.services.timeline import Event

# The kind of deadline of unpaid prizes, as the worker's loop knows it.
PRIZES = "tournament prizes"


def finish(tournament: Tournament, rounds: Sequence[PlayedRound], now: datetime) -> None:
    """End a locked tournament; the worker pays the prize to the first place later.

    Several entrants can share the first place, for example if both finalists were absent, or if no
    tie-break separates them.
    """
    move_to(tournament, states.FINISHED, now)
    _leave_out_both_losers(tournament, now)
    winners = winners_of(tournament, rounds)
    prize = tournament.prize_of(purse.fees_of(tournament))
    share, extra = divmod(prize, len(winners))
    prizes = [
        # Credits that cannot be split go to those who entered first.
        Prize(tournament=tournament, entrant=winner, credits=share + (number < extra), due_at=now)
        for number, winner in enumerate(winners)
        if share + (number < extra)
    ]
    Prize.objects.bulk_create(prizes)
    season.award(tournament, rounds)
    users = [winner.user_id for winner in winners]
    timeline.add(tournament, Event.FINISHED, now, winners=users, prize=prize)
    if prizes:
        deadlines.note(PRIZES, now)


def winners_of(tournament: Tournament, rounds: Sequence[PlayedRound]) -> list[Entrant]:
    """Return the entrants of the first place, in their order of entry.

    Entrants who no longer take part are passed over, unless nobody else remains.
    """
    places = final_standings(tournament, rounds, staying_in([tournament.pk]))
    first = [standing.entrant for standing in places if standing.place == 1]
    return list(Entrant.objects.filter(pk__in=first).order_by("pk"))


def leave_out(
    tournament: Tournament,
    entrant: Entrant,
    now: datetime,
    cause: str,
    ruling: timeline.Ruling | None = None,
) -> None:
    """Note that an entrant of a running tournament no longer takes part."""
    entrant.state, entrant.left_at = Entrant.State.OUT, now
    entrant.save(update_fields=["state", "left_at"])
    timeline.add(tournament, Event.LEFT_OUT, now, ruling, user=entrant.user_id, cause=cause)


def _leave_out_both_losers(tournament: Tournament, now: datetime) -> None:
    """Leave out both finalists of a knock-out if staff decided that both lose and others stay.

    In other formats such a fixture is one lost match among several.
    """
    if tournament.format != Tournament.Format.KNOCKOUT:
        return
    last = Round.objects.filter(tournament=tournament).order_by("-number")[:1]
    lost = Fixture.objects.filter(round=last, cause=Fixture.Cause.STAFF, winner=None)
    losers = {entrant for pair in lost.values_list("first", "second") for entrant in pair}
    if staying_in([tournament.pk]) - losers:
        for entrant in Entrant.objects.filter(pk__in=losers, state=Entrant.State.ENTERED):
            leave_out(tournament, entrant, now, "staff")


def pay(prize_id: int, now: datetime) -> None:
    """Pay all unpaid prizes of this prize's tournament in one transfer. Idempotent."""
    tournament_id = Prize.objects.values_list("tournament", flat=True).get(pk=prize_id)
    with write_transaction():
        tournament = lock(tournament_id)
        due = list(unpaid().filter(tournament=tournament).select_related("entrant"))
        if not due:
            return
        shares = {prize.entrant.user_id: prize.credits for prize in due}
        Prize.objects.filter(pk__in=[prize.pk for prize in due]).update(paid_at=now)
        paid = [[user_id, credits] for user_id, credits in shares.items()]
        timeline.add(tournament, Event.PAID, now, shares=paid)
        purse.pay(tournament, shares, now)
        broadcast.members_changed(shares, tournament.public_id)


def unpaid() -> QuerySet[Prize]:
    return Prize.objects.filter(paid_at__isnull=True, tournament__state=states.FINISHED)


WORK = DueWork(PRIZES, unpaid, "due_at", pay)
