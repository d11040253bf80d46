"""A whole match as one JSON-safe object: for download, for the dice check, for `replay`.

    {"format": "5stars-gammon-match", "version": 1, "id", "variant", "rules": {...},
     "seats": {"white": {...}, "black": {...}}, "created_at": ISO 8601,
     "actions": [dicts of action_codec.py],
     "dice": {"commitment", "secret" (null until the end), "white_entropy", "black_entropy",
              "lost": true (only if the site could not open the secret at the end)},
     "result": null | {"winner", "cause", "score": {"white", "black"}}}

Only the actions are authoritative; `dice` and `result` repeat facts that follow from them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.errors import IllegalAction, InvalidAction
from games.engine.match.action_codec import action_from_dict, action_to_dict
from games.engine.match.actions import Action
from games.engine.match.apply import apply, fold
from games.engine.match.state import DiceProof, MatchState, new_match
from games.engine.rules import Rules
from games.engine.sides import value_of

FORMAT = "5stars-gammon-match"
EXPORT_VERSION = 1
MAX_ACTIONS = 100_000
_MAX_TEXT = 64  # characters of the id and of the time of creation
_KEYS = ("format", "version", "id", "variant", "rules", "seats", "created_at", "actions")
_PROOF_KEYS = ("commitment", "secret", "white_entropy", "black_entropy")
_RESULT_KEYS = ("winner", "cause", "score")


@dataclass(frozen=True, slots=True)
class Export:
    """A match as read; `dice` and `result` are unproven until `checked_state`."""

    id: str
    rules: Rules
    seats: Mapping[str, Mapping[str, Any]]
    created_at: str
    actions: tuple[Action, ...]
    dice: Mapping[str, Any] | None
    result: Mapping[str, Any] | None


def to_export(
    *,
    match_id: str,
    rules: Rules,
    seats: Mapping[str, Mapping[str, Any]],
    created_at: str,
    actions: Iterable[Action],
) -> dict[str, Any]:
    """Return the object that the module docstring describes; raise as `fold` does."""
    log = tuple(actions)
    return head_of(match_id, rules, seats, created_at) | body_of(log, fold(rules, log))


def head_of(
    match_id: str, rules: Rules, seats: Mapping[str, Mapping[str, Any]], created_at: str
) -> dict[str, Any]:
    """Return the keys of an export before its actions."""
    return {
        "format": FORMAT,
        "version": EXPORT_VERSION,
        "id": match_id,
        "variant": rules.variant.value,
        "rules": rules.to_dict(),
        "seats": {side: dict(seats[side]) for side in ("white", "black")},
        "created_at": created_at,
    }


def body_of(log: Iterable[Action], state: MatchState) -> dict[str, Any]:
    """Return the actions of an export and the keys after them; `state` is the fold of the log."""
    return {
        "actions": [action_to_dict(action) for action in log],
        "dice": proof_view(state.proof),
        "result": match_result_view(state),
    }


def from_export(data: object) -> Export:
    """Read the object of `to_export`; raise `InvalidAction` whose code names the wrong part.

    Only the form is checked; `checked_state` checks that the match is legal.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise InvalidAction("export_format", f"expected an object of format {FORMAT!r}")
    if data.get("version") != EXPORT_VERSION or isinstance(data["version"], bool):
        raise InvalidAction("export_version", f"expected version {EXPORT_VERSION}")
    for key in _KEYS:
        if key not in data:
            raise InvalidAction(f"export_{key}", f"{key} is missing")
    return Export(
        id=_id(data["id"]),
        rules=_rules(data),
        seats=_seats(data["seats"]),
        created_at=_text(data["created_at"], "export_created_at"),
        actions=_actions(data["actions"]),
        dice=_optional(data, "dice", _PROOF_KEYS, ("lost",)),
        result=_optional(data, "result", _RESULT_KEYS),
    )


def checked_state(export: Export) -> MatchState:
    """Return the state after the actions.

    Raises `IllegalAction` or `InvalidAction` when they break a rule, and `InvalidAction` with
    `dice_mismatch` or `result_mismatch` when the file contradicts them.
    """
    state = new_match(export.rules)
    for number, action in enumerate(export.actions, 1):
        state = apply_numbered(state, action, number)
    check_dice_and_result(export, state)
    return state


def check_dice_and_result(export: Export, state: MatchState) -> None:
    """Raise `dice_mismatch` or `result_mismatch` if the file contradicts `state`, its final one."""
    if export.dice is not None and dict(export.dice) != proof_view(state.proof):
        raise InvalidAction("dice_mismatch", "dice does not agree with the actions")
    if export.result is not None and dict(export.result) != match_result_view(state):
        raise InvalidAction("result_mismatch", "result does not agree with the actions")


def apply_numbered(state: MatchState, action: Action, number: int) -> MatchState:
    """Apply the action; the message of a refusal has the action's `number` in the log, from 1."""
    try:
        return apply(state, action)
    except IllegalAction as error:
        message = f"action {number}: {error}"
        raise IllegalAction(error.reason, error.points, message) from error
    except InvalidAction as error:
        raise InvalidAction(error.code, f"action {number}: {error}") from error


def proof_view(proof: DiceProof) -> dict[str, Any]:
    white, black = proof.entropy
    view = {
        "commitment": proof.commitment,
        "secret": proof.secret,
        "white_entropy": white,
        "black_entropy": black,
    }
    return view | ({"lost": True} if proof.is_lost else {})


def match_result_view(state: MatchState) -> dict[str, Any] | None:
    """Return the end of the match, None while it goes on."""
    if state.outcome is None:
        return None
    return {
        "winner": value_of(state.outcome.winner),
        "cause": state.outcome.cause.value,
        "score": state.score.to_dict(),
    }


def _id(value: object) -> str:
    text = _text(value, "export_id")
    if not text or not text.isascii():
        raise InvalidAction("export_id", "the id is ASCII")
    return text


def _text(value: object, code: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise InvalidAction(code, f"expected text of at most {_MAX_TEXT} characters")
    return value


def _rules(data: Mapping[str, Any]) -> Rules:
    rules = Rules.from_dict(data["rules"])
    if data["variant"] != rules.variant.value:
        raise InvalidAction("export_variant", "variant and rules disagree")
    return rules


def _seats(value: object) -> Mapping[str, Mapping[str, Any]]:
    is_pair = isinstance(value, Mapping) and set(value) == {"white", "black"}
    if not is_pair or not all(isinstance(seat, Mapping) for seat in value.values()):  # type: ignore[attr-defined]
        raise InvalidAction("export_seats", "seats has an object for white and one for black")
    return value  # type: ignore[return-value]


def _actions(value: object) -> tuple[Action, ...]:
    if not isinstance(value, list) or len(value) > MAX_ACTIONS:
        raise InvalidAction("export_actions", f"actions is a list of at most {MAX_ACTIONS}")
    read = []
    for number, item in enumerate(value, 1):
        try:
            read.append(action_from_dict(item))
        except InvalidAction as error:
            raise InvalidAction(error.code, f"action {number}: {error}") from error
    return tuple(read)


def _optional(
    data: Mapping[str, Any], key: str, keys: tuple[str, ...], more: tuple[str, ...] = ()
) -> Mapping[str, Any] | None:
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) - set(more) != set(keys):
        raise InvalidAction(f"export_{key}", f"{key} has {', '.join(keys)}")
    return value
