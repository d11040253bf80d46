"""A match played back: its log folded again, one view for each action worth a look."""

from typing import Any

from games import selectors
from games.engine.actions import Action, Opening, Play, Roll, SideAction
from games.engine.apply import apply, new_match
from games.engine.state import MatchState, Phase
from games.engine.view import public_view
from games.models import Game, Match

# What a viewer steps through; the rest is the plumbing of a match.
_SHOWN = frozenset(
    {
        "opening", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept",
        "refuse", "resign_match", "flag", "leave", "claim",
    }
)  # fmt: skip


def games_of(match: Match) -> list[Game]:
    return list(match.games.order_by("number"))


def steps_of(match: Match, number: int) -> list[dict[str, Any]]:
    """The steps of one game: `{"seq", "kind", "side", "text", "dice", "points", "view"}`.

    A roll and its play are two steps; `view` is what the page's board draws.
    """
    state = new_match(match.match_rules)
    steps = []
    for row in selectors.log_of(match):
        action = row.engine_action
        state = apply(state, action)
        if state.game == number and action.kind in _SHOWN:
            steps.append(_step(row.seq, action, state))
    return steps


def _step(seq: int, action: Action, state: MatchState) -> dict[str, Any]:
    dice = None
    if isinstance(action, Roll):
        dice = [action.d1, action.d2]
    elif isinstance(action, Opening):
        dice = [action.white, action.black]
    ended = state.phase in (Phase.BETWEEN_GAMES, Phase.FINISHED) and state.result is not None
    return {
        "seq": seq,
        "kind": action.kind,
        "side": action.side.value if isinstance(action, SideAction) else None,
        "text": action.text if isinstance(action, Play) else "",
        "factor": getattr(action, "factor", None),
        "dice": dice,
        "cube": state.cube.value,
        "ends_game": ended,
        "view": public_view(state, state.at_ms),
    }
