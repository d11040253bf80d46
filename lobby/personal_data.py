"""A member's part of the data export: the announced games, and the strikes from games."""

from typing import Any

from games import personal_data as games_part
from lobby.models import Seek


def of(user_id: int) -> dict[str, Any]:
    """Oldest first; `match` is the public id of the match that came of it."""
    seeks = Seek.objects.filter(owner_id=user_id).select_related("match")
    return {
        "announced": [
            {
                "id": seek.public_id,
                "variant": seek.variant,
                "stake_credits": seek.stake_credits,
                "access": seek.access,
                "state": seek.state,
                "created_at": seek.created_at,
                "closed_at": seek.closed_at,
                "match": seek.match.public_id if seek.match else None,
            }
            for seek in seeks.order_by("created_at")
        ],
        "strikes": games_part.strikes_of(user_id),  # here since before games kept them
    }
