"""Creating matches."""

from datetime import datetime

from accounts.gate import writing
from accounts.models import new_public_id
from games.actors import Actor
from games.engine import dice
from games.engine.actions import Commit
from games.engine.rules import Rules
from games.engine.sides import Side
from games.engine.snapshot import SNAPSHOT_VERSION, dumps
from games.engine.state import new_match
from games.models import Match, Seat
from games.services.rolling import new_secret
from games.services.sealing import seal
from games.services.table import Table


def create_training(player: Actor, rules: Rules, side: Side, level: str, now: datetime) -> Match:
    """A person's match against a bot of the level; the secret of its dice is promised at once."""
    secret = new_secret()
    state = new_match(rules)
    with writing():
        match = Match.objects.create(
            public_id=new_public_id(),
            kind=Match.Kind.TRAINING,
            variant=rules.variant.value,
            rules=rules.to_dict(),
            rules_version=rules.version,
            snapshot=dumps(state),
            snapshot_version=SNAPSHOT_VERSION,
            phase=state.phase.value,
            commitment=dice.commitment(secret),
            sealed_secret=seal(secret),
            created_at=now,
        )
        Seat.objects.create(
            match=match, side=side.value, user_id=player.user_id, guest=player.guest
        )
        Seat.objects.create(match=match, side=side.other.value, bot=level)
        table = Table.of(match, now)
        table.act(lambda at: Commit(at_ms=at, hash=match.commitment))
        table.save()
    return match
