"""A match as a file: everything that another program needs to replay and to check it."""

from typing import Any

from games import frames, selectors
from games.engine.export import to_export
from games.engine.formats import longtext, mat
from games.engine.rules import Variant
from games.models import Match


def export_of(match: Match) -> dict[str, Any]:
    """The JSON export; the secret of the dice is in it once the match is over."""
    return to_export(
        match_id=match.public_id,
        rules=match.match_rules,
        seats={seat.side: seat.to_dict() for seat in match.seats.all()},
        created_at=frames.iso(match.created_at),
        actions=[row.engine_action for row in selectors.log_of(match)],
    )


def text_of(match: Match) -> str:
    """The match as people read it: `.mat` for short, our own format for long."""
    export = export_of(match)
    return mat.dump(export) if match.variant == Variant.SHORT else longtext.dump(export)
