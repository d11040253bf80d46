"""The tournaments' part of a member's data export."""

from typing import Any

from tournaments.models import Entrant, Tournament


def of(user_id: int) -> dict[str, Any]:
    """Return the tournaments that the member entered, and those they created, the oldest first."""
    entrants = Entrant.objects.filter(user_id=user_id).select_related(
        "tournament", "prize", "season_points"
    )
    created = Tournament.objects.filter(created_by_id=user_id, schedule__isnull=True)
    return {
        "entries": [
            {
                "tournament": entrant.tournament.public_id,
                "name": entrant.tournament.name,
                "fee_credits": entrant.tournament.fee_credits,
                "state": entrant.state,
                "entered_at": entrant.entered_at,
                "left_at": entrant.left_at,
                "prize_credits": entrant.prize.credits if hasattr(entrant, "prize") else 0,
                "season_points": (
                    entrant.season_points.points if hasattr(entrant, "season_points") else 0
                ),
            }
            for entrant in entrants.order_by("pk")
        ],
        "created": list(
            created.order_by("pk").values("public_id", "name", "state", "created_at", "starts_at")
        ),
    }
