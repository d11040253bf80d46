"""The agent for other programs: its input and its answers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from games.ai.bots.levels import LEVELS
from games.ai.kernel import net
from games.ai.net import weights_files
from games.ai.process.agent import main
from games.engine.cli.legal import answer as legal
from games.engine.rules import Variant

# The starting position as the agent reads it. The enemy's checkers on points are negative.
# Place 25 is the player's bar, place 0 the enemy's.
START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


def ask(folder: Path, variant: str, *lines: Any, level: str = "strong") -> list[dict[str, Any]]:
    """Return the answers of an agent with an untrained net."""
    header = weights_files.header_of(Variant(variant), 4, 0, "")
    weights_files.save(
        folder / "a.net", header, net.random_weights(header.phases, header.inputs, 4, seed=1)
    )
    out = io.StringIO()
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    net_file = str(folder / "a.net")
    main(["--variant", variant, "--level", level, "--net", net_file], texts, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def question(variant: str, **fields: Any) -> dict[str, Any]:
    counts = {"short": {24: 2, 13: 5, 8: 3, 6: 5}, "long": {24: 15}}[variant]
    side = [counts.get(point, 0) for point in range(1, 25)]
    position = {"white": side, "black": side}
    asked = {"variant": variant, "turn": "black", "dice": [6, 5], "position": position}
    return {**asked, **fields}


def test_board_is_answered_by_a_legal_result(tmp_path: Path) -> None:
    (answer,) = ask(tmp_path, "short", {"items": [[START, [6, 5]], [START, [3, 3]]]})
    results = legal(question("short", turn="white"))["results"]
    after = answer["after"][0]
    own = "".join(f"{max(0, count):x}" for count in after[1:25])
    assert any(result.startswith(own) for result in results)
    assert sum(count for count in after[1:26] if count > 0) == 15
    assert answer["after"][1] != START


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", ["short", "long"])
def test_engine_question_is_answered_by_one_of_its_results(
    variant: str, level: str, tmp_path: Path
) -> None:
    asked = [question(variant), question(variant, dice=[4, 4], first_turn=variant == "long")]
    (answer,) = ask(tmp_path, variant, {"items": asked}, level=level)
    for each, result in zip(asked, answer["after"], strict=True):
        assert result in legal(each)["results"]


@pytest.mark.parametrize("variant", ["short", "long"])
def test_dice_may_be_given_beside_the_position(variant: str, tmp_path: Path) -> None:
    whole = question(variant, turn="white", dice=[6, 5])
    bare = {name: whole[name] for name in ("turn", "position")}
    pairs = [[each, [6, 5]] for each in (whole, bare, whole["position"])]
    (answer,) = ask(tmp_path, variant, {"items": [whole, *pairs]})
    assert len(answer["after"]) == 4
    assert len(set(answer["after"])) == 1
    assert answer["after"][0] in legal(whole)["results"]


def test_unreadable_lines_get_errors_and_later_questions_are_answered(tmp_path: Path) -> None:
    bad = ["{", "[]", '{"items": [[[1], [6, 5]]]}', {"items": [[START, [6, 7]]]}]
    bad += [{"items": [question("long")]}, {"items": [question("short", dice=[0, 1])]}]
    bad += [{"items": [[START, dice]]} for dice in ([True, True], [3.0, 1.0], "31", [1], [1, 2, 3])]
    # Too many checkers, a wrong sign on the bar, a negative count, numbers of a wrong type.
    changes = ({6: 6}, {1: -3}, {0: -1, 1: -1}, {25: -1}, {6: 127}, {6: 300}, {6: 5.0}, {6: "5"})
    boards = [[change.get(at, START[at]) for at in range(26)] for change in changes]
    bad += [{"items": [[board, [6, 5]]]} for board in [*boards, START[:25], "3" * 26]]
    bad += [{"items": [[START, [6, 5]], [START, [0, 5]]]}, "\udcff", "[" * 100_000]
    *refused, last = ask(tmp_path, "short", *bad, {"items": []})
    assert len(refused) == len(bad)
    assert all(answer.keys() == {"error"} for answer in refused)
    assert last == {"after": []}
