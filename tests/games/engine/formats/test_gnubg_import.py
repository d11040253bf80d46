"""GNU Backgammon reads exported matches with the same records, boards and scores."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.engine.board.win_kind import KIND_POINTS, WinKind
from games.engine.formats import gnu_id, mat
from games.engine.formats.identifier_fields import IdentifierFields
from games.engine.match.action_codec import action_from_dict
from games.engine.match.actions import Action, Beaver, Double, Drop, Play, Start, Take
from games.engine.match.apply import apply, new_match
from games.engine.match.permissions import graph_of
from games.engine.match.state import GameCause, GameResult, MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from tests.games.engine.formats.matches import ENDINGS, RandomMatch, random_match
from tests.games.oracle import gnubg

pytestmark = pytest.mark.gnubg
PLAYER = {Side.WHITE: "X", Side.BLACK: "O"}  # gnubg's dictionary calls its first player X
FAULT_WORDS = ("warning", "invalid", "unrecognised", "illegal", "found but", "not a valid", "error")


def matches() -> list[RandomMatch]:
    """Play matches with each ending, some money sessions and matches without the Crawford rule."""
    played = [
        random_match(
            seed,
            Rules.of("short", length=[1, 3, 7][seed % 3], delay_ms=30_000),
            ending=ENDINGS[seed % 7] if seed % 2 else "played",
            cubes=0.15,
            resigns=0.02 if seed % 3 else 0.0,
        )
        for seed in range(30)
    ]
    money = Rules.of("short", length=None, jacoby=False, beaver=True)
    no_crawford = Rules.of("short", length=5, crawford=False)
    return (
        played
        + [random_match(seed, money, cubes=0.25, most_actions=500) for seed in range(3)]
        + [random_match(seed, no_crawford, cubes=0.25) for seed in range(3)]
    )


def test_gnu_backgammon_finds_every_move_legal_and_counts_the_same_score() -> None:
    played = matches()
    requests = [
        {"op": "import", "name": str(number), "text": mat.dump(match.export())}
        for number, match in enumerate(played)
    ]
    answers, printed = gnubg.run(requests)
    assert not [answer for answer in answers if "error" in answer]
    imports = re.findall(r"^=== import \d+\n(.*?)^=== imported", printed, re.S | re.M)
    assert len(imports) == len(played)
    for text in imports:
        lines = [line for line in text.splitlines() if any(c in line.lower() for c in FAULT_WORDS)]
        assert not lines
    for match, answer in zip(played, answers, strict=True):
        compare(match, answer)
    results = [result for match in played for result in results_of(match)]
    causes = [(result.cause, result.kind) for result in results]
    for kind in WinKind:
        assert (GameCause.RESIGN, kind) in causes
        assert (GameCause.BEAR_OFF, kind) in causes
    assert (GameCause.DROP, WinKind.SINGLE) in causes
    assert max(result.cube for result in results) >= 4


def test_gnu_backgammon_gives_the_last_position_the_same_identifier() -> None:
    rules = Rules.of("short", length=7)
    played = [
        random_match(seed, rules, ending="unfinished", cubes=0.2, resigns=0, most_actions=60 + seed)
        for seed in range(40)
    ]
    for match in played[:10]:
        while match.state.phase not in (Phase.CUBE_OFFERED, Phase.FINISHED):
            match.step()
    moments = [match for match in played if is_in_file(match.state)]
    requests = [
        {"op": "import", "name": str(number), "text": mat.dump(match.export())}
        for number, match in enumerate(moments)
    ]
    answers = gnubg.ask(requests)
    expected = [gnu_id.encode(IdentifierFields.of(match.state)) for match in moments]
    assert [answer["id"] for answer in answers] == expected
    phases = {match.state.phase for match in moments}
    assert phases == {Phase.TO_ROLL, Phase.TO_PLAY, Phase.CUBE_OFFERED}


def is_in_file(state: MatchState) -> bool:
    """Return whether a file shows this state; files omit a roll that has a single result."""
    if state.phase is Phase.TO_PLAY:
        return len(graph_of(state).results()) > 1
    return state.phase in (Phase.TO_ROLL, Phase.CUBE_OFFERED)


def test_files_that_gnu_backgammon_exports_can_be_read() -> None:
    played = [random_match(seed, Rules.of("short", length=5), cubes=0.15) for seed in range(12)]
    requests = [
        {"op": "import", "name": str(number), "text": mat.dump(match.export())}
        for number, match in enumerate(played)
    ]
    for match, answer in zip(played, gnubg.ask(requests), strict=True):
        ours, theirs = mat.load(mat.dump(match.export())), mat.load(answer["exported"])
        # gnubg may sort and split the moves of a play, and changes nothing else.
        assert [in_order(action) for action in theirs["actions"]] == [
            in_order(action) for action in ours["actions"]
        ]


def in_order(action: dict[str, Any]) -> dict[str, Any]:
    """Return the action; reduce a play to the places where its checkers begin and end, sorted."""
    if action["kind"] != "play":
        return action
    text = action["text"].replace("*", "")
    counts: dict[str, int] = {}
    for item in text.split():
        if item != "-":
            source, target = item.split("/")
            counts[source] = counts.get(source, 0) - 1
            counts[target] = counts.get(target, 0) + 1
    return {**action, "text": {place: n for place, n in sorted(counts.items()) if n}}


def compare(match: RandomMatch, answer: dict[str, Any]) -> None:
    """Compare the records of gnubg's match with ours."""
    ours, games = records_of(match), answer["match"]["games"]
    assert len(games) == len(ours)
    for (score, records, result), game in zip(ours, games, strict=True):
        info = game["info"]
        assert (info["score-X"], info["score-O"]) == score
        assert [
            their_record(record) for record in game["game"] if record["action"] in COMPARED
        ] == records
        if result is not None:
            assert result.winner is not None
            assert (info["winner"], info["points-won"]) == (PLAYER[result.winner], result.points)
            assert info["resigned"] == (result.cause is GameCause.RESIGN)
        else:
            assert info.get("winner") is None
    if match.state.result is not None and match.state.result.cause is GameCause.BEAR_OFF:
        position = match.state.position
        sides = [gnubg.gnubg_side(list(position.of(side))) for side in Side]
        assert answer["board"] in (sides, sides[::-1])


# The actions of gnubg's records that are compared with ours.
COMPARED = ("move", "double", "take", "drop")


def their_record(record: dict[str, Any]) -> tuple[Any, ...]:
    if record["action"] != "move":
        return record["action"], record["player"]
    return "move", record["player"], record["dice"], record["board"]


def records_of(played: RandomMatch) -> list[tuple[Any, list[tuple[Any, ...]], GameResult | None]]:
    """Return for each game the score before it, its records and its result."""
    games: list[tuple[Any, list[tuple[Any, ...]], GameResult | None]] = []
    for before, action, after in steps(played):
        if isinstance(action, Start):
            games.append((after.score, [], None))
            continue
        score, records, result = games[-1] if games else ((0, 0), [], None)
        match action:
            case Play():
                records.append(move_record(before, action))
            case Double() | Beaver():
                records.append(("double", PLAYER[action.side]))
            case Take() | Drop():
                records.append((action.kind, PLAYER[action.side]))
        if after.result is not before.result and after.result and after.result.points:
            result = after.result
        if games:
            games[-1] = (score, records, result)
    return games


def move_record(before: MatchState, action: Play) -> tuple[Any, ...]:
    dice = list(before.dice or ())
    if before.turns == (0, 0):
        dice.sort(reverse=True)
    board = gnu_id.position_id(before.position, action.side)
    return "move", PLAYER[action.side], dice, board


def results_of(match: RandomMatch) -> list[GameResult]:
    found = [result for _, _, result in records_of(match) if result is not None]
    assert all(result.points == KIND_POINTS[result.kind] * result.cube for result in found)
    return found


def steps(match: RandomMatch) -> list[tuple[MatchState, Action, MatchState]]:
    export = match.export()
    state, found = new_match(match.state.rules), []
    for data in export["actions"]:
        action = action_from_dict(data)
        before, state = state, apply(state, action)
        found.append((before, action, state))
    return found


def test_gnu_backgammon_reports_a_wrong_move() -> None:
    text = mat.dump(random_match(1, Rules.of("short", length=3), resigns=0).export())
    first = re.search(r"[1-6][1-6]: (\S+)", text)
    assert first is not None
    wrong = text[: first.start(1)] + "24/1" + text[first.end(1) :]
    _, printed = gnubg.run([{"op": "import", "name": "0", "text": wrong}])
    assert any(word in printed.lower() for word in ("warning", "invalid"))
