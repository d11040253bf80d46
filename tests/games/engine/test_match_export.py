"""The export of a whole match, its replay on the command line, and the check of its dice."""

import copy
import hashlib
import io
import json
import random
import subprocess
import sys

import pytest

from games.engine import dice
from games.engine.cli import replay as cli_replay
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.formats.dice_check import check_dice
from games.engine.formats.json_export import checked_state, from_export, to_export
from games.engine.match import actions as A
from games.engine.match.state import Phase
from games.engine.rules import Rules
from tests.games.engine.match_stories import BLACK, WHITE, Story, random_story

MATCH_ID = "AbCdEf123456"
SECRET = bytes(range(32))
WHITE_ENTROPY = bytes(range(16))
SEATS = {
    "white": {"kind": "guest", "name": "", "level": None},
    "black": {"kind": "bot", "name": "casual", "level": "casual"},
}


def exported(story: Story) -> dict:
    return to_export(
        match_id=MATCH_ID,
        rules=story.rules,
        seats=SEATS,
        created_at="2026-11-21T12:00:00+00:00",
        actions=story.log,
    )


def proven_story(variant: str = "short", length: int = 1) -> Story:
    """Return a finished match against a bot, with dice that follow from the secret."""
    story = Story(Rules.of(variant, length=length, cube=False))
    story.do(A.Commit, hash=dice.commitment(SECRET))
    story.do(A.EntropyHash, WHITE, hash=hashlib.sha256(WHITE_ENTROPY).hexdigest())
    story.do(A.Entropy, WHITE, hex=WHITE_ENTROPY.hex())
    key = dice.match_key(SECRET, MATCH_ID, WHITE_ENTROPY, b"")
    rng = random.Random(1)
    while story.state.phase is not Phase.FINISHED:
        state = story.state
        thrown = dice.roll(key, max(1, state.game), state.rolls + 1)
        if state.phase in (Phase.SEATING, Phase.BETWEEN_GAMES):
            story.do(A.Start, game=state.game + 1)
        elif state.phase is Phase.OPENING:
            story.do(A.Opening, white=thrown[0], black=thrown[1])
        elif state.phase is Phase.TO_ROLL:
            story.do(A.Roll, state.turn, d1=thrown[0], d2=thrown[1])
        else:
            story.any_play(rng.choice)
    story.do(A.Reveal, secret=SECRET.hex())
    return story


@pytest.fixture(scope="module", params=["short", "long"])
def proven(request) -> Story:
    return proven_story(request.param, length=2)


def test_export_can_be_read_as_the_same_match(proven):
    export = from_export(json.loads(json.dumps(exported(proven))))
    assert export.actions == tuple(proven.log)
    assert (export.id, export.rules, export.seats) == (MATCH_ID, proven.rules, SEATS)
    assert checked_state(export) == proven.state


def test_an_export_holds_the_result_and_the_dice_after_the_end(proven):
    data = exported(proven)
    winner = proven.state.outcome.winner
    assert data["result"] == {
        "winner": winner.value,
        "cause": "points",
        "score": proven.state.score.to_dict(),
    }
    assert data["dice"] == {
        "commitment": dice.commitment(SECRET),
        "secret": SECRET.hex(),
        "white_entropy": WHITE_ENTROPY.hex(),
        "black_entropy": None,
    }


def test_a_match_under_way_has_no_result_and_no_secret():
    story = Story(Rules.of("short", length=5))
    story.begin()
    data = exported(story)
    assert data["result"] is None
    assert data["dice"]["secret"] is None
    assert checked_state(from_export(data)) == story.state


def test_every_roll_follows_from_the_secret(proven):
    checks = check_dice(from_export(exported(proven)))
    rolls = sum(isinstance(action, (A.Roll, A.Opening)) for action in proven.log)
    assert len(checks) == rolls
    assert all(check.is_right for check in checks)
    assert (checks[0].game, checks[0].number) == (1, 1)


def test_a_changed_roll_is_detected():
    story = proven_story("long", length=1)
    data = exported(story)
    other = _with_swapped_dice(data)
    checks = check_dice(from_export(other))
    assert [check.is_right for check in checks].count(False) == 1


def _with_swapped_dice(data: dict) -> dict:
    """Swap the dice of one roll, which stays legal but does not follow from the secret."""
    other = copy.deepcopy(data)
    for row in other["actions"]:
        if row["kind"] == "roll" and row["d1"] != row["d2"]:
            row["d1"], row["d2"] = row["d2"], row["d1"]
            return other
    raise AssertionError("no roll to change")


def test_dice_cannot_be_checked_before_the_secret_is_known():
    story = Story(Rules.of("short", length=5))
    with pytest.raises(InvalidAction) as caught:
        check_dice(from_export(exported(story)))
    assert caught.value.code == "no_commitment"
    story.do(A.Commit, hash=dice.commitment(SECRET))
    with pytest.raises(InvalidAction) as caught:
        check_dice(from_export(exported(story)))
    assert caught.value.code == "secret_missing"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data.update(format="other"), "export_format"),
        (lambda data: data.update(version=2), "export_version"),
        (lambda data: data.update(version=True), "export_version"),
        (lambda data: data.update(id=7), "export_id"),
        (lambda data: data.update(id=""), "export_id"),
        (lambda data: data.update(id="нарды"), "export_id"),
        (lambda data: data.update(variant="short" * 2), "export_variant"),
        (lambda data: data.update(created_at=None), "export_created_at"),
        (lambda data: data.pop("created_at"), "export_created_at"),
        (lambda data: data.pop("actions"), "export_actions"),
        (lambda data: data.update(actions={}), "export_actions"),
        (lambda data: data.update(seats={"white": {}}), "export_seats"),
        (lambda data: data.update(seats={"white": 1, "black": 2}), "export_seats"),
        (lambda data: data.update(rules=[]), "rules_variant"),
        (lambda data: data["rules"].update(length=0), "rules_length"),
        (lambda data: data["rules"].update(color="red"), "rules_unknown"),
        (lambda data: data["actions"][0].update(hash=5), "hash"),
        (lambda data: data["actions"].append("roll"), "action"),
        (lambda data: data.update(dice={"secret": "x"}), "export_dice"),
        (lambda data: data.update(result="won"), "export_result"),
    ],
)
def test_an_unreadable_export_names_the_wrong_part(change, code):
    data = exported(proven_story())
    change(data)
    with pytest.raises(InvalidAction) as caught:
        from_export(data)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data["dice"].update(secret="00" * 32), "dice_mismatch"),
        (lambda data: data["dice"].update(black_entropy="00"), "dice_mismatch"),
        (lambda data: data["result"].update(winner=None), "result_mismatch"),
        (lambda data: data["result"]["score"].update(white=99), "result_mismatch"),
    ],
)
def test_an_export_that_contradicts_its_actions_is_refused(change, code):
    data = exported(proven_story())
    change(data)
    with pytest.raises(InvalidAction) as caught:
        checked_state(from_export(data))
    assert caught.value.code == code


def test_dice_and_result_may_be_left_out(proven):
    data = exported(proven)
    del data["dice"], data["result"]
    assert checked_state(from_export(data)) == proven.state


def replay(*lines: str) -> list[dict]:
    out = io.StringIO()
    cli_replay.main(lines, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_replay_prints_every_position_and_then_the_result(proven):
    answers = replay(json.dumps(exported(proven)))
    shown = [action for action in proven.log if isinstance(action, (A.Start, A.Play))]
    assert len(answers) == len(shown) + 1
    assert answers[0]["game"] == 1
    last = answers[-2]
    assert last["position"] == proven.state.position.to_hex(proven.rules.variant)
    assert proven.log[last["n"] - 1] == shown[-1]
    result = answers[-1]["result"]
    assert result["winner"] == proven.state.outcome.winner.value
    assert result["score"] == last["score"]
    assert [game["game"] for game in result["games"]] == list(range(1, proven.state.game + 1))
    for side in ("white", "black"):
        won = [game["points"] for game in result["games"] if game["winner"] == side]
        assert sum(won) == result["score"][side]


def test_replay_of_a_match_under_way_has_no_winner_yet():
    story = Story(Rules.of("long", length=5))
    story.begin()
    *_positions, last = replay(json.dumps(exported(story)))
    assert last["result"] == {
        "winner": None,
        "cause": None,
        "score": {"white": 0, "black": 0},
        "games": [],
    }


def test_unreadable_or_illegal_match_is_an_error_of_its_line_only(proven):
    illegal = exported(proven)
    wrong = next(n for n, row in enumerate(illegal["actions"]) if row["kind"] == "play")
    illegal["actions"][wrong]["text"] = "2/1"
    answers = replay("{", json.dumps([1]), json.dumps(illegal), json.dumps(exported(proven)))
    codes = [answer["error"]["code"] for answer in answers if "error" in answer]
    assert codes[:2] == ["unreadable", "unreadable"]
    assert codes[2] in list(Reason)
    error = next(a for a in answers if a.get("error", {}).get("code") == codes[2])
    assert f"action {wrong + 1}" in error["error"]["message"]
    assert answers[-1]["result"]["winner"] is not None


def test_replay_works_from_the_command_line():
    line = json.dumps(exported(proven_story()))
    ran = subprocess.run(
        [sys.executable, "-m", "games.engine", "replay"],
        input=f"{line}\nnonsense\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answers = [json.loads(answer) for answer in ran.stdout.splitlines()]
    assert "result" in answers[-2]
    assert "error" in answers[-1]
    assert ran.stderr == ""


def test_exporting_an_impossible_log_is_refused():
    story = Story(Rules.of("short", length=5))
    story.begin()
    story.log.append(A.Roll(at_ms=10**6, side=BLACK, d1=1, d2=2))
    with pytest.raises(IllegalAction):
        exported(story)


def test_random_matches_with_cube_and_resignations_export_and_replay():
    for seed in range(3):
        story = random_story(Rules.of("short", length=5), random.Random(seed))
        answers = replay(json.dumps(exported(story)))
        assert answers[-1]["result"]["cause"] == story.state.outcome.cause
