"""Identifiers by which a position can be set up in other programs."""

from collections.abc import Callable
from contextlib import suppress

from games.engine.errors import InvalidAction
from games.engine.formats import gnu_id, xgid
from games.engine.formats.identifier_fields import IdentifierFields
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Variant

FORMS: dict[str, Callable[[IdentifierFields], str]] = {"xgid": xgid.encode, "gnu_id": gnu_id.encode}


def identifiers_of(state: MatchState) -> dict[str, str]:
    """Return the identifiers by their form: `xgid` and `gnu_id`, for long nardy `text`.

    Long nardy has no identifier that other programs read; its `text` is that of `Position.to_text`.
    In short backgammon the result is empty after the end of a game, and for a position that no form
    can hold.
    """
    if state.rules.variant is Variant.LONG:
        return {"text": state.position.to_text()}
    found: dict[str, str] = {}
    if state.phase in (Phase.BETWEEN_GAMES, Phase.FINISHED):
        return found
    with suppress(InvalidAction):
        fields = IdentifierFields.of(state)
        for name, encode in FORMS.items():
            found[name] = encode(fields)
    return found
