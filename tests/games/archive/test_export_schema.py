"""Exported files fit the published schema."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import games
from games.engine.rules import Rules
from games.engine.sides import Side
from games.exports.match_file import export_of
from games.models import Match
from tests.games.factories import Sitting, StakeMatchFactory
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import finished, reviewed

pytestmark = pytest.mark.django_db

GAMES = Path(games.__file__).parent
SCHEMA = json.loads((GAMES / "exports/match.schema.json").read_text())
PROTOCOL = json.loads((GAMES / "protocol.schema.json").read_text())
PROTOCOL_ID = SCHEMA["$id"].replace("exports/match", "protocol")
VALIDATOR = jsonschema.Draft202012Validator(
    SCHEMA, registry=Registry().with_resource(PROTOCOL_ID, Resource.from_contents(PROTOCOL))
)


def faults(file: Any) -> list[str]:
    return [f"{each.json_path}: {each.message}" for each in VALIDATOR.iter_errors(file)]


@pytest.mark.parametrize("variant", ["short", "long"])
def test_match_of_two_people_has_the_published_shape(variant: str) -> None:
    match = play_out(StakeMatchFactory(rules=Rules.of(variant, length=1, delay_ms=20_000)))
    file = json.loads(json.dumps(export_of(match)))
    assert faults(file) == []
    assert faults({**file, "more": 1}) != []


@pytest.mark.parametrize("variant", ["short", "long"])
def test_review_in_the_file_has_the_published_shape(variant: str) -> None:
    sitting = finished(variant=variant)
    reviewed(sitting)
    file = json.loads(json.dumps(export_of(sitting.match)))
    assert faults(file) == []
    assert faults({**file, "review": {**file["review"], "judge": variant}}) != []


def test_entropy_of_a_bot_is_null() -> None:
    sitting = Sitting(Rules.of("short", length=1)).sit().start_game()
    running = export_of(Match.objects.get(pk=sitting.match.pk))
    sitting.do("resign_match", side=Side.WHITE)
    finished = export_of(Match.objects.get(pk=sitting.match.pk))
    for file in (running, finished):
        assert faults(json.loads(json.dumps(file))) == []
        assert file["dice"]["black_entropy"] is None
    assert (running["result"], running["dice"]["secret"]) == (None, None)
    assert finished["dice"]["secret"]
