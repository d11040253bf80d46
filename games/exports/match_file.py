"""A match as a file: all that another program needs to replay and check it."""

import json
from collections.abc import Collection, Iterator
from functools import partial
from itertools import zip_longest
from typing import Any

from games import selectors
from games.archive import store
from games.engine.formats.dialect import LONG_TEXT, MAT
from games.engine.formats.json_export import body_of, head_of
from games.engine.formats.tags import names_of
from games.engine.formats.two_columns import WrittenGame, assemble, written
from games.engine.formats.writer import write_match
from games.engine.rules import Variant
from games.models import Match, Review
from games.protocol import outgoing
from games.reviews import stored as review_forms

# Names of the stored forms: the JSON without its head, its part `review`, the games as text.
JSON, JSON_REVIEW, TEXT = "json", "json-review", "text"


def export_of(match: Match) -> dict[str, Any]:
    """Return the JSON export, with the secret of the dice once the match is over.

    A reviewed match has a `review` beside the fields of `json_export.to_export`: `{"plies",
    "judge", "finished_at", "judgments"}`, the judgments keyed by the number of the action they
    judge. `dice` and `result` come from the snapshot, which the log folds to.
    """
    review = selectors.review_of(match)
    return _head(match) | _body(match) | ({"review": _review_part(review)} if review else {})


def _head(match: Match) -> dict[str, Any]:
    created_at = outgoing.iso(match.created_at)
    return head_of(match.public_id, match.match_rules, _seats(match), created_at)


def _seats(match: Match) -> dict[str, dict[str, Any]]:
    return {seat.side: seat.to_dict() for seat in match.seats.all()}


def _body(match: Match) -> dict[str, Any]:
    return body_of((row.engine_action for row in selectors.log_of(match)), match.state)


def _review_part(review: Review) -> dict[str, Any]:
    assert review.finished_at is not None
    return {
        "plies": review.plies,
        "judge": review.judge,
        "finished_at": outgoing.iso(review.finished_at),
        "judgments": review.judgments,
    }


def json_of(match: Match, slot: store.Slot) -> str:
    """Return the text of `export_of`; for a finished match, all but the head is stored.

    Parts that are not stored yet are computed inside `slot()`.
    """
    if not match.is_finished:
        with slot():
            return _dumps(export_of(match))
    names = [JSON, JSON_REVIEW] if selectors.is_reviewed(match) else [JSON]
    stored = store.obtain(match, names, partial(_json_forms, match), slot)
    return ", ".join([_dumps(_head(match))[:-1], *(stored[name] for name in names)]) + "}"


def _json_forms(match: Match, names: Collection[str]) -> store.Forms:
    made = {}
    if JSON in names:
        made[JSON] = _dumps(_body(match))[1:-1]
    if JSON_REVIEW in names:
        review = Review.objects.get(match=match)
        made[JSON_REVIEW] = _dumps({"review": _review_part(review)})[1:-1]
    return made


def _dumps(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


# Fields of a seat that may change after the file was written: an account is renamed or closed, or a
# guest signs up.
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
    elif (claimed := json.dumps(file)) != (recorded := json.dumps(record)):
        yield f"{path} is {claimed} in the file and {recorded} in the site's record"


def text_of(match: Match, slot: store.Slot) -> str:
    """Return the match as text: `.mat` for short backgammon, the site's own format for long nardy.

    A review comes before the games, as comments that programs skip. Parts that are not stored yet
    are computed inside `slot()`, and stored if the match is finished.
    """
    if not match.is_finished:
        with slot():
            return _assembled_text(match, _text_form(match), "")
    names = [TEXT, review_forms.COMMENTS] if selectors.is_reviewed(match) else [TEXT]
    stored = store.obtain(match, names, partial(_text_forms, match), slot)
    return _assembled_text(match, stored[TEXT], stored.get(review_forms.COMMENTS, ""))


def _text_forms(match: Match, names: Collection[str]) -> store.Forms:
    made = {TEXT: _text_form(match)} if TEXT in names else {}
    if review_forms.COMMENTS in names:
        made |= review_forms.of_review(match, Review.objects.get(match=match))
    return made


def _text_form(match: Match) -> str:
    """Return the parts of the text file as JSON: `{"tags", "games": [[number, score, lines]]}`.

    The players' names are left out.
    """
    dialect = MAT if match.variant == Variant.SHORT else LONG_TEXT
    text = write_match(_head(match) | _body(match), dialect)
    tags = {name: value for name, value in text.tags.items() if name not in _NAME_TAGS}
    return _dumps({"tags": tags, "games": [list(written(game)) for game in text.games]})


# Left out of the stored form and written with each file, since names may change.
_NAME_TAGS = ("Player 1", "Player 2")


def _assembled_text(match: Match, form: str, comments: str) -> str:
    stored, names = json.loads(form), names_of(_seats(match))
    first = {name: stored["tags"].pop(name) for name in ("Site", "Match ID")}
    tags = first | dict(zip(_NAME_TAGS, names, strict=True)) | stored["tags"]
    games = [WrittenGame(*game) for game in stored["games"]]
    text = assemble(tags, match.rules["length"], names, games)
    if not comments:
        return text
    head, rest = text.split("\n\n", 1)
    return "\n".join([head, comments, "", rest])
