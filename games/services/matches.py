"""Creating matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from accounts.gate import writing
from accounts.models import new_public_id
from games.absence import BUDGET_MS
from games.actors import Actor
from games.engine import dice
from games.engine.actions import Commit
from games.engine.rules import Rules
from games.engine.sides import Side
from games.engine.snapshot import SNAPSHOT_VERSION, dumps
from games.engine.state import new_match
from games.models import Match, Seat
from games.paces import Pace
from games.services import stakes
from games.services.refusals import Refused
from games.services.rolling import new_secret
from games.services.sealing import seal
from games.services.table import Table


@dataclass(frozen=True, slots=True)
class Terms:
    """What both sides of a match for credits agreed on."""

    rules: Rules
    stake_credits: int
    rake_credits: int
    is_public: bool = True


def create_training(
    player: Actor,
    rules: Rules,
    side: Side,
    level: str,
    now: datetime,
    pace: str = Pace.QUICK,
) -> Match:
    """A person's match against a bot of the level; the secret of its dice is promised at once."""
    with writing():
        match = _create(Match.Kind.TRAINING, rules, new_secret(), now, bot_pace=pace)
        Seat.objects.create(
            match=match, side=side.value, user_id=player.user_id, guest=player.guest
        )
        Seat.objects.create(match=match, side=side.other.value, bot=level)
        _commit(match, now)
    return match


def create_stake(
    terms: Terms,
    players: Mapping[Side, int],
    hold_ids: Sequence[int],
    now: datetime,
    rematch_of: Match | None = None,
) -> Match:
    """A match between two members (user ids by side) whose stakes are held already.

    For the transaction of whoever brought them together. Raises `Refused("busy")` when one of
    them has a live match for credits, and the wallet's errors.
    """
    match = _create(
        Match.Kind.STAKE,
        terms.rules,
        new_secret(),
        now,
        stake_credits=terms.stake_credits,
        rake_credits=terms.rake_credits,
        is_public=terms.is_public,
        **_series(rematch_of),
    )
    try:
        with transaction.atomic():
            for side, user_id in players.items():
                Seat.objects.create(
                    match=match,
                    side=side.value,
                    user_id=user_id,
                    is_live_stake=True,
                    is_absent=True,
                    absence_left_ms=BUDGET_MS,
                    absence_at=now,
                )
    except IntegrityError as error:
        raise Refused("busy") from error
    _commit(match, now)
    stakes.gather(match, list(hold_ids), now)
    return match


def _series(old: Match | None) -> dict[str, Any]:
    """What a rematch goes on from; colors are swapped."""
    if old is None:
        return {}
    won = old.series
    return {
        "rematch_of": old,
        "series_white": won[Side.BLACK],
        "series_black": won[Side.WHITE],
    }


def _create(kind: str, rules: Rules, secret: bytes, now: datetime, **fields: Any) -> Match:
    state = new_match(rules)
    return Match.objects.create(
        public_id=new_public_id(),
        kind=kind,
        variant=rules.variant.value,
        rules=rules.to_dict(),
        rules_version=rules.version,
        snapshot=dumps(state),
        snapshot_version=SNAPSHOT_VERSION,
        phase=state.phase.value,
        commitment=dice.commitment(secret),
        sealed_secret=seal(secret),
        created_at=now,
        **fields,
    )


def _commit(match: Match, now: datetime) -> None:
    """The secret of the dice is promised before anybody can have said anything."""
    table = Table.of(match, now)
    table.act(lambda at: Commit(at_ms=at, hash=match.commitment))
    table.save()
