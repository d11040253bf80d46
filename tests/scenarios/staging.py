"""Arrange and query a site that runs in its own process.

`stage` and `report` print a line of JSON. To call one:

    python manage.py shell -c "from tests.scenarios import staging; staging.stage()"
"""

import json
import sys
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Heartbeat, Match
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.accounts.factories import session_key
from tests.lobby.factories import announcement
from tests.wallet.factories import player
from wallet.selectors import funds_of


def stage() -> None:
    """Create a match for 100 credits, and announce a game for 50 by a third member."""
    white, black, third = (player(name) for name in ("white5", "black5", "third5"))
    now = timezone.now()
    seek = announcing.announce(white, announcement(stake=100, length=3), now)
    match = joining.join(seek.public_id, black, now)
    kept = announcing.announce(third, announcement(stake=50), now)
    # The test takes longer than an announcement usually lasts.
    Seek.objects.filter(public_id=kept.public_id).update(expires_at=now + timedelta(hours=2))
    print_json(match=match.public_id, keys=[session_key(user) for user in (white, black)])


def report() -> None:
    """Print the outcome, the state of the announcement, and [total, reserved] of each member."""
    match, seek = Match.objects.get(), Seek.objects.get(owner__username="third5")
    users = [*(seat.user for seat in match.seats.order_by("id")), seek.owner]
    funds = [funds_of(user.pk) for user in users]
    print_json(
        outcome=match.outcome,
        announcement=seek.state,
        funds=[[one.total, one.reserved] for one in funds],
    )


def let_time_pass() -> None:
    """Set stored times back, so that the outage voids the match and the announcement expires."""
    for beat in Heartbeat.objects.all():
        beat.beat_at -= timedelta(minutes=6)
        beat.save()
    Seek.objects.filter(state=Seek.State.OPEN).update(expires_at=timezone.now())


def print_json(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
