"""Questions of the coach and of reviews to the child process: hints and judgments.

In: `{"ask": "hint", "state": a snapshot, "side", "plies"}`, or
`{"ask": "judge", "state": a snapshot before the action, "action": its dict, "plies"}`.
Out: `{"hint": ...}` or `{"judgment": ...}`, null if there is nothing to decide.
"""

from typing import Any

from games.ai.judge import judgments
from games.ai.net.player import player_of
from games.ai.net.search import MAX_PLIES
from games.engine.match.action_codec import action_from_dict
from games.engine.match.snapshot import loads
from games.engine.rules import Variant
from games.engine.sides import Side


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer a question; raise `EngineError`, or `ValueError` and the like if it is unreadable."""
    state, plies = loads(asked["state"]), int(asked.get("plies", 1))
    player = player_of(Variant(state.rules.variant))
    if not 1 <= plies <= MAX_PLIES:
        raise ValueError(plies)
    if asked["ask"] == "hint":
        return {"hint": judgments.hint(state, Side(asked["side"]), player, plies)}
    if asked["ask"] == "judge":
        action = action_from_dict(asked["action"])
        return {"judgment": judgments.judge(state, action, player, plies)}
    raise ValueError(asked["ask"])
