"""A match as a file: everything that another program needs to replay and to check it."""

from typing import Any

from games import frames, selectors
from games.engine.formats import longtext, mat
from games.engine.rules import Variant
from games.engine.view import outcome_view
from games.models import Match

FORMAT = "5stars-gammon-match"
VERSION = 1


def export_of(match: Match) -> dict[str, Any]:
    """The JSON export; the secret of the dice is in it once the match is over."""
    state = match.state
    white, black = state.proof.entropy
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": match.public_id,
        "variant": match.variant,
        "rules": match.rules,
        "seats": {seat.side: seat.to_dict() for seat in match.seats.all()},
        "created_at": frames.iso(match.created_at),
        "actions": [row.data for row in selectors.log_of(match)],
        "dice": {
            "commitment": match.commitment,
            "secret": state.proof.secret,
            "white_entropy": white or "",
            "black_entropy": black or "",
        },
        "result": outcome_view(state.outcome) if state.outcome else None,
    }


def text_of(match: Match) -> str:
    """The match as people read it: `.mat` for short, our own format for long."""
    export = export_of(match)
    return mat.dump(export) if match.variant == Variant.SHORT else longtext.dump(export)
