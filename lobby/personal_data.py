"""A member's part of his data export: the games that he announced, and his strikes."""

from typing import Any

from lobby.models import Seek, Strike


def of(user_id: int) -> dict[str, Any]:
    """Oldest first; `match` is the public id of the match that came of it."""
    seeks = Seek.objects.filter(owner_id=user_id).select_related("match")
    strikes = Strike.objects.filter(user_id=user_id).select_related("match")
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
        "strikes": [
            {
                "kind": strike.kind,
                "created_at": strike.created_at,
                "lifted_at": strike.lifted_at,
                "match": strike.match.public_id,
            }
            for strike in strikes.order_by("created_at")
        ],
    }
