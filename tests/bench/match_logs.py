"""Create many finished matches with complete logs quickly: play a few and copy them.

Copies differ in players, ids and end times; some have a review. The module works on every
database, so that a benchmark and a small test can use it.
"""

from collections import defaultdict
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from django.db import connection
from django.db.models import Model

from accounts.models import User, new_public_id
from accounts.shared.transactions import write_transaction
from games.engine.rules import Rules
from games.models import Action, Game, Match, Review, Seat
from games.signals import match_finished, match_reviewed
from tests.games.factories import StakeMatchFactory
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import reviewed
from tests.wallet.factories import player

# Number of matches that are really played, each by two members who play no other match.
PLAYED = 12
# One match in REVIEWED has a review.
REVIEWED = 8
CHUNK = 100


def simulate(matches: int, people: int, now: datetime) -> list[Match]:
    """Store this many copies between new members, and queue them for ratings and counts."""
    members = [player(f"sim{number}", credits=0) for number in range(people)]
    originals = [_play(number) for number in range(min(PLAYED, matches))]
    made: list[Match] = []
    for start in range(0, matches, CHUNK):
        numbers = range(start, min(start + CHUNK, matches))
        made += _copies(originals, members, numbers, now)
    for match in made:
        with write_transaction():
            match_finished.send(None, match_id=match.pk)
    for match_id in Review.objects.values_list("match_id", flat=True):
        with write_transaction():
            match_reviewed.send(None, match_id=match_id)
    return made


def _play(number: int) -> Match:
    rules = Rules.of(("short", "long")[number % 2], length=(1, 1, 3)[number % 3], delay_ms=20_000)
    pair = [player(f"orig{number}{side}", credits=1000) for side in ("w", "b")]
    return play_out(StakeMatchFactory(white=pair[0], black=pair[1], rules=rules))


def _copies(
    originals: list[Match], members: list[User], numbers: range, now: datetime
) -> list[Match]:
    matches = Match.objects.bulk_create(
        Match(
            **_fields(originals[number % len(originals)])
            | {"public_id": new_public_id(), "finished_at": now - timedelta(minutes=5 * number)}
        )
        for number in numbers
    )
    seats, reviews = [], []
    copies: dict[int, list[int]] = defaultdict(list)
    for number, match in zip(numbers, matches, strict=True):
        original = originals[number % len(originals)]
        step = 1 + number // len(members) % (len(members) - 1)
        pair = [members[number % len(members)], members[(number + step) % len(members)]]
        for seat, user in zip(original.seats.order_by("-side"), pair, strict=True):
            seats.append(Seat(**_fields(seat) | {"match_id": match.pk, "user_id": user.pk}))
        copies[original.pk].append(match.pk)
        if number % REVIEWED == 0:
            reviews.append(Review(**_fields(_review(original)) | {"match_id": match.pk}))
    Seat.objects.bulk_create(seats)
    Review.objects.bulk_create(reviews)
    for original_id, copy_ids in copies.items():
        _copy_rows(Game, original_id, copy_ids)
        _copy_rows(Action, original_id, copy_ids)
    return matches


def _copy_rows(model: type[Model], original_id: int, copy_ids: list[int]) -> None:
    """Copy a match's rows to all its copies in one statement: a match has hundreds of actions."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(field.column for field in fields)
    values = ", ".join(
        "copy.id" if field.column == "match_id" else f"row.{field.column}" for field in fields
    )
    marks = ", ".join(["%s"] * len(copy_ids))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({columns}) SELECT {values}"
            f" FROM {model._meta.db_table} AS row, {Match._meta.db_table} AS copy"
            f" WHERE row.match_id = %s AND copy.id IN ({marks})",
            [original_id, *copy_ids],
        )


_reviews: dict[int, Review] = {}


def _review(match: Match) -> Review:
    if match.pk not in _reviews:
        _reviews[match.pk] = reviewed(SimpleNamespace(match=match))  # type: ignore[arg-type]
    return _reviews[match.pk]


def _fields(row: Any) -> dict[str, Any]:
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
