"""Playback of a match: its log folded again, one view for each action shown."""

from dataclasses import dataclass
from typing import Any

from games import selectors
from games.engine.board.moves import PASS_TEXT
from games.engine.formats.json_export import match_result_view
from games.engine.match.actions import Action, Opening, Play, Roll, SideAction
from games.engine.match.apply import apply, new_match
from games.engine.match.public_view import public_view
from games.engine.match.state import MatchState, Phase
from games.models import Game, Match
from games.reviews.identifiers import identifiers_of

Step = dict[str, Any]

# Kinds of actions shown as steps; the rest is bookkeeping.
_SHOWN = frozenset(
    {
        "opening", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept",
        "refuse", "resign_match", "flag", "leave", "claim",
    }
)  # fmt: skip


def seats_of(match: Match) -> list[dict[str, Any]]:
    """Return White's seat, then Black's: `{"seat", "side", "score"}`."""
    seats = {seat.side: seat for seat in match.seats.all()}
    scores = zip(("white", "black"), match.snapshot["score"], strict=True)
    return [{"seat": seats[side], "side": side, "score": score} for side, score in scores]


def games_of(match: Match) -> list[Game]:
    return list(match.games.order_by("number"))


@dataclass(frozen=True, slots=True)
class StepAddress:
    """Address of a step on the page: the game's number and the step's index in it."""

    game: int
    at: int


@dataclass(frozen=True, slots=True)
class Playback:
    """The steps of every game, by the game's number, and the address of every step, by seq.

    A step: `{"seq", "kind", "side", "text", "factor", "dice", "cube", "ends_game", "view",
    "identifiers"}`. A roll and its play are two steps. `view` is the public view that the page's
    board draws, `cube` the cube's value after the step. Before the first game has begun, there is a
    game 1 without steps.
    """

    games: dict[int, list[Step]]
    addresses: dict[int, StepAddress]


def play_back(match: Match) -> Playback:
    """Fold the log of the match once and return its steps."""
    state = new_match(match.match_rules)
    games: dict[int, list[Step]] = {1: []}
    addresses: dict[int, StepAddress] = {}
    for row in selectors.log_of(match):
        action = row.engine_action
        state = apply(state, action)
        steps = games.setdefault(max(1, state.game), [])
        if action.kind in _SHOWN:
            addresses[row.seq] = StepAddress(max(1, state.game), len(steps))
            steps.append(_step(row.seq, action, state))
    return Playback(games, addresses)


def _step(seq: int, action: Action, state: MatchState) -> Step:
    ended = state.phase in (Phase.BETWEEN_GAMES, Phase.FINISHED) and state.result is not None
    return {
        "seq": seq,
        "kind": action.kind,
        "side": action.side.value if isinstance(action, SideAction) else None,
        "text": action.text if isinstance(action, Play) else "",
        "factor": getattr(action, "factor", None),
        "dice": _dice(action),
        "cube": state.cube.value,
        "ends_game": ended,
        "view": public_view(state, state.at_ms),
        "identifiers": identifiers_of(state),
    }


def _dice(action: Action) -> list[int] | None:
    if isinstance(action, Roll):
        return [action.d1, action.d2]
    if isinstance(action, Opening):
        return [action.white, action.black]
    return None


def rows_of(steps: list[Step]) -> list[dict[str, Any]]:
    """Return the steps as a move list: a roll and its play are one row.

    `at` is the index of the row's last step in `steps`, `seqs` holds the seq of each of its steps.
    `value` is the value of an offered cube, `points` is the number of points offered by resigning.
    """
    rows: list[dict[str, Any]] = []
    for at, step in enumerate(steps):
        row = {name: step[name] for name in ("kind", "side", "text", "factor", "dice")}
        row |= {"at": at, "is_pass": step["text"] == PASS_TEXT, "value": step["cube"] * 2}
        row["points"] = step["cube"] * (step["factor"] or 0)
        row["seqs"] = [step["seq"]]
        if step["kind"] == "play":
            row["dice"] = thrown_before(steps, at)
            if rows and rows[-1]["kind"] == "roll":
                row["seqs"] = [*rows.pop()["seqs"], step["seq"]]
        rows.append(row)
    return rows


def thrown_before(steps: list[Step], at: int) -> list[int] | None:
    """Return the dice last rolled before the step `at`: for a play, the dice that it plays."""
    return next((step["dice"] for step in reversed(steps[:at]) if step["dice"]), None)


def record_of(match: Match, state: MatchState) -> dict[str, Any]:
    """Return the facts by which the page checks whether a file is of this match."""
    return {
        "id": match.public_id,
        "variant": state.rules.variant.value,
        "rules": state.rules.to_dict(),
        "result": match_result_view(state),
        "commitment": state.proof.commitment,
    }
