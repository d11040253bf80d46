"""Properties that hold for every turn in every position, checked on random ones."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.board.explain import why_not
from games.engine.board.legal import TurnGraph, legal_plays, legal_results, match_play, turn_graph
from games.engine.board.moves import Move, WrittenMove, play_from_text, play_to_text
from games.engine.board.position import Position, check_position
from games.engine.board.variants import BAR, OFF, opposite
from games.engine.errors import IllegalAction
from games.engine.rules import BlockRule, Rules, Variant
from games.engine.sides import Side
from tests.games.engine.strategies import positions, rolls, variants

Roll = tuple[Position, Side, tuple[int, int], Rules, bool]
MAX_PATHS = 300  # a doublet has many orders of moves: only the first ones are tried


def paths(graph: TurnGraph, node: int = 0) -> Iterator[tuple[tuple[Move, ...], int]]:
    """Yield the paths of the graph from a node to a final one."""
    if not graph.edges[node]:
        yield (), node
    for move, after in graph.edges[node]:
        for play, end in paths(graph, after):
            yield (move, *play), end


def some_paths(graph: TurnGraph) -> list[tuple[tuple[Move, ...], int]]:
    return [path for path, _index in zip(paths(graph), range(MAX_PATHS), strict=False)]


@settings(max_examples=150, deadline=None)
@given(rolls())
def test_three_ways_to_find_legal_plays_agree(roll: Roll) -> None:
    graph = turn_graph(*roll)
    assert graph.results() == legal_results(*roll) == set(legal_plays(*roll))
    assert graph.is_pass == (graph.results() == {roll[0]} and graph.max_dice == 0)


@settings(max_examples=150, deadline=None)
@given(rolls())
def test_every_result_is_a_position_of_the_variant(roll: Roll) -> None:
    for result in legal_results(*roll):
        check_position(result, roll[3].variant)


@settings(max_examples=150, deadline=None)
@given(rolls())
def test_mover_loses_pips_and_the_enemy_gains_pips_only_by_hits(roll: Roll) -> None:
    position, side, dice, rules, _first = roll
    graph = turn_graph(*roll)
    for number, edges in enumerate(graph.edges):
        before = graph.nodes[number]
        for move, after_number in edges:
            after = graph.nodes[after_number]
            lost = before.pips(side) - after.pips(side)
            assert lost == move.source - move.target
            assert lost == move.die or (move.target == OFF and lost < move.die)
            gained = after.pips(side.other) - before.pips(side.other)
            assert gained == (BAR - opposite(rules.variant, move.target) if move.is_hit else 0)
    assert all(result.pips(side) <= position.pips(side) for result in graph.results())
    assert graph.max_dice <= (4 if dice[0] == dice[1] else 2)


@settings(max_examples=150, deadline=None)
@given(rolls())
def test_every_path_uses_the_most_dice_or_bears_off_the_last_checker(roll: Roll) -> None:
    position, side, *_rest = roll
    graph = turn_graph(*roll)
    for play, end in some_paths(graph):
        assert end in graph.finals
        is_last_checker_off = position.of(side)[OFF] == 14 and graph.nodes[end].of(side)[OFF] == 15
        assert len(play) == graph.max_dice or is_last_checker_off


@settings(max_examples=100, deadline=None)
@given(rolls())
def test_no_two_edges_of_a_node_are_the_same_move(roll: Roll) -> None:
    for edges in turn_graph(*roll).edges:
        keys = [(move.source, move.die) for move, _after in edges]
        assert len(keys) == len(set(keys))


@settings(max_examples=100, deadline=None)
@given(rolls())
def test_text_of_every_path_leads_to_its_final_position(roll: Roll) -> None:
    graph = turn_graph(*roll)
    for play, end in some_paths(graph)[:40]:
        matched, reached = match_play(graph, play_from_text(play_to_text(play)))
        assert reached == graph.nodes[end]
        assert [move.source for move in matched] == [move.source for move in play]


@settings(max_examples=60, deadline=None)
@given(rolls(), st.data())
def test_a_play_without_its_last_move_is_refused(roll: Roll, data: st.DataObject) -> None:
    graph = turn_graph(*roll)
    play, _end = data.draw(st.sampled_from(some_paths(graph)))
    if len(play) < 2:
        return
    cut = [WrittenMove(move.source, move.target, move.is_hit) for move in play[:-1]]
    try:
        _play, reached = match_play(graph, cut)
    except IllegalAction:
        return
    # Fewer dice than the roll allows may be used only to bear off the last checker.
    assert reached.of(roll[1])[OFF] == 15
    assert roll[0].of(roll[1])[OFF] == 14


def goes_on_to(graph: TurnGraph, node: int, source: int, target: int) -> bool:
    return any(
        move.source == source
        and (move.target == target or goes_on_to(graph, after, move.target, target))
        for move, after in graph.edges[node]
    )


@settings(max_examples=60, deadline=None)
@given(rolls(), st.data())
def test_why_not_refuses_exactly_what_the_graph_does_not_offer(
    roll: Roll, data: st.DataObject
) -> None:
    graph = turn_graph(*roll)
    play, _end = data.draw(st.sampled_from(some_paths(graph)))
    played = play[: data.draw(st.integers(0, max(0, len(play) - 1)))]
    node = 0
    for step in played:
        node = next(after for move, after in graph.edges[node] if move == step)
    made = [(move.source, move.target) for move in played]
    offered = {(move.source, move.target) for move, _after in graph.edges[node]}
    # A pair of points does not tell which die bore a checker off.
    is_ambiguous = any(move.target == OFF and move.source != move.die for move in played)
    for source in range(1, 26):
        refusal = why_not(*roll, made, source, None)
        is_offered = source in {pair[0] for pair in offered}
        assert (refusal is None) == is_offered or (is_ambiguous and refusal is None)
        for target in range(source):
            refusal = why_not(*roll, made, source, target)
            if refusal is not None:
                assert not goes_on_to(graph, node, source, target)
                assert all(1 <= point <= BAR for point in refusal.points)
            else:
                assert goes_on_to(graph, node, source, target) or is_ambiguous


@settings(max_examples=100, deadline=None)
@given(variants.flatmap(lambda variant: st.tuples(st.just(variant), positions(variant))))
def test_positions_round_trip_through_their_texts(drawn: tuple[Variant, Position]) -> None:
    variant, position = drawn
    assert Position.from_text(position.to_text(), variant) == position
    assert Position.from_hex(position.to_hex(variant), variant) == position


@settings(max_examples=100, deadline=None)
@given(rolls())
def test_swapping_the_sides_swaps_the_results(roll: Roll) -> None:
    position, side, dice, rules, first_turn = roll
    swapped = Position(position.black, position.white)
    mirrored = {
        Position(result.black, result.white)
        for result in legal_results(swapped, side.other, dice, rules, first_turn)
    }
    assert mirrored == legal_results(*roll)


@settings(max_examples=100, deadline=None)
@given(rolls())
def test_the_order_of_the_dice_does_not_matter(roll: Roll) -> None:
    position, side, dice, rules, first_turn = roll
    assert legal_results(position, side, dice[::-1], rules, first_turn) == legal_results(*roll)


@settings(max_examples=100, deadline=None)
@given(rolls())
def test_blocks_judged_only_at_the_end_of_a_turn_never_reduce_the_dice_played(roll: Roll) -> None:
    position, side, dice, rules, first_turn = roll
    used = {
        block: turn_graph(
            position, side, dice, Rules.of(rules.variant, block=block, head="fixed"), first_turn
        ).max_dice
        for block in BlockRule
    }
    assert used[BlockRule.END_OF_TURN] >= used[BlockRule.EVERY_MOVE]


@pytest.mark.parametrize("variant", Variant)
def test_start_is_a_valid_position_of_its_variant(variant: Variant) -> None:
    start = Position.start(variant)
    assert check_position(start, variant) is start
    assert start.pips(Side.WHITE) == start.pips(Side.BLACK) == (167 if variant == "short" else 360)
