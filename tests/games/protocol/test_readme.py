"""The protocol's README names every error code and the bounds that a client needs."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import games
from config.sockets.guard import MEMBERS_FACTOR, OPENING_BURST, OPENINGS_PER_SECOND
from games.engine.match.public_view import may_view
from games.engine.rules import Rules
from games.engine.sides import Side
from games.protocol.snapshots import MAX_MISSED, state_frame
from games.services.seats import SILENCE
from tests.games.factories import Sitting
from tests.games.frames import SCHEMA

GAMES = Path(games.__file__).parent
README = " ".join((GAMES / "protocol/README.md").read_text().split())


@pytest.mark.parametrize("code", SCHEMA["$defs"]["error"]["properties"]["code"]["enum"])
def test_readme_names_every_error_code(code: str) -> None:
    assert f"`{code}`" in README


def test_readme_has_the_bounds_of_the_code(settings: Any) -> None:
    assert f"if there are not more than {MAX_MISSED}" in README
    assert f"has {settings.SOCKETS_PER_ADDRESS} sockets of tables" in README
    assert f"has {settings.SOCKETS_PER_USER} of each kind" in README
    assert MEMBERS_FACTOR == 10
    for most in (settings.SOCKETS_PER_USER, settings.SOCKETS_PER_ADDRESS):
        burst, per_second = most * OPENING_BURST, round(most * OPENINGS_PER_SECOND)
        assert re.search(rf"{burst}[^.]* and then {per_second} a second", README)
    assert "ten times as many for members" in README
    assert f"frame for {SILENCE.seconds} s counts as absent" in README


def test_readme_has_the_limits_on_matches_against_the_computer(settings: Any) -> None:
    limits = settings.ACCOUNT_RATE_LIMITS
    assert limits["training"] == "60/10m/user,500/d/user"
    assert limits["guest_training"] == "30/10m/ip,300/d/ip"
    assert "a member may begin 60 in ten minutes and 500 a day, the guests of a network" in README
    assert "together 30 and 300" in README


def test_readme_says_to_repeat_a_stale_command_after_a_current_frame_too() -> None:
    assert "After any of the three, repeat the command that was refused as `stale`;" in README


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [{"koks": "on"}, {"cube": "on", "length": "1", "mars": "on"}])
def test_choices_that_the_readme_excludes_are_refused_with_a_code(wrong: dict[str, str]) -> None:
    assert "Excluded: `koks=on` without `mars`, and `cube=on` with `length` 1" in README
    answer = Client().post(reverse("games:training"), wrong)
    assert (answer.status_code, answer["Refusal"]) == (422, "invalid")


@pytest.mark.django_db
def test_since_minus_one_repeats_no_actions_and_zero_repeats_the_commit() -> None:
    sitting = Sitting(Rules.of("short", length=3)).sit().start_game()
    fresh, whole = [
        state_frame(sitting.public_id, Side.WHITE, since, sitting.now) for since in (-1, 0)
    ]
    assert fresh["actions"] == []
    assert whole["actions"][0]["kind"] == "commit"
    assert whole["actions"][0]["hash"] == fresh["match"]["commitment"]
    assert fresh["may"].keys() == may_view(sitting.state, Side.WHITE).keys()
