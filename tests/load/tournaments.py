"""Tournaments played in several processes; racer.py calls these functions by name.

At each table an entrant stays away with the probability `ABSENT`. Matches end by a resignation
after one turn of each side; those of the tournaments `played_out` are played to their end.
"""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db.models import Sum

from accounts.models import User
from config.background import deadlines
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Match
from games.reviews.queue import REVIEWS
from games.services import seats
from games.services.heartbeat import WORKER, find_last_beat
from games.services.next_deadline import BOTS
from games.services.seats import SEATS
from stats.models import RatedMatch
from tests.load.farm import Ahead
from tests.load.race_setup import CREDITS, Fields, newcomer
from tests.tournaments.factories import Table, plan
from tournaments import states
from tournaments.exports.draw_file import check_draw
from tournaments.models import Fixture, TimelineEntry, Tournament
from tournaments.pages.sheet import Sheet
from tournaments.services import announcing, entering
from wallet import reconciliation
from wallet.models import Account, Transfer
from wallet.money import House
from wallet.selectors import funds_of

Event, Cause = TimelineEntry.Event, Fixture.Cause
# The probability that an entrant does not come to a fixture.
ABSENT = 0.1
# Kinds of work that no tournament waits for.
_OTHERS = (BOTS, REVIEWS, SEATS)
# Ids of the matches that `act` has played, or left to the worker.
_handled: set[int] = set()


def create_members(count: int) -> list[int]:
    return [newcomer("m").pk for _ in range(count)]


def announce(
    orders: list[Fields], users: list[int], now: str, starts_in: float, seed: str
) -> list[int]:
    """Announce a tournament for each order and enter members at random; return the ids."""
    moment = datetime.fromisoformat(now)
    return [
        _announce(order, users, moment, starts_in, f"{seed}{n}") for n, order in enumerate(orders)
    ]


def _announce(order: Fields, users: list[int], now: datetime, starts_in: float, seed: str) -> int:
    terms = {name: order[name] for name in order.keys() - {"size"}}
    chosen = random.Random(seed).sample(users, order["size"])
    starts_at = now + timedelta(seconds=starts_in)
    made = announcing.announce(plan(max_entrants=order["size"], **terms), starts_at, now)
    for member in User.objects.filter(pk__in=chosen):
        entering.enter(made.public_id, member, now)
    return made.pk


def act(ahead: str, share: list[int], played_out: list[int]) -> int:
    """Play the open tables that are the share `[remainder, divisor]` of this process.

    These are the fixtures whose id modulo `divisor` is `remainder`. Return their number. Fixtures
    to which an entrant does not come are left to the worker.
    """
    clock = Ahead(Path(ahead))
    remainder, divisor = share
    fixtures = Fixture.objects.filter(finished_at__isnull=True, match__finished_at__isnull=True)
    found = fixtures.exclude(match=None).exclude(match__in=_handled).select_related("match")
    mine = [each for each in found.select_related("round") if each.pk % divisor == remainder]
    for fixture in mine:
        assert fixture.match is not None
        _play(fixture, clock, fixture.round.tournament_id in played_out)
        _handled.add(fixture.match.pk)
    return len(mine)


def _play(fixture: Fixture, clock: Ahead, is_played_out: bool) -> None:
    chance = random.Random(f"{fixture.pk}")
    assert fixture.match is not None
    table = Table(fixture.match, max(clock.now(), fixture.match.created_at))
    here = [side for side in Side if chance.random() >= ABSENT]
    if len(here) < 2:
        for side in here:
            table.join(side)
        return
    table.sit().start_game()
    if is_played_out:
        while table.state.phase is not Phase.FINISHED:
            table.now = clock.now()
            seats.mark_seen(
                [each.holder for each in table.actors.values() if each.holder], table.now
            )
            table.act_simply()
    else:
        table.both_move()
        table.do("resign_match", side=chance.choice(list(Side)))


def due() -> dict[str, str]:
    """Return the next deadline of each kind that tournaments need; a past one if no worker runs."""
    if find_last_beat(WORKER) is None:
        return {WORKER: datetime.min.replace(tzinfo=UTC).isoformat()}
    found = deadlines.read()
    return {kind: at.isoformat() for kind, at in found.items() if kind not in _OTHERS}


def summary(tournaments: list[int]) -> dict[str, Any]:
    """Return the number of fixtures by cause, and the number of matches."""
    fixtures = Fixture.objects.filter(round__tournament__in=tournaments)
    causes = fixtures.order_by().values_list("cause", flat=True)
    counts = {str(cause): list(causes).count(cause) for cause in set(causes)}
    return {"causes": counts, "matches": Match.objects.count()}


def faults(tournaments: list[int], users: list[int]) -> list[str]:
    """Return the faults in tournaments that should all be over, and in the ledger."""
    found = [str(each) for each in reconciliation.reconcile().differences]
    house = Account.objects.filter(kind=Account.Kind.HOUSE, code=House.TOURNAMENTS)
    total = sum(funds_of(user).total for user in users)
    total += house.aggregate(sum=Sum("entries__amount_credits"))["sum"] or 0
    if total != CREDITS * len(users):
        found.append(f"members and house have {total} of {CREDITS * len(users)} credits")
    pots = Account.objects.filter(code__startswith="tournament:").exclude(balance_credits=0)
    found += [f"{pot.code} keeps {pot.balance_credits}" for pot in pots]
    for tournament in Tournament.objects.filter(pk__in=tournaments):
        found += [f"{tournament}: {fault}" for fault in _faults_of(tournament)]
    return found


def _faults_of(tournament: Tournament) -> list[str]:
    if tournament.state != states.FINISHED:
        return [f"is {tournament.state}"]
    found = [*_faults_of_prizes(tournament), *_faults_of_timeline(tournament)]
    checked = check_draw(Sheet(tournament, None, now=tournament.starts_at).draw)
    if not checked.is_over or checked.faults:
        found.append(f"the draw: {checked}")
    played = Fixture.objects.filter(round__tournament=tournament, cause=Cause.PLAYED)
    matches = set(played.values_list("match", flat=True))
    if matches - set(RatedMatch.objects.filter(match__in=matches).values_list("match", flat=True)):
        found.append("a match is not rated")
    return found


def _faults_of_prizes(tournament: Tournament) -> list[str]:
    prizes = list(tournament.prizes.all())
    expected = tournament.prize_of(tournament.fee_credits * len(tournament.entrant_ids))
    if sum(prize.credits for prize in prizes) != expected:
        return [f"{prizes} are not {expected}"]
    paid = Transfer.objects.filter(key=f"tournament_prize:{tournament.public_id}").count()
    if paid != bool(expected) or any(prize.paid_at is None for prize in prizes):
        return [f"paid {paid} times"]
    return []


def _faults_of_timeline(tournament: Tournament) -> list[str]:
    """Compare the timeline's number of each event with the rows; check the milestones' order."""
    events = list(tournament.timeline.order_by("pk").values_list("event", flat=True))
    fixtures = Fixture.objects.filter(round__tournament=tournament)
    paired = fixtures.filter(second__isnull=False).exclude(cause=Cause.WITHDRAWN)
    walkovers = fixtures.filter(cause=Cause.WITHDRAWN, second__isnull=False)
    counts = {event: events.count(event) for event in Event}
    once = dict.fromkeys((Event.ANNOUNCED, Event.DRAWN, Event.FINISHED), 1)
    again = counts[Event.DECIDER] + counts[Event.REPLAY]
    expected = once | {
        Event.PAID: int(tournament.prizes.exists()),
        Event.ENTERED: len(tournament.entrant_ids),
        Event.ROUND_STARTED: tournament.rounds.count(),
        Event.RESULT: paired.count() + walkovers.count(),
        Event.TABLE_OPENED: paired.count() + again,
        Event.DECIDER: fixtures.filter(drawn_match__isnull=False).count(),
    }
    faults = [
        f"{counts[event]} times {event}, not {count}"
        for event, count in expected.items()
        if counts[event] != count
    ]
    milestones = [each for each in events if each in (*once, Event.PAID)]
    if milestones != [each for each in (*once, Event.PAID) if counts[each]]:
        faults.append(f"order {milestones}")
    return faults
