"""The tournaments' part of a member's data export."""

from typing import Any

from tournaments.models import Entrant, Tournament


def of(user_id: int) -> dict[str, Any]:
    """Return the entries and the tournaments that the member created, the oldest first."""
    entries = Entrant.objects.filter(user_id=user_id).select_related(
        "tournament", "prize", "season_points"
    )
    created = Tournament.objects.filter(created_by_id=user_id, schedule__isnull=True)
    return {
        "entries": [
            {
                "tournament": entry.tournament.public_id,
                "name": entry.tournament.name,
                "fee_credits": entry.tournament.fee_credits,
                "state": entry.state,
                "entered_at": entry.entered_at,
                "left_at": entry.left_at,
                "prize_credits": entry.prize.credits if hasattr(entry, "prize") else 0,
                "season_points": (
                    entry.season_points.points if hasattr(entry, "season_points") else 0
                ),
            }
            for entry in entries.order_by("pk")
        ],
        "created": list(
            created.order_by("pk").values("public_id", "name", "state", "created_at", "starts_at")
        ),
    }
