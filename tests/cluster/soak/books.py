"""Arrange and check the matches of a soak, beside the site's processes and their faults.

`tests.load.racer` calls these functions by name; their results are JSON. Each function opens a new
connection, since a fault may have restarted PostgreSQL.
"""

import random
from collections import Counter
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Count, Q

from accounts.shared.database_clock import CLOCK
from accounts.shared.transactions import write_transaction
from chat.models import Message
from games.engine.match.public_view import public_view
from games.engine.match.state import MatchCause
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.models.kind import TOURNAMENT
from games.services import matches
from shop.models import OwnedGood
from tests.accounts.factories import session_key
from tests.games.factories import StakeMatchFactory
from tests.load import tournaments as tournament_load
from tests.load.race_setup import newcomer
from tests.tournaments.factories import plan
from tournaments import states
from tournaments.models import Entrant, Tournament
from tournaments.services import announcing

ENTRANTS = 8
TOURNAMENTS = (
    {"format": "KNOCKOUT", "fee_credits": 20, "variant": "short"},
    {"format": "SWISS", "fee_credits": 15, "variant": "long", "house_percent": 10},
    {"format": "ROUND_ROBIN", "fee_credits": 0, "variant": "short"},
)


def _reconnect() -> None:
    connection.close()
    connection.close_pool()  # the pool's connections may have ended, too


def fill(target: int, most: int) -> None:
    """Create matches until `target` are in play, but at most `most` new ones."""
    _reconnect()
    missing = target - Match.objects.filter(finished_at__isnull=True).count()
    for _ in range(min(most, missing)):
        _new_match(random.choice(["stake", "stake", "friendly", "training"]))


def _new_match(kind: str) -> None:
    variant, now = random.choice(["short", "long"]), CLOCK.now()
    rules = Rules.of(variant, length=1, delay_ms=60_000)
    white, black = newcomer("w"), newcomer("b")
    if kind == "stake":
        StakeMatchFactory(white=white, black=black, rules=rules, now=now)
    elif kind == "friendly":
        players = {Side.WHITE: Actor(user_id=white.pk), Side.BLACK: Actor(user_id=black.pk)}
        with write_transaction():
            matches.create_friendly(rules, players, now, is_public=True)
    else:
        matches.create_training(Actor(user_id=white.pk), rules, Side.WHITE, "casual", now)


def announce(number: int, starts_in_s: float) -> dict[str, Any]:
    """Announce a tournament; return its id and sessions of members who play in no other match."""
    _reconnect()
    now = CLOCK.now()
    planned = plan(max_entrants=ENTRANTS, **TOURNAMENTS[number % len(TOURNAMENTS)])
    made = announcing.announce(planned, now + timedelta(seconds=starts_in_s), now)
    entrants = [session_key(newcomer("m")) for _ in range(ENTRANTS)]
    return {"tournament": made.public_id, "entrants": entrants}


def new_tables(known: list[str]) -> list[dict[str, Any]]:
    """Return the matches in play apart from the known ones, with a session for each member."""
    _reconnect()
    in_play = Match.objects.filter(finished_at__isnull=True).exclude(public_id__in=known)
    found = list(in_play.prefetch_related("seats"))  # read once: matches begin meanwhile
    users = get_user_model().objects.in_bulk(
        [seat.user_id for match in found for seat in match.seats.all() if seat.user_id]
    )
    return [
        {
            "match": match.public_id,
            "is_public": match.is_public,
            # `tournament_load.faults` expects that entrants spend credits on tournaments only.
            "may_buy": match.kind != TOURNAMENT.code,
            "members": [
                [session_key(users[seat.user_id]), users[seat.user_id].public_id]
                for seat in match.seats.all()
                if seat.user_id
            ],
        }
        for match in found
    ]


def guest_session() -> str:
    _reconnect()
    return session_key()


def views(sample: int) -> dict[str, Any]:
    """Return the seq of each match in play, and for `sample` of them the public view, else None."""
    _reconnect()
    in_play = Match.objects.filter(finished_at__isnull=True)
    found: dict[str, Any] = {
        public_id: [seq, None] for public_id, seq in in_play.values_list("public_id", "seq")
    }
    for match in in_play.order_by("?")[:sample]:
        found[match.public_id] = [match.seq, public_view(match.state, match.state.at_ms)]
    return found


def unfinished() -> int:
    _reconnect()
    waiting = Tournament.objects.exclude(state__in=states.OVER)
    return Match.objects.filter(finished_at__isnull=True).count() + waiting.count()


def judge() -> dict[str, Any]:
    """Return counts of what was played, and the failures of tournaments."""
    _reconnect()
    ended = Q(finished_at__isnull=False)
    kinds = Match.objects.order_by().values_list("kind").annotate(ended=Count("pk", filter=ended))
    tournaments = list(Tournament.objects.all())
    entrants = sorted(set(Entrant.objects.values_list("user", flat=True)))
    day_ago = CLOCK.now() - timedelta(days=1)
    return {
        "matches": dict(kinds),
        "unfinished": Match.objects.filter(finished_at__isnull=True).count(),
        "lost by time": Match.objects.filter(outcome=MatchCause.FLAG.value).count(),
        "without a winner": Match.objects.filter(ended, winner="").count(),
        "actions": sum(Match.objects.filter(created_at__gt=day_ago).values_list("seq", flat=True)),
        "tournaments": dict(Counter(each.state for each in tournaments)),
        "entrants": len(entrants),
        "looks bought": OwnedGood.objects.count(),
        "messages": Message.objects.count(),
        "failures": tournament_load.faults([each.pk for each in tournaments], entrants),
    }
