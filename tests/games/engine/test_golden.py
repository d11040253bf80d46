"""The golden positions: legal plays, refusals and their reasons, derived by hand."""

from collections import Counter

import pytest

from games.engine.board.explain import Refusal, why_not
from games.engine.board.legal import legal_plays, legal_results, match_play, turn_graph
from games.engine.board.moves import play_from_text
from games.engine.errors import IllegalAction
from games.engine.rules import Variant
from tests.games.engine.golden_cases import Golden, golden_cases, naive_result

CASES = [case for variant in Variant for case in golden_cases(variant)]


def every(key: str) -> pytest.MarkDecorator:
    cases = [case for case in CASES if key in case.data]
    return pytest.mark.parametrize("case", cases, ids=[case.data["name"] for case in cases])


def test_golden_files_are_not_empty() -> None:
    assert len(CASES) > 50


@every("plays")
def test_results_are_exactly_those_of_the_listed_plays(case: Golden) -> None:
    position, side, *_rest = case.arguments
    expected = {naive_result(position, side, play) for play in case.data["plays"]}
    assert len(expected) == len(case.data["plays"])
    assert legal_results(*case.arguments) == expected
    assert turn_graph(*case.arguments).results() == expected
    assert set(legal_plays(*case.arguments)) == expected


@every("plays")
def test_listed_plays_are_accepted_as_written(case: Golden) -> None:
    position, side, *_rest = case.arguments
    graph = turn_graph(*case.arguments)
    for text in case.data["plays"]:
        _play, reached = match_play(graph, play_from_text(text))
        assert reached == naive_result(position, side, text)


@every("legal")
def test_legal_plays_are_accepted(case: Golden) -> None:
    graph = turn_graph(*case.arguments)
    for text in case.data["legal"]:
        play, reached = match_play(graph, play_from_text(text))
        assert reached in graph.results()
        assert Counter(move.die for move in play) <= Counter(case.data["dice"])


@every("illegal")
def test_illegal_plays_name_the_rule_and_the_points(case: Golden) -> None:
    graph = turn_graph(*case.arguments)
    for text, reason, points in case.data["illegal"]:
        with pytest.raises(IllegalAction) as refused:
            match_play(graph, play_from_text(text))
        assert (refused.value.reason, list(refused.value.points)) == (reason, points), text


@every("unfinished")
def test_plays_with_too_few_moves_are_incomplete(case: Golden) -> None:
    for text in case.data["unfinished"]:
        with pytest.raises(IllegalAction) as refused:
            match_play(turn_graph(*case.arguments), play_from_text(text))
        assert refused.value.reason == "incomplete_play"


@every("refused")
def test_why_not_names_the_rule_and_the_points(case: Golden) -> None:
    for played, source, target, reason, points in case.data["refused"]:
        moves = [(start, end) for start, end in played]
        refusal = why_not(*case.arguments, moves, source, target)
        assert refusal == Refusal(reason, tuple(points)), (played, source, target)
