"""Playback of a match: its log folded again, one view for each action shown."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from games import selectors
from games.engine.board.moves import PASS_TEXT
from games.engine.formats.json_export import result_view
from games.engine.match.actions import Action, Opening, Play, Roll, SideAction
from games.engine.match.apply import apply, new_match
from games.engine.match.public_view import public_view
from games.engine.match.state import MatchState, Phase
from games.models import Game, Match

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
    """The steps of one game, and the address of every step of the match, by seq.

    A step: `{"seq", "kind", "side", "text", "factor", "dice", "cube", "ends_game", "view"}`. A roll
    and its play are two steps; `view` is what the page's board draws; `cube` is the cube's value
    after the step. `end` is the final state of the log.
    """

    number: int
    steps: list[dict[str, Any]]
    addresses: dict[int, StepAddress]
    end: MatchState


def play_back(match: Match, number: int) -> Playback:
    """Play back the game of that number; the log is folded once."""
    state = new_match(match.match_rules)
    steps: list[dict[str, Any]] = []
    addresses: dict[int, StepAddress] = {}
    counts: Counter[int] = Counter()
    for row in selectors.log_of(match):
        action = row.engine_action
        state = apply(state, action)
        if action.kind not in _SHOWN:
            continue
        addresses[row.seq] = StepAddress(state.game, counts[state.game])
        counts[state.game] += 1
        if state.game == number:
            steps.append(_step(row.seq, action, state))
    return Playback(number, steps, addresses, state)


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
    """Return the steps as a move list: a roll and its play are one row.

    `at` is the index of the row's last step in `steps`, `seqs` are those of all its steps; `value`
    is the value of an offered cube.
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
    """Return the dice last rolled before the step `at`: those of its play, if it is one."""
    return next((step["dice"] for step in reversed(steps[:at]) if step["dice"]), None)


def record_of(match: Match, state: MatchState) -> dict[str, Any]:
    """Return what the page compares with a file that claims to be of this match.

    `state` is the fold of the match's log.
    """
    return {
        "id": match.public_id,
        "variant": state.rules.variant.value,
        "rules": state.rules.to_dict(),
        "result": result_view(state),
        "commitment": state.proof.commitment,
    }
