"""A user's part of the data export: matches, with the address of each one's file, and strikes."""

from typing import Any

from django.urls import reverse

from games.models import CountedMatch, Seat, Strike


def of(user_id: int) -> list[dict[str, Any]]:
    """Return the user's matches, oldest first; one that still runs has no end and no outcome."""
    counted = set(CountedMatch.objects.filter(user_id=user_id).values_list("match_id", flat=True))
    seats = Seat.objects.filter(user_id=user_id).select_related("match")
    return [
        {
            "id": seat.match.public_id,
            "kind": seat.match.kind,
            "variant": seat.match.variant,
            "side": seat.side,
            "created_at": seat.match.created_at,
            "finished_at": seat.match.finished_at,
            "outcome": seat.match.outcome,
            "winner": seat.match.winner,
            "counts_for_newcomers": seat.match_id in counted,
            "export": reverse("games:export_json", args=[seat.match.public_id]),
        }
        for seat in seats.order_by("match__created_at")
    ]


def strikes_of(user_id: int) -> list[dict[str, Any]]:
    """Oldest first; `match` is the match's public id."""
    strikes = Strike.objects.filter(user_id=user_id).select_related("match")
    return [
        {
            "kind": strike.kind,
            "created_at": strike.created_at,
            "lifted_at": strike.lifted_at,
            "match": strike.match.public_id,
        }
        for strike in strikes.order_by("created_at")
    ]
