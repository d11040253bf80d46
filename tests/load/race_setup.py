"""Set up members and matches for races and deadlines in several processes, and check credits.

`Fields` are sent as JSON: they describe to the other processes what one process has set up.
"""

import hashlib
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Sum

from accounts.models import User
from accounts.shared.refusals import Refused
from games.engine.match.apply import fold
from games.engine.match.snapshot import dumps
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.protocol.incoming import Command
from games.services import actions, seats
from lobby.services import announcing, joining
from tests.lobby.factories import announcement
from tests.wallet.factories import player
from wallet.models import Account, Entry, Hold
from wallet.selectors import funds_of

CREDITS = 1000  # of each new member
STAKE = 100
RAKE = STAKE // 10
ENTROPY = b"x" * 16
Fields = dict[str, Any]


def newcomer(role: str) -> User:
    return player(f"{role}{uuid4().hex[:12]}", CREDITS)


def attempt(do: Any, *args: Any, **more: Any) -> str:
    """Call the service; return "" on success, else the code of the refusal."""
    try:
        do(*args, **more)
    except Refused as refusal:
        return refusal.code
    return ""


def funds(*user_ids: int) -> list[int]:
    return [funds_of(user_id).total for user_id in user_ids]


def reserved(*user_ids: int) -> int:
    return sum(funds_of(user_id).reserved for user_id in user_ids)


def pot_of(public_id: str) -> int:
    return Account.objects.get(code=f"match:{public_id}").balance_credits


def new_match(now: datetime, **terms: Any) -> Fields:
    """Create a match of two newcomers; neither has taken their seat yet."""
    white, black = newcomer("white"), newcomer("black")
    seek = announcing.announce(white, announcement(stake=STAKE, **terms), now)
    match = joining.join(seek.public_id, black, now)
    return {
        "match": match.public_id,
        "users": [white.pk, black.pk],
        "holders": [str(uuid4()) for _ in Side],
    }


def start(fields: Fields, now: datetime) -> Fields:
    """Seat both sides and send their entropy, so that the first game begins."""
    for side in Side:
        actor = actor_of(fields, side)
        assert actor.holder is not None
        seats.take(fields["match"], actor, actor.holder, now)
    for side in Side:
        submit(fields, side, "entropy_hash", now, hash=hashlib.sha256(ENTROPY).hexdigest())
    for side in Side:
        submit(fields, side, "entropy", now, entropy=ENTROPY.hex())
    return fields


def actor_of(fields: Fields, side: Side) -> Actor:
    number = list(Side).index(side)
    return Actor(user_id=fields["users"][number], holder=UUID(fields["holders"][number]))


def find_match(fields: Fields) -> Match:
    return Match.objects.get(public_id=fields["match"])


def submit(fields: Fields, side: Side, t: str, now: datetime, **more: Any) -> None:
    match = find_match(fields)
    command = Command(t, uuid4(), match.seq, more)
    actions.submit(match.public_id, actor_of(fields, side), command, now)


def check_match(fields: Fields) -> Match:
    """Check that the log folds to the snapshot; check the holds, the pot and the funds."""
    match = find_match(fields)
    log = [row.engine_action for row in match.actions.order_by("seq")]
    assert dumps(fold(match.match_rules, log)) == match.snapshot
    assert reserved(*fields["users"]) == 0
    if not match.is_finished:
        assert pot_of(match.public_id) == 2 * STAKE
        assert funds(*fields["users"]) == [CREDITS - STAKE] * 2
        return match
    assert pot_of(match.public_id) == 0
    won, lost = CREDITS + STAKE - RAKE, CREDITS - STAKE
    ends = [won if side.value == match.winner else lost for side in Side]
    assert funds(*fields["users"]) == (ends if match.winner else [CREDITS] * 2)
    assert not match.seats.filter(is_live_stake=True).exists()
    return match


def faults_of_books() -> list[str]:
    """Describe a nonzero sum of all entries, and balances and holds of accounts that are wrong.

    House accounts keep no balance, so they are left out.
    """
    faults = []
    total = Entry.objects.aggregate(sum=Sum("amount_credits"))["sum"] or 0
    if total:
        faults.append(f"all entries sum to {total}")
    moved = dict(Entry.objects.values_list("account").annotate(Sum("amount_credits")))
    held = dict(
        Hold.objects.filter(state=Hold.State.OPEN)
        .values_list("account")
        .annotate(Sum("amount_credits"))
    )
    for account in Account.objects.exclude(kind=Account.Kind.HOUSE):
        if account.balance_credits != moved.get(account.pk, 0):
            faults.append(f"{account}: {account.balance_credits} is not {moved.get(account.pk, 0)}")
        if account.held_credits != held.get(account.pk, 0):
            faults.append(f"{account}: {account.held_credits} is not held")
    return faults
