"""This app's part of a user's data export: matches, strikes, and results of the lessons.

Each match comes with the address of its file.
"""

from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse

from games.models import CountedMatch, LessonResult, Seat, Strike

_RESULT = ("created_at", "finished_at", "outcome", "winner")


def of(user_id: int) -> list[dict[str, Any]]:
    """Return the user's matches, oldest first; a running match has no end and no outcome."""
    counted = CountedMatch.objects.filter(user_id=user_id)
    # Columns only: the snapshots of thousands of matches would fill the memory.
    seats = Seat.objects.filter(user_id=user_id).values(
        "side",
        *(f"match__{name}" for name in ("public_id", "kind", "variant", *_RESULT)),
        counts_for_newcomers=Exists(counted.filter(match=OuterRef("match"))),
    )
    return [
        {
            "id": seat["match__public_id"],
            "kind": seat["match__kind"],
            "variant": seat["match__variant"],
            "side": seat["side"],
            **{name: seat[f"match__{name}"] for name in _RESULT},
            "counts_for_newcomers": seat["counts_for_newcomers"],
            "export": reverse("games:export_json", args=[seat["match__public_id"]]),
        }
        for seat in seats.order_by("match__created_at")
    ]


def strikes_of(user_id: int) -> list[dict[str, Any]]:
    """Return the user's strikes, oldest first; `match` is the public id of the match."""
    names = ("kind", "created_at", "lifted_at")
    strikes = Strike.objects.filter(user_id=user_id).order_by("created_at")
    found = strikes.values_list("match__public_id", *names)
    return [{**dict(zip(names, strike, strict=True)), "match": match} for match, *strike in found]


def lessons_of(user_id: int) -> list[dict[str, Any]]:
    results = LessonResult.objects.filter(user_id=user_id).order_by("pk")
    return [dict(each) for each in results.values("variant", "exercise", "stars", "tries")]
