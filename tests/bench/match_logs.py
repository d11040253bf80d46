"""Many finished matches with whole logs, made fast: a few are played, the others are copies.

A copy has other players, its own ids and time of the end; some have a review. Works on every
database, so that the bench and a small test simulate alike.
"""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from accounts.models import User, new_public_id
from accounts.shared.transactions import write_transaction
from games.engine.rules import Rules
from games.models import Action, Game, Match, Review, Seat
from games.signals import match_finished, match_reviewed
from tests.games.factories import StakeMatchFactory
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import reviewed
from tests.wallet.factories import player

# Played matches that the others are copies of.
PLAYED = 12
# One match in REVIEWED has a review.
REVIEWED = 8
CHUNK = 100


def simulate(matches: int, people: int, now: datetime) -> list[Match]:
    """Store so many matches between these people, queued for ratings and counts as if played."""
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
    seats, games, actions, reviews = [], [], [], []
    for number, match in zip(numbers, matches, strict=True):
        original = originals[number % len(originals)]
        step = 1 + number // len(members) % (len(members) - 1)
        pair = [members[number % len(members)], members[(number + step) % len(members)]]
        for seat, user in zip(original.seats.order_by("-side"), pair, strict=True):
            seats.append(Seat(**_fields(seat) | {"match_id": match.pk, "user_id": user.pk}))
        games += [Game(**_fields(each) | {"match_id": match.pk}) for each in original.games.all()]
        actions += [Action(**_fields(each) | {"match_id": match.pk}) for each in _log(original)]
        if number % REVIEWED == 0:
            reviews.append(Review(**_fields(_review(original)) | {"match_id": match.pk}))
    for model, rows in ((Seat, seats), (Game, games), (Action, actions), (Review, reviews)):
        model.objects.bulk_create(rows, batch_size=2000)  # type: ignore[attr-defined]
    return matches


_logs: dict[int, list[Action]] = {}
_reviews: dict[int, Review] = {}


def _log(match: Match) -> list[Action]:
    if match.pk not in _logs:
        _logs[match.pk] = list(match.actions.all())
    return _logs[match.pk]


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
