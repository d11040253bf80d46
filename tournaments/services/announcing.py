"""Announce a tournament; take members' proposals of one, and answer them."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from accounts.people.locks import lock_people
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.conduct.record import suspension_of
from games.engine.rules import Rules
from games.services.dice import seal
from tournaments import broadcast, states
from tournaments.draw import commitment, new_secret
from tournaments.models import (
    MAX_COMPUTERS,
    MAX_ENTRANTS,
    MAX_FEE,
    MAX_HOUSE_PERCENT,
    MAX_PRIZE,
    MAX_ROUND_ROBIN,
    Schedule,
    Tournament,
)
from tournaments.services import computers, timeline
from tournaments.services.locking import lock, move_to
from tournaments.services.timeline import Event, Ruling

# The kind of deadline of announced tournaments, as the worker's loop knows it.
STARTS = "tournament starts"
# Time from one start to the next in a schedule that repeats OFTEN.
OFTEN_EVERY = timedelta(minutes=10)
ROUND_ROBINS = (Tournament.Format.ROUND_ROBIN, Tournament.Format.DOUBLE_ROUND_ROBIN)
# Bounds of the time from a proposal to its start, in which staff decide and entrants enter.
PROPOSED_BEFORE = timedelta(hours=2)
PROPOSED_UNTIL = timedelta(days=30)
# Maximum number of a member's unanswered proposals whose start is still to come.
MOST_PROPOSED = 1
# Maximum number of a member's proposals within PROPOSED_WITHIN. Proposals taken back count too,
# since each stores rows for good.
MOST_PROPOSED_IN_ALL, PROPOSED_WITHIN = 5, timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """The terms of a tournament; see the fields of `Terms`."""

    name: str
    format: str
    rules: Rules
    fee_credits: int = 0
    prize_credits: int | None = None
    house_percent: int = 0
    min_entrants: int = 4
    max_entrants: int = 64
    extend_minutes: int | None = None
    computer_entrants: int = 0


def announce(
    plan: Plan,
    starts_at: datetime,
    now: datetime,
    by_id: int | None = None,
    schedule: Schedule | None = None,
) -> Tournament:
    """Announce a tournament and commit to its draw.

    Raises Refused: `too_late` if the start has passed, and the codes of `check`.
    """
    check(plan)
    if starts_at <= now:
        raise Refused("too_late")
    with write_transaction():
        made = _create(plan, states.ANNOUNCED, starts_at, now, by_id, schedule)
        timeline.add(made, Event.ANNOUNCED, now, starts_at=starts_at.isoformat())
        computers.enter(made, now)
        deadlines.note(STARTS, starts_at)
        broadcast.lists_changed()
    return made


def propose(plan: Plan, starts_at: datetime, member: User, now: datetime) -> Tournament:
    """Propose a tournament without fee and prize, for staff to approve.

    Raises Refused: `not_member`, `paused`, `too_late`, `too_early`, `too_many`, `too_often`,
    `terms` for a fee, a prize or computer opponents, and the codes of `check`.
    """
    if not member.is_member:
        raise Refused("not_member")
    if suspension_of(member.pk, now) is not None:
        raise Refused("paused")
    check(plan)
    if plan.fee_credits or plan.prize_credits or plan.computer_entrants:
        raise Refused("terms")
    if starts_at < now + PROPOSED_BEFORE:
        raise Refused("too_late")
    if starts_at > now + PROPOSED_UNTIL:
        raise Refused("too_early")
    with write_transaction():
        lock_people(member.pk)
        own = Tournament.objects.filter(created_by=member, timeline__event=Event.PROPOSED)
        if own.filter(state=states.PROPOSED, starts_at__gt=now).count() >= MOST_PROPOSED:
            raise Refused("too_many")
        if own.filter(created_at__gt=now - PROPOSED_WITHIN).count() >= MOST_PROPOSED_IN_ALL:
            raise Refused("too_often")
        made = _create(plan, states.PROPOSED, starts_at, now, member.pk, None)
        timeline.add(made, Event.PROPOSED, now, user=member.pk)
    return made


def is_proposed(plan: Plan, starts_at: datetime, member: User) -> bool:
    """Return whether a proposal of the member on these terms waits for an answer."""
    waiting = Tournament.objects.filter(created_by=member, state=states.PROPOSED)
    return any(
        all(getattr(each, name) == value for name, value in _terms_of(plan).items())
        for each in waiting.filter(starts_at=starts_at)
    )


def approve(tournament_id: int, ruling: Ruling, now: datetime) -> bool:
    """Announce a proposed tournament.

    Return False if it is not a proposal, or its start has passed.
    """
    with write_transaction():
        found = lock(tournament_id)
        if found.state != states.PROPOSED or found.starts_at <= now:
            return False
        move_to(found, states.ANNOUNCED, now)
        timeline.add(found, Event.ANNOUNCED, now, ruling, starts_at=found.starts_at.isoformat())
        deadlines.note(STARTS, found.starts_at)
        broadcast.lists_changed()
    return True


def reject(tournament_id: int, ruling: Ruling, now: datetime) -> bool:
    with write_transaction():
        return _reject(lock(tournament_id), ruling, now)


def take_proposal_back(public_id: str, member: User, now: datetime) -> bool:
    """Reject a proposal for the member who made it.

    Return False if it is answered already, unknown, or another member's.
    """
    own = Tournament.objects.filter(public_id=public_id, created_by=member)
    tournament_id = own.values_list("pk", flat=True).first()
    if tournament_id is None:
        return False
    with write_transaction():
        return _reject(lock(tournament_id), None, now)


def _reject(found: Tournament, ruling: Ruling | None, now: datetime) -> bool:
    if found.state != states.PROPOSED:
        return False
    move_to(found, states.REJECTED, now)
    timeline.add(found, Event.REJECTED, now, ruling)
    return True


def check(plan: Plan) -> None:
    """Check the terms of a tournament.

    Raises Refused: `round_robin` if it allows too many entrants for that format, `terms` for any
    other fault.
    """
    if plan.format in ROUND_ROBINS and plan.max_entrants > MAX_ROUND_ROBIN:
        raise Refused("round_robin")
    has_size = 2 <= plan.min_entrants <= plan.max_entrants <= MAX_ENTRANTS
    has_clock = plan.rules.delay_ms is not None and plan.rules.length is not None
    has_prize = _has_valid_prize(plan)
    has_fee = 0 <= plan.fee_credits <= MAX_FEE and 0 <= plan.house_percent <= MAX_HOUSE_PERCENT
    has_computers = _has_valid_computers(plan)
    has_terms = has_size and has_clock and has_prize and has_fee and has_computers
    if not (plan.name.strip() and has_terms):
        raise Refused("terms")


def _has_valid_prize(plan: Plan) -> bool:
    fixed = plan.prize_credits
    if fixed is None:
        return True
    if fixed == 0 and plan.fee_credits:
        return False  # a fee requires a prize
    return 0 <= fixed <= MAX_PRIZE and not plan.house_percent


def _has_valid_computers(plan: Plan) -> bool:
    """Return whether there are few enough computer opponents, and no credits to win from them."""
    is_free = not plan.fee_credits and not plan.prize_credits
    most = min(MAX_COMPUTERS, plan.max_entrants - 1)
    return 0 <= plan.computer_entrants <= most and (is_free or not plan.computer_entrants)


def _terms_of(plan: Plan) -> dict[str, Any]:
    return asdict(plan) | {"rules": plan.rules.to_dict(), "variant": plan.rules.variant.value}


def _create(
    plan: Plan,
    state: str,
    starts_at: datetime,
    now: datetime,
    by_id: int | None,
    schedule: Schedule | None,
) -> Tournament:
    secret = new_secret()
    return Tournament.objects.create(
        **_terms_of(plan),
        state=state,
        starts_at=starts_at,
        commitment=commitment(secret),
        sealed_secret=seal(secret),
        schedule=schedule,
        created_by_id=by_id,
        created_at=now,
    )
