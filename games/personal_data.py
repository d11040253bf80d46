"""A user's part of his data export: his matches, and where the file of each is."""

from typing import Any

from django.urls import reverse

from games.models import Seat


def of(user_id: int) -> list[dict[str, Any]]:
    """Oldest first; a match that still runs has no end and no outcome."""
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
            "export": reverse("games:export_json", args=[seat.match.public_id]),
        }
        for seat in seats.order_by("match__created_at")
    ]
