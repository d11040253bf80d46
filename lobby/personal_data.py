"""The lobby's part of the data export, with the strikes."""

from typing import Any

from games import personal_data as games_part
from lobby.models import AcceptedTerms, Invitation, Preset, Search, Seek, WishedGame

_ANNOUNCED = ("variant", "stake_credits", "access", "state", "created_at", "closed_at")


def of(user_id: int) -> dict[str, Any]:
    """Return the rows of each kind; `match` is the public id of an announced game's match."""
    return {
        "announced": [
            {"id": id, **dict(zip(_ANNOUNCED, seek, strict=True)), "match": match}
            for id, match, *seek in Seek.objects.filter(owner_id=user_id)
            .order_by("created_at")
            .values_list("public_id", "match__public_id", *_ANNOUNCED)
        ],
        "friendly_links": list(
            Invitation.objects.filter(maker_id=user_id)
            .order_by("created_at")
            .values("public_id", "variant", "state", "created_at", "closed_at", "match__public_id")
        ),
        "friendly_challenges_received": list(
            Invitation.objects.filter(invited_id=user_id)
            .order_by("created_at")
            .values("public_id", "variant", "state", "created_at", "closed_at", "match__public_id")
        ),
        "searches": list(
            Search.objects.filter(user_id=user_id)
            .order_by("created_at")
            .values(
                "variant", "stake_credits", "state", "created_at", "closed_at", "match__public_id"
            )
        ),
        "wished_games": list(
            WishedGame.objects.filter(owner_id=user_id).values(
                "variant",
                "is_friendly",
                "least_stake",
                "most_stake",
                "from_hour",
                "until_hour",
                "created_at",
                "expires_at",
            )
        ),
        "presets": list(
            Preset.objects.filter(owner_id=user_id).values("name", "choices", "created_at")
        ),
        "accepted_terms": list(
            AcceptedTerms.objects.filter(user_id=user_id)
            .order_by("pk")
            .values("accepted_at", "digest")
        ),
        "strikes": games_part.strikes_of(user_id),  # under the name that the export has always had
    }
