"""Read the next deadline of every kind of work in one query."""

from datetime import datetime

from django.db.models import Subquery

from accounts.notices import services as notices
from games.bots import driver
from games.models import Heartbeat
from games.reviews import queue
from games.services import deadlines, heartbeat, seats
from games.services.next_deadline import BOTS, MATCHES
from lobby.services import expiry, pairs, wish_matching, wishing
from stats.services import counting, rating, reviewed
from tournaments.services import work as tournaments_work
from wallet.services import payments


def read() -> dict[str, datetime]:
    """Return the next deadline of each kind that has one; it may be in the past.

    The query selects the subqueries from the worker's heartbeat: without that row it finds nothing.
    """
    waiting = {
        MATCHES: deadlines.waiting().values("wake_at"),
        BOTS: driver.waiting().values("wake_at"),
        seats.SEATS: seats.held().values("seen_at"),
        queue.REVIEWS: queue.leasable(),
        expiry.SEEKS: expiry.expiring().values("due_at"),
        notices.NOTICES: notices.waiting().values("due_at"),
        payments.PAYMENTS: payments.waiting().values("created_at"),
        pairs.SEARCHES: pairs.waiting().values("next_try_at"),
        wishing.WISHES: wish_matching.waiting().values("created_at"),
        counting.SEAT_COUNTS: counting.waiting().values("finished_at"),
        reviewed.REVIEW_COUNTS: reviewed.waiting().values("reviewed_at"),
        rating.RATINGS: rating.waiting().values("finished_at"),
        **{work.kind: work.waiting() for work in tournaments_work.ALL},
    }
    firsts = [Subquery(rows[:1]) for rows in waiting.values()]
    row = Heartbeat.objects.filter(name=heartbeat.WORKER).values_list(*firsts).first()
    found = dict(zip(waiting, row or (), strict=False))
    if found.get(seats.SEATS):
        found[seats.SEATS] += seats.SILENCE
    return {kind: at for kind, at in found.items() if at is not None}
