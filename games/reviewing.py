"""A match played back: its log folded again, one view for each action worth a look."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from games import selectors
from games.engine.actions import Action, Opening, Play, Roll, SideAction
from games.engine.apply import apply, new_match
from games.engine.moves import PASS_TEXT
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


def seats_of(match: Match) -> list[dict[str, Any]]:
    """White's seat, then Black's: `{"seat", "side", "score"}`."""
    seats = {seat.side: seat for seat in match.seats.all()}
    scores = zip(("white", "black"), match.snapshot["score"], strict=True)
    return [{"seat": seats[side], "side": side, "score": score} for side, score in scores]


def games_of(match: Match) -> list[Game]:
    return list(match.games.order_by("number"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the page of a match a step stands: the game's number and the step's index."""

    game: int
    at: int


@dataclass(frozen=True, slots=True)
class Playback:
    """The steps of one game, and where each step of any game is found, by seq.

    A step: `{"seq", "kind", "side", "text", "factor", "dice", "cube", "ends_game", "view"}`. A roll
    and its play are two steps; `view` is what the page's board draws; `cube` is what the game is
    worth after the step. `end` is where the whole log leads.
    """

    number: int
    steps: list[dict[str, Any]]
    places: dict[int, Place]
    end: MatchState


def play_back(match: Match, number: int) -> Playback:
    """The game of that number; the log is folded once."""
    state = new_match(match.match_rules)
    steps: list[dict[str, Any]] = []
    places: dict[int, Place] = {}
    counts: Counter[int] = Counter()
    for row in selectors.log_of(match):
        action = row.engine_action
        state = apply(state, action)
        if action.kind not in _SHOWN:
            continue
        places[row.seq] = Place(state.game, counts[state.game])
        counts[state.game] += 1
        if state.game == number:
            steps.append(_step(row.seq, action, state))
    return Playback(number, steps, places, state)


def _step(seq: int, action: Action, state: MatchState) -> dict[str, Any]:
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
    }


def _dice(action: Action) -> list[int] | None:
    if isinstance(action, Roll):
        return [action.d1, action.d2]
    if isinstance(action, Opening):
        return [action.white, action.black]
    return None


def rows_of(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps as a list to be read: a roll and its play are one row.

    `at` is the place of the row's last step in `steps`, `seqs` are those of all its steps; `value`
    is what an offered cube would show.
    """
    rows: list[dict[str, Any]] = []
    for at, step in enumerate(steps):
        row = {name: step[name] for name in ("kind", "side", "text", "factor", "dice")}
        row |= {"at": at, "is_pass": step["text"] == PASS_TEXT, "value": step["cube"] * 2}
        row["seqs"] = [step["seq"]]
        if step["kind"] == "play":
            row["dice"] = thrown_before(steps, at)
            if rows and rows[-1]["kind"] == "roll":
                row["seqs"] = [*rows.pop()["seqs"], step["seq"]]
        rows.append(row)
    return rows


def thrown_before(steps: list[dict[str, Any]], at: int) -> list[int] | None:
    """The dice last thrown before the step `at`: those of its play, if it is one."""
    return next((step["dice"] for step in reversed(steps[:at]) if step["dice"]), None)
