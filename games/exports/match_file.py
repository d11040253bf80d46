"""A match as a file: all that another program needs to replay and check it."""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from games import selectors
from games.engine.formats import long_text, mat
from games.engine.formats.json_export import to_export
from games.engine.rules import Variant
from games.models import Match, Review
from games.protocol import outgoing
from games.reviews.comments import comments_of


def export_of(match: Match) -> dict[str, Any]:
    """Return the JSON export, with the secret of the dice once the match is over.

    Adds to `to_export` the `review`, when there is one: `{"plies", "judge", "finished_at",
    "judgments"}`, the judgments keyed by the number of the action they judge.
    """
    return _export(match, selectors.review_of(match))


def _export(match: Match, review: Review | None) -> dict[str, Any]:
    export = to_export(
        match_id=match.public_id,
        rules=match.match_rules,
        seats={seat.side: seat.to_dict() for seat in match.seats.all()},
        created_at=outgoing.iso(match.created_at),
        actions=[row.engine_action for row in selectors.log_of(match)],
    )
    return export | ({"review": _review_part(review)} if review else {})


def _review_part(review: Review) -> dict[str, Any]:
    assert review.finished_at is not None
    return {
        "plies": review.plies,
        "judge": review.judge,
        "finished_at": outgoing.iso(review.finished_at),
        "judgments": review.judgments,
    }


# Fields of a seat that may have changed since: an account is renamed or closed, a guest signs up.
_CHANGEABLE = ("name", "kind")


def differences(file: Any, record: Any, path: str = "") -> Iterator[str]:
    """Yield the differences between a file and the site's own export, as readable lines."""
    if isinstance(file, dict) and isinstance(record, dict):
        for key in {**record, **file}:
            # The file may be older than the review.
            is_newer = not path and key == "review" and key not in file
            if not is_newer and not (path.startswith("seats.") and key in _CHANGEABLE):
                inner = f"{path}.{key}" if path else key
                yield from differences(file.get(key), record.get(key), inner)
    elif isinstance(file, list) and isinstance(record, list):
        for number, (one, other) in enumerate(zip_longest(file, record), 1):
            yield from differences(one, other, f"{path}.{number}")
    elif (said := json.dumps(file)) != (kept := json.dumps(record)):
        yield f"{path} is {said} in the file and {kept} in the site's record"


def text_of(match: Match) -> str:
    """Return the match as readable text: `.mat` for short, our own format for long.

    A review comes first, as comments that programs skip.
    """
    review = selectors.review_of(match)
    export = _export(match, review)
    text = mat.dump(export) if match.variant == Variant.SHORT else long_text.dump(export)
    if review is None:
        return text
    tags, rest = text.split("\n\n", 1)
    return "\n".join([tags, *comments_of(match, review), "", rest])
