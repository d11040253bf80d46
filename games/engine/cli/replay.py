"""`python -m games.engine replay`: read exported matches, write their positions and results.

Input: one match per line. Output, for every start of a game and every play:
`{"id","n","game","action","position","score"}`, where `n` is the number of the action in the log
from 1 and `position` is `Position.to_hex`. Then `{"id","result"}`: winner, cause and score of the
match (winner and cause null while it goes on) and its finished `games`. An unreadable or illegal
match ends with an error object in place of the result. The error's code names the rule, its
message the action at fault.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from games.engine.cli.json_lines import read_object
from games.engine.errors import IllegalAction, InvalidAction
from games.engine.formats.json_export import (
    Export,
    apply_numbered,
    check_dice_and_result,
    from_export,
)
from games.engine.match.action_codec import action_to_text
from games.engine.match.actions import Play, Start
from games.engine.match.public_view import outcome_view, result_view
from games.engine.match.state import new_match

Answer = dict[str, Any]


def main(lines: Iterable[str], out: TextIO) -> None:
    for line in lines:
        for answer in replayed(line):
            json.dump(answer, out, separators=(",", ":"))
            out.write("\n")
        out.flush()


def replayed(line: str) -> Iterator[Answer]:
    """Yield the answers to one line; an error ends them."""
    head: Answer = {}
    try:
        data = read_object(line)
        head = {"id": data.get("id")}
        yield from _answers(from_export(data))
    except InvalidAction as error:
        yield {**head, "error": {"code": error.code, "message": str(error)}}
    except IllegalAction as error:
        yield {**head, "error": {"code": error.reason.value, "message": str(error)}}


def _answers(export: Export) -> Iterator[Answer]:
    state = new_match(export.rules)
    games: list[Answer] = []
    for number, action in enumerate(export.actions, 1):
        before, state = state, apply_numbered(state, action, number)
        if isinstance(action, (Start, Play)):
            yield {
                "id": export.id,
                "n": number,
                "game": state.game,
                "action": action_to_text(action),
                "position": state.position.to_hex(export.rules.variant),
                "score": state.score.to_dict(),
            }
        if state.result is not None and state.result is not before.result:
            games.append({"game": state.game, **result_view(state.result)})
    check_dice_and_result(export, state)
    ended = state.outcome
    outcome = outcome_view(ended) if ended else {"winner": None, "cause": None}
    yield {"id": export.id, "result": {**outcome, "score": state.score.to_dict(), "games": games}}
